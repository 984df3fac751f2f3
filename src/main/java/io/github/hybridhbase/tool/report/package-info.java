/**
 * How findings read. Entry: {@link io.github.hybridhbase.tool.report.FindingId}, each finding's id,
 * severity and effect, once; beside it text and JSON.
 *
 * <p>Rule: names that come from a cluster are escaped before they reach a terminal.
 */
package io.github.hybridhbase.tool.report;
