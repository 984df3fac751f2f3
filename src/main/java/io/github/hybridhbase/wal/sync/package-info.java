/**
 * Group commit: one flush answers many syncs. Entry: {@link
 * io.github.hybridhbase.wal.sync.GroupCommit}; {@link io.github.hybridhbase.wal.sync.SyncStrength}
 * says whether a sync is an hsync.
 *
 * <p>Rule: no HDFS but through {@link io.github.hybridhbase.wal.sync.FlushOutput}; no allocation
 * for an append; answers leave in order; a sync only ever becomes stronger.
 */
package io.github.hybridhbase.wal.sync;
