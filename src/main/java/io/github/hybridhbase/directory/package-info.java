/**
 * What policy each of HBase's directories has, what it should get, and giving it that: {@link
 * io.github.hybridhbase.directory.ServerPlacement} on behalf of a server, {@link
 * io.github.hybridhbase.directory.DirectoryEnforcer} on behalf of the command line.
 *
 * <p>Rule: desired against observed state, like a controller. There is no queue to lose and nothing
 * to recover after a crash; a policy that somebody else set is left alone.
 */
package io.github.hybridhbase.directory;
