/**
 * The policy that each of HBase's directories has, and the one that it should have, given what is
 * declared and how much space SSD has. Entry: for directories {@link DirectoryPlan} decides, about
 * each by {@link DirectoryDecision}, and {@link DirectoryEnforcer} applies the plan, in a server
 * for {@link ServerPlacement}; for space {@link SpacePolicy} decides which components may use SSD.
 * On the active master, {@link ClusterWatch} takes one {@link ClusterLook} per period, and {@link
 * SsdSpaceMonitor} demotes and restores components.
 *
 * <p>Rule: decisions are pure, with time as an argument. Desired against observed state, like a
 * controller: no queue to lose, nothing to recover after a crash. A policy set by somebody else is
 * left alone. A demotion needs a probe block accepted by DISK, a restoration one accepted by SSD.
 */
package io.github.hybridhbase.placement;
