/**
 * Space on SSD. Entry: {@link io.github.hybridhbase.space.SpacePolicy} decides which components may
 * use SSD now; {@link io.github.hybridhbase.space.SsdSpaceMonitor} asks it on the active master,
 * and demotes components from SSD or restores them.
 *
 * <p>Rule: decisions are pure and get the time as an argument; {@link
 * io.github.hybridhbase.space.SsdDemoter} alone changes policies here. Nothing is demoted before
 * HDFS has taken a probe block on DISK, nothing restored before it has taken one on SSD.
 */
package io.github.hybridhbase.space;
