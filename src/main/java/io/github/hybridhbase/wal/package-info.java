/**
 * The write-ahead log. Entry: {@link io.github.hybridhbase.wal.HybridWALProvider} places it and
 * hands out HBase's own WAL objects; beneath them are the plugin's writers, subclasses of HBase's.
 *
 * <p>Rule: no RPC and no allocation for an append, and a roll never fails because of SSD. What a
 * writer cannot do here is said, never silently left out.
 */
package io.github.hybridhbase.wal;
