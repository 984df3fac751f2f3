/**
 * What belongs where: HBase's directories and the component that each belongs to ({@link
 * io.github.hybridhbase.placement.Layout}), and the policy that is in force for a component now
 * ({@link io.github.hybridhbase.placement.EffectivePolicy}).
 *
 * <p>Rule: pure functions over immutable values, tested in milliseconds; no I/O, no thread, no
 * cluster.
 */
package io.github.hybridhbase.placement;
