/**
 * Group commit: one flush answers many syncs. Entry: {@link
 * io.github.hybridhbase.wal.sync.GroupCommit}; {@link io.github.hybridhbase.wal.sync.SyncStrength}
 * decides whether a sync is an hsync.
 *
 * <p>Rule: HDFS only through {@link io.github.hybridhbase.wal.sync.FlushOutput}; no allocation for
 * an append; answers in order; a sync only becomes stronger.
 */
package io.github.hybridhbase.wal.sync;
