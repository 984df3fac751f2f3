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
package io.github.hybridhbase.tier;

import org.apache.yetus.audience.InterfaceAudience;

/**
 * How near a region is to the point where HBase refuses its writes, and how long a call that writes
 * waits for that: pure functions.
 *
 * <p>HBase lets writers go on at full speed until a store has more files than {@code
 * hbase.hstore.blockingStoreFiles}; then it puts off the region's next flush, for {@code
 * hbase.hstore.blockingWaitTime} at most. Where the memstore fills up to its {@code
 * block.multiplier} meanwhile, every write fails until a flush ends. With WALs and new files on SSD
 * a writer is there sooner than HDD can compact. A writer too slow to fill it in that time is
 * hardly held up: what counts is the room that is left in the memstore.
 */
@InterfaceAudience.Private
final class WritePressure {
  /** No write waits. */
  static final double NONE = -1;

  /** Part of the files and flushes that there may be, up to which no write waits. */
  private static final double FREE = 0.75;

  /** A call with this many bytes more waits once more as long. */
  private static final double BYTES_A_WAIT = 64 << 10;

  private WritePressure() {}

  /**
   * How near it is. Nothing waits before the memstore is to be flushed. While files put the flush
   * off, the room that is left above counts. Before that a flush is a file to be, so both are
   * counted in flushes, and the pressure is never more than it would be with too many files. With
   * half as many files or fewer a memstore that fills is that of a slow flush, which files have
   * nothing to do with, unless they put it off before.
   *
   * @param flushes size of the memstore, in flushes
   * @param mostFlushes size of the memstore from which HBase refuses writes, in flushes; 1 leaves
   *     no room to wait in
   * @param files files of the store that has most
   * @param mostFiles files above which HBase does not flush
   * @param putOff whether files put the flush off that is due, see {@link #putOff}
   * @return 0 for a memstore of one flush, 1 where HBase is about to refuse writes; negative where
   *     no write waits
   */
  static double of(double flushes, int mostFlushes, long files, long mostFiles, boolean putOff) {
    if (flushes < 1 || mostFlushes <= 1) {
      return NONE;
    }
    double memory = Math.min(1, (flushes - 1) / (mostFlushes - 1));
    if (files > mostFiles) {
      return memory;
    }
    double taken = (files + flushes) / Math.max(1, mostFiles + mostFlushes);
    if (putOff || 2 * files > mostFiles) {
      taken = Math.max(taken, flushes / mostFlushes);
    }
    return Math.max(NONE, Math.min(memory, (taken - FREE) / (1 - FREE)));
  }

  /**
   * Whether files put the flush off that is due, or did: a memstore of several flushes takes longer
   * to flush, and fills meanwhile.
   *
   * @param before what this said at the last look
   */
  static boolean putOff(boolean before, double flushes, long files, long mostFiles) {
    return flushes >= 1 && (before || files > mostFiles);
  }

  /**
   * How long a call that writes waits: a millisecond at first and then longer by the same factor
   * for each step of the pressure, so that writers of any speed are slowed down to what compactions
   * can follow, and none at once.
   *
   * @param bytes size of the call, for each region that it writes to
   * @param mostMillis the longest wait, 0 for none
   */
  static long delayMillis(double pressure, long bytes, long mostMillis) {
    if (pressure < 0 || mostMillis <= 0) {
      return 0;
    }
    double millis = Math.pow(mostMillis, Math.min(1, pressure)) * (1 + bytes / BYTES_A_WAIT);
    return Math.min(mostMillis, (long) millis);
  }

  /**
   * The longest wait of a call whose client gives up after a while: at most half of that.
   *
   * @param mostMillis the longest wait of any call
   * @param leftMillis until the client gives up
   */
  static long mostMillis(long mostMillis, long leftMillis) {
    return Math.max(0, Math.min(mostMillis, leftMillis / 2));
  }

  /**
   * What a call waits still. It holds the thread that handles it, so it goes on where another call
   * waits for one, of whatever table.
   *
   * @param asked milliseconds that it is to wait altogether
   * @param waited milliseconds that it has waited
   * @param queued calls that no thread handles yet
   */
  static long leftMillis(long asked, long waited, int queued) {
    return queued == 0 ? Math.max(0, asked - waited) : 0;
  }
}
