/**
 * SSD room: what may be born on SSD now.
 *
 * <p>Rule of this room: pure functions over small immutable values; time comes in as an argument.
 * Nothing here does I/O or starts a thread. {@link io.github.hybridhbase.guard.EffectivePolicy} is
 * the one function that observers, keeper, guard and tools ask, so that they never undo each other.
 */
package io.github.hybridhbase.guard;
