/**
 * What policy each of HBase's directories has, what it should get, and giving it that. Entry:
 * {@link io.github.hybridhbase.directory.DirectoryPlan} decides for servers and command line alike,
 * about each directory by {@link io.github.hybridhbase.directory.DirectoryDecision}; {@link
 * io.github.hybridhbase.directory.DirectoryEnforcer} carries it out, for a server on behalf of
 * {@link io.github.hybridhbase.directory.ServerPlacement}.
 *
 * <p>Rule: desired against observed state, like a controller. There is no queue to lose and nothing
 * to recover after a crash. A policy that somebody else set is left alone.
 */
package io.github.hybridhbase.directory;
