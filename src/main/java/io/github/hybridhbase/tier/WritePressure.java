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
 * Pure functions: the pressure, how close a region is to HBase refusing its writes or a server to
 * HBase blocking updates, and a call's delay.
 *
 * <p><b>Too many files.</b> Above {@code hbase.hstore.blockingStoreFiles} HBase defers a flush by
 * up to {@code hbase.hstore.blockingWaitTime}; writes fail if the memstore reaches its {@code
 * block.multiplier} meanwhile. Compares the memstore left with the time left.
 *
 * <p><b>Slow flush.</b> With the share full, flushes go to a busy HDD. Half of the memstore above
 * one flush is free.
 *
 * <p><b>Server.</b> From the lower limit of all memstores HBase flushes region by region; at the
 * limit it blocks updates ({@code MemStoreFlusher.reclaimMemStoreMemory}).
 */
@InterfaceAudience.Private
final class WritePressure {
  static final double NONE = -1;

  static final long NOT_DEFERRED = 0;

  /** Part of the range that a burst may fill. */
  private static final double FREE = 0.2;

  /** Maximum free part: the forced flush takes a while. */
  private static final double MOST_FREE = 0.9;

  private static final double FREE_DURING_FLUSH = 0.5;

  /** Bytes that add the delay once more. */
  private static final double BYTES_A_WAIT = 64 << 10;

  /** Deferrals after which the forced flush counts as over. */
  private static final double OVER = 1.5;

  private WritePressure() {}

  /**
   * Since when files defer the due flush, until the memstore is below one flush: a large one
   * flushes slowly.
   *
   * @param flushes memstore size, in flushes
   * @param now above 0
   * @return {@link #NOT_DEFERRED} or a clock's time
   */
  static long deferredSince(
      long before, double flushes, boolean tooManyFiles, long now, long longest) {
    if (flushes < 1) {
      return NOT_DEFERRED;
    }
    if (before == NOT_DEFERRED || now - before >= OVER * longest) {
      return tooManyFiles ? now : NOT_DEFERRED;
    }
    return before;
  }

  /**
   * The pressure while files defer the flush.
   *
   * @param mostFlushes at which HBase refuses writes
   * @param passed part of the deferral; from 1 on the flush runs
   * @return 1 if HBase is about to refuse writes; negative for no delay
   */
  static double of(double flushes, int mostFlushes, double passed) {
    if (flushes < 1 || mostFlushes <= 1) {
      return NONE;
    }
    double taken = taken(flushes, mostFlushes);
    double free = Math.min(MOST_FREE, passed + FREE * (1 - passed));
    return taken < free ? NONE : Math.min(taken, (taken - free) / (1 - MOST_FREE));
  }

  private static double taken(double flushes, int mostFlushes) {
    return Math.min(1, (flushes - 1) / (mostFlushes - 1));
  }

  /**
   * The pressure while a flush is written or queued. A limit of up to 2 flushes delays nothing: a
   * memstore may be nearly that large beside any flush.
   */
  static double duringFlush(double flushes, int mostFlushes) {
    if (flushes < 1 || mostFlushes <= 2) {
      return NONE;
    }
    double taken = taken(flushes, mostFlushes);
    return taken < FREE_DURING_FLUSH ? NONE : (taken - FREE_DURING_FLUSH) / (1 - FREE_DURING_FLUSH);
  }

  /**
   * The pressure of a server's memstores. A fifth of the range is free: many regions usually keep
   * it there.
   *
   * @param ofLowMark size in parts of the lower limit ({@code
   *     RegionServerServices.getFlushPressure})
   * @param lowMark lower limit in parts of the limit
   * @return 1 if HBase blocks updates; negative for no delay
   */
  static double ofServer(double ofLowMark, double lowMark) {
    if (ofLowMark < 1 || lowMark >= 1) {
      return NONE;
    }
    double taken = Math.min(1, (ofLowMark - 1) * lowMark / (1 - lowMark));
    return taken < FREE ? NONE : (taken - FREE) / (1 - FREE);
  }

  /**
   * Milliseconds: 1 at pressure 0, then exponential, so that writers of any speed slow down to
   * compactions.
   */
  static double delayMillis(double pressure, double bytes, long mostMillis) {
    if (pressure < 0 || mostMillis <= 0) {
      return 0;
    }
    double millis = Math.pow(mostMillis, Math.min(1, pressure)) * (1 + bytes / BYTES_A_WAIT);
    return Math.min(mostMillis, millis);
  }
}
