/**
 * Handling of a WAL that SSD refuses. Entry: {@link WalOpener}; {@link WalFallback} brings WALs
 * back to SSD.
 *
 * <p>Rule: every wait has a bound, since HBase aborts a server whose roll fails. An unavailable
 * NameNode does not count against SSD.
 */
package io.github.hybridhbase.wal.fallback;
