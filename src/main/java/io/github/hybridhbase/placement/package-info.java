/**
 * What one server does for all, and what a start checks. Entry: {@link StartCheck} in each server;
 * on the active master {@link ClusterWatch} takes one {@link ClusterLook} per period, {@link
 * TierController} grants the SSD tier its space, and {@link SsdNodesPublisher} publishes the
 * DataNodes with SSD. {@link PluginFinder} asks servers what they run, for the master's page and
 * for the command line; {@link PluginChecks} judges it.
 *
 * <p>Rule: decisions are pure, with time as an argument. No policy and no record of placement
 * stands on a directory: each file is created under its own policy ({@link
 * io.github.hybridhbase.hdfs.NewFiles}).
 */
package io.github.hybridhbase.placement;
