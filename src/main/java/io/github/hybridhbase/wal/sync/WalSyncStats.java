/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.github.hybridhbase.wal.sync;

import org.apache.yetus.audience.InterfaceAudience;

/**
 * A receiver of statistics about syncs. Called on the write path by several threads; neither blocks
 * nor throws.
 */
@InterfaceAudience.Private
public interface WalSyncStats {
  WalSyncStats NONE = new WalSyncStats() {};

  /**
   * A group commit's flush was acknowledged by every replica.
   *
   * @param syncs calls of {@code AsyncWriter.sync} that it answers; above 1 if coalesced
   * @param forced whether it was an hsync
   * @param nanos until its acknowledgement
   */
  default void flushed(int syncs, int edits, long bytes, boolean forced, long nanos) {}

  /** A writer with group commit failed; HBase rolls the log. */
  default void failed() {}

  /** The appending thread waited this long for an event loop that was sending a flush. */
  default void waitedForFlush(long nanos) {}

  /**
   * Sending a flush held the group commit's lock this long, for checksums, encryption and netty.
   */
  default void lockedForFlush(long nanos) {}

  /** A gathering wait timed out with {@code edits} of {@code expected} entries. */
  default void gatheringTimedOut(int edits, int expected) {}

  /**
   * A log's syncs have another strength.
   *
   * @param log name without the number that changes with every roll
   */
  default void strength(String log, SyncStrength strength) {}
}
