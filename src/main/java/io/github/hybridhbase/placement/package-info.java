/**
 * Component and policy of each directory. Entry: {@link io.github.hybridhbase.placement.Layout};
 * {@link io.github.hybridhbase.placement.EffectivePolicy} is the only function of declaration,
 * demotions and holds.
 *
 * <p>Rule: pure functions over immutable values; no I/O, thread or cluster.
 */
package io.github.hybridhbase.placement;
