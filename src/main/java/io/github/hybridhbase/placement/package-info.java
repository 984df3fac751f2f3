/**
 * Observed and desired policy of each of HBase's directories. Entry: {@link
 * io.github.hybridhbase.placement.DirectoryPlan} decides for servers and command line, about each
 * directory by {@link io.github.hybridhbase.placement.DirectoryDecision}; {@link
 * io.github.hybridhbase.placement.DirectoryEnforcer} applies the plan, in a server for {@link
 * io.github.hybridhbase.placement.ServerPlacement}.
 *
 * <p>Rule: desired against observed state, like a controller: no queue to lose, nothing to recover
 * after a crash. A policy set by somebody else is left alone.
 */
package io.github.hybridhbase.placement;
