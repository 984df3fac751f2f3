/**
 * Group commit: one flush answers many syncs ({@link io.github.hybridhbase.wal.sync.GroupCommit}),
 * and how strong these are ({@link io.github.hybridhbase.wal.sync.SyncStrength}).
 *
 * <p>Rule: no HDFS but through {@link io.github.hybridhbase.wal.sync.FlushOutput}; no allocation
 * per append; answers leave in order.
 */
package io.github.hybridhbase.wal.sync;
