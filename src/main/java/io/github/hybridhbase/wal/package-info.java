/**
 * The write-ahead log. Entry: {@link HybridWALProvider}.
 *
 * <p>Rule: no RPC and no allocation for an append, and no roll fails because of SSD. A capability
 * that a writer lacks is always reported.
 */
package io.github.hybridhbase.wal;
