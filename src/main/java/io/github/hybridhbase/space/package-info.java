/**
 * Space on SSD. Entry: {@link io.github.hybridhbase.space.SpacePolicy} decides which components may
 * use SSD. On the active master, {@link io.github.hybridhbase.space.ClusterWatch} takes one {@link
 * io.github.hybridhbase.space.ClusterLook} per period, and {@link
 * io.github.hybridhbase.space.SsdSpaceMonitor} demotes and restores components.
 *
 * <p>Rule: decisions are pure, with time as an argument; only {@link
 * io.github.hybridhbase.space.SsdDemoter} changes policies here. A demotion needs a probe block
 * accepted by DISK, a restoration one accepted by SSD.
 */
package io.github.hybridhbase.space;
