/**
 * The format of findings. Entry: {@link io.github.hybridhbase.report.FindingId}, the only list of
 * ids, severities and consequences; also text and JSON.
 *
 * <p>Rule: names from a cluster are escaped before they are printed.
 */
package io.github.hybridhbase.report;
