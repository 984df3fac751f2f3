/**
 * What policy each of HBase's directories has, what it should get, and giving it that. Entry:
 * {@link io.github.hybridhbase.directory.DirectoryPlan} decides; {@link
 * io.github.hybridhbase.directory.ServerPlacement} carries it out for a server, {@link
 * io.github.hybridhbase.directory.DirectoryEnforcer} for the command line.
 *
 * <p>Rule: desired against observed state, like a controller. There is no queue to lose and nothing
 * to recover after a crash. A policy that somebody else set is left alone.
 */
package io.github.hybridhbase.directory;
