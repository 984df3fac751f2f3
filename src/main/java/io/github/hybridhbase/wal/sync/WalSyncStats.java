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
 * What the writers tell about their syncs. Called on the write path, from several threads: an
 * implementation counts and returns, it neither blocks nor throws.
 */
@InterfaceAudience.Private
public interface WalSyncStats {
  /** Counts nothing. */
  WalSyncStats NONE = new WalSyncStats() {};

  /**
   * One flush of a log whose hsyncs are shared was acknowledged by every replica.
   *
   * @param syncs how many calls of {@code AsyncWriter.sync} it answers; above 1 is coalescing at
   *     work
   * @param edits entries it carried
   * @param bytes bytes it carried
   * @param forced whether it was an hsync
   * @param nanos from the flush to its acknowledgement
   */
  default void flushed(int syncs, int edits, long bytes, boolean forced, long nanos) {}

  /**
   * A writer whose hsyncs are shared failed: its log is rolled and what was not acknowledged is
   * written again.
   */
  default void failed() {}

  /** The appending thread had to wait this long for a flush on the event loop to end. */
  default void waitedForFlush(long nanos) {}

  /**
   * Sending a flush held the group commit's lock this long: checksums, encryption, the hand-over to
   * netty.
   */
  default void lockedForFlush(long nanos) {}

  /** A gathering delay ended on its timer, {@code edits} of {@code expected} had come. */
  default void gatheringTimedOut(int edits, int expected) {}

  /**
   * The strength of a log's syncs is known or has changed.
   *
   * @param log name of the log, without the number that changes with every roll
   * @param strength what is in force for its syncs now
   */
  default void strength(String log, SyncStrength strength) {}
}
