/**
 * Space on SSD: which components may use it now ({@link io.github.hybridhbase.space.SpacePolicy}),
 * and the monitor on the active master that demotes components from SSD and restores them ({@link
 * io.github.hybridhbase.space.SsdSpaceMonitor}).
 *
 * <p>Rule: decisions are pure and get the time as an argument; {@link
 * io.github.hybridhbase.space.SsdDemoter} alone writes to HDFS.
 */
package io.github.hybridhbase.space;
