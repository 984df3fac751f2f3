/**
 * What happens to a WAL that SSD refuses. Entry: {@link
 * io.github.hybridhbase.wal.fallback.WalOpener} opens it on DISK at once; {@link
 * io.github.hybridhbase.wal.fallback.WalFallback} keeps the server off SSD for a while, and has the
 * WALs rolled when SSD takes blocks again.
 *
 * <p>Rule: every wait has a bound, since HBase aborts a server whose roll fails. A NameNode that
 * cannot be asked is no refusal of SSD's.
 */
package io.github.hybridhbase.wal.fallback;
