/**
 * The policy that each of HBase's directories has, and the one that it should have, given what is
 * declared and how much space SSD has. Entry: for directories {@link
 * io.github.hybridhbase.placement.DirectoryPlan} decides, about each by {@link
 * io.github.hybridhbase.placement.DirectoryDecision}, and {@link
 * io.github.hybridhbase.placement.DirectoryEnforcer} applies the plan, in a server for {@link
 * io.github.hybridhbase.placement.ServerPlacement}; for space {@link
 * io.github.hybridhbase.placement.SpacePolicy} decides which components may use SSD. On the active
 * master, {@link io.github.hybridhbase.placement.ClusterWatch} takes one {@link
 * io.github.hybridhbase.placement.ClusterLook} per period, and {@link
 * io.github.hybridhbase.placement.SsdSpaceMonitor} demotes and restores components.
 *
 * <p>Rule: decisions are pure, with time as an argument. Desired against observed state, like a
 * controller: no queue to lose, nothing to recover after a crash. A policy set by somebody else is
 * left alone. A demotion needs a probe block accepted by DISK, a restoration one accepted by SSD.
 */
package io.github.hybridhbase.placement;
