/**
 * Observed and desired policy of each of HBase's directories. Entry: {@link
 * io.github.hybridhbase.directory.DirectoryPlan} decides for servers and command line, about each
 * directory by {@link io.github.hybridhbase.directory.DirectoryDecision}; {@link
 * io.github.hybridhbase.directory.DirectoryEnforcer} applies the plan, in a server for {@link
 * io.github.hybridhbase.directory.ServerPlacement}.
 *
 * <p>Rule: desired against observed state, like a controller: no queue to lose, nothing to recover
 * after a crash. A policy set by somebody else is left alone.
 */
package io.github.hybridhbase.directory;
