/**
 * How findings read: each one's id, severity and effect ({@link
 * io.github.hybridhbase.tool.report.FindingId}), as text and as JSON.
 *
 * <p>Rule: names that come from a cluster are escaped before they reach a terminal.
 */
package io.github.hybridhbase.tool.report;
