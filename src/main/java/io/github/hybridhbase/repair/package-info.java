/**
 * Declared against found: the difference, and what mends it.
 *
 * <p>Desired state against observed state, like a controller: there is no queue to lose and nothing
 * to recover after a crash.
 */
package io.github.hybridhbase.repair;
