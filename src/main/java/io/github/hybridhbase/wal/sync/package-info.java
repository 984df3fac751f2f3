/**
 * Group commit: one flush answers many syncs. Entry: {@link GroupCommit}.
 *
 * <p>Rule: no allocation for an append; answers in order; a sync only becomes stronger.
 */
package io.github.hybridhbase.wal.sync;
