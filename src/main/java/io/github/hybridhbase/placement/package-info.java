/**
 * What belongs where. Entry: {@link io.github.hybridhbase.placement.Layout}, HBase's directories
 * and the component of each. {@link io.github.hybridhbase.placement.EffectivePolicy} is the one
 * function of what is declared, demoted and held that all others ask.
 *
 * <p>Rule: pure functions over immutable values, tested in milliseconds; no I/O, no thread, no
 * cluster.
 */
package io.github.hybridhbase.placement;
