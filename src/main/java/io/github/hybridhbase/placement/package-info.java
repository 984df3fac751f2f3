/**
 * What belongs where: components, storage policies and the declared placement.
 *
 * <p>Rule of this room: pure functions over immutable values. Nothing here does I/O, starts a
 * thread or knows a cluster; everything is tested in milliseconds.
 */
package io.github.hybridhbase.placement;
