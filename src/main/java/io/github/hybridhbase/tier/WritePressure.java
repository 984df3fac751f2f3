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
 * hbase.hstore.blockingStoreFiles}; then it puts off the region's next flush, the memstore fills up
 * to its {@code block.multiplier}, and every write fails until a compaction ends. With WALs and new
 * files on SSD a writer is there sooner than HDD can compact. A flush is a file to be, so both are
 * counted in flushes: a pressure of 1 is a full memstore, with as many files as there may be.
 */
@InterfaceAudience.Private
final class WritePressure {
  /** Up to here no write waits. */
  static final double FREE = 0.75;

  /**
   * Memstore, in flushes, from which files count at all, the more the nearer the flush is: they
   * hold up nothing but that.
   */
  private static final double FLUSH_NEAR = 0.75;

  /** A call with this many bytes more waits once more as long. */
  private static final double BYTES_A_WAIT = 64 << 10;

  private WritePressure() {}

  /**
   * How near it is. Files beyond the first that keeps HBase from flushing count no more: what is
   * left then is the room in the memstore.
   *
   * @param flushes size of the memstore, in flushes
   * @param mostFlushes size of the memstore from which HBase refuses writes, in flushes
   * @param files files of the store that has most
   * @param mostFiles files above which HBase does not flush
   * @return 0 for an empty region, 1 or more where HBase is about to refuse writes
   */
  static double of(double flushes, int mostFlushes, long files, long mostFiles) {
    double memory = flushes / Math.max(1, mostFlushes);
    double due = Math.min(1, Math.max(0, flushes - FLUSH_NEAR) / (1 - FLUSH_NEAR));
    double counted = due * Math.min(files, mostFiles + 1);
    return Math.max(memory, (counted + flushes) / Math.max(1, mostFiles + mostFlushes));
  }

  /**
   * How long a call that writes waits: a millisecond at first and then longer by the same factor
   * for each step of the pressure, so that writers of any number and speed are slowed down to what
   * compactions can follow, and none at once.
   *
   * @param bytes size of the call
   * @param mostMillis the longest wait, 0 for none
   */
  static long delayMillis(double pressure, long bytes, long mostMillis) {
    if (pressure < FREE || mostMillis <= 0) {
      return 0;
    }
    double step = Math.min(1, (pressure - FREE) / (1 - FREE));
    double millis = Math.pow(mostMillis, step) * (1 + bytes / BYTES_A_WAIT);
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
}
