/**
 * The write-ahead log: {@link io.github.hybridhbase.wal.HybridWALProvider} places it and hands out
 * HBase's own WAL objects, whose writers {@link io.github.hybridhbase.wal.WriterChoice} chooses.
 *
 * <p>Rule: nothing here allocates or asks HDFS per append, and a roll never fails because of SSD.
 */
package io.github.hybridhbase.wal;
