/**
 * Component and policy of each directory. Entry: {@link io.github.hybridhbase.placement.Layout}.
 *
 * <p>Rule: pure functions over immutable values; no I/O, thread or cluster.
 */
package io.github.hybridhbase.placement;
