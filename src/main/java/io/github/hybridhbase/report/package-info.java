/**
 * What an admin reads: findings with severity, what was seen, consequence and remedy, as text and
 * JSON. Entry: {@link FindingId}.
 *
 * <p>Rule: only this package creates a {@link Finding}; others pass facts. Names from a cluster are
 * escaped before they are printed.
 */
package io.github.hybridhbase.report;
