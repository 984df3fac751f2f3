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
 * How near a region is to the point where HBase refuses its writes, or a server to the point where
 * HBase blocks all updates, and how long a call that writes waits for that: pure functions.
 *
 * <p>HBase lets writers go on at full speed until a store has more files than {@code
 * hbase.hstore.blockingStoreFiles}; then it puts off the region's next flush, for {@code
 * hbase.hstore.blockingWaitTime} at most. Where the memstore fills up to its {@code
 * block.multiplier} meanwhile, every write fails until a flush ends. With WALs and new files on SSD
 * a writer is there sooner than HDD can compact. What counts is the room that is left in the
 * memstore for the rest of that time: a writer too slow to fill it waits for nothing. A faster one
 * waits, also where compactions would have caught up before it was full: that is not known before.
 *
 * <p>Where no files put it off the flush itself may be slow: the server's share of SSD is full, so
 * it goes to an HDD that compactions keep busy. The room is what is left of the memstore above one
 * flush; half of it is free then, which is one flush or more: where flushes are faster than
 * writers, no more comes while one is written.
 *
 * <p>The memstores of a server share a limit, which binds before those of its regions where they
 * are many or the heap is small. From {@code hbase.regionserver.global.memstore.size.lower.limit}
 * of it HBase flushes one region after the other; at the limit no update is answered until a flush
 * ends ({@code MemStoreFlusher.reclaimMemStoreMemory}). The room is what lies between.
 */
@InterfaceAudience.Private
final class WritePressure {
  /** No write waits. */
  static final double NONE = -1;

  /** No flush is put off. */
  static final long NOT_PUT_OFF = 0;

  /** Part of the room that may be filled at once, by a burst say. */
  private static final double FREE = 0.2;

  /** Part of the room beyond which none is free, be it time to flush: that takes a while. */
  private static final double MOST_FREE = 0.9;

  /** Part of the room above one flush that may fill while a flush is written or queued. */
  private static final double FREE_DURING_FLUSH = 0.5;

  /** A call with this many bytes more waits once more as long. */
  private static final double BYTES_A_WAIT = 64 << 10;

  /** Where the flush that HBase does then has taken longer, a new time begins. */
  private static final double OVER = 1.5;

  private WritePressure() {}

  /**
   * Since when files put off the flush that is due. Also what they have put off before counts until
   * the memstore is small again: one of several flushes takes longer to flush, and fills meanwhile.
   *
   * @param before what this said at the last look
   * @param flushes size of the memstore, in flushes
   * @param tooManyFiles whether a store has more files than HBase flushes with
   * @param now some clock's, above 0
   * @param longest for which HBase puts a flush off
   * @return {@link #NOT_PUT_OFF}, or the clock's then
   */
  static long putOffSince(
      long before, double flushes, boolean tooManyFiles, long now, long longest) {
    if (flushes < 1) {
      return NOT_PUT_OFF;
    }
    if (before == NOT_PUT_OFF || now - before >= OVER * longest) {
      return tooManyFiles ? now : NOT_PUT_OFF;
    }
    return before;
  }

  /**
   * How near it is. Up to where the memstore would be if it filled evenly until HBase flushes it in
   * any case, and a little above, nothing waits; a tenth of the room further on all do, by how full
   * it is.
   *
   * @param flushes size of the memstore, in flushes
   * @param mostFlushes size of the memstore from which HBase refuses writes, in flushes; 1 leaves
   *     no room to wait in
   * @param passed part of the time for which HBase puts the flush off that has passed; from 1 on it
   *     is being flushed
   * @return 1 where HBase is about to refuse writes; negative where no write waits
   */
  static double of(double flushes, int mostFlushes, double passed) {
    if (flushes < 1 || mostFlushes <= 1) {
      return NONE;
    }
    double taken = taken(flushes, mostFlushes);
    double free = Math.min(MOST_FREE, passed + FREE * (1 - passed));
    return taken < free ? NONE : Math.min(taken, (taken - free) / (1 - MOST_FREE));
  }

  /** Part of the room above one flush that is full. */
  private static double taken(double flushes, int mostFlushes) {
    return Math.min(1, (flushes - 1) / (mostFlushes - 1));
  }

  /**
   * How near it is, whichever of the two holds.
   *
   * @param flushes as of both, and so {@code mostFlushes}
   * @param since {@link #putOffSince}
   * @param now some clock's, above 0
   * @param longest for which HBase puts a flush off
   */
  static double of(double flushes, int mostFlushes, long since, long now, long longest) {
    return since == NOT_PUT_OFF
        ? duringFlush(flushes, mostFlushes)
        : of(flushes, mostFlushes, (double) (now - since) / longest);
  }

  /**
   * How near it is where no files put the flush off: it is being written, or queued for a thread.
   *
   * @param flushes size of the memstore, in flushes
   * @param mostFlushes size of the memstore from which HBase refuses writes, in flushes; up to 2
   *     nothing waits, since a memstore may be nearly as large beside any flush
   * @return 1 where HBase is about to refuse writes; negative where no write waits
   */
  static double duringFlush(double flushes, int mostFlushes) {
    if (flushes < 1 || mostFlushes <= 2) {
      return NONE;
    }
    double taken = taken(flushes, mostFlushes);
    return taken < FREE_DURING_FLUSH ? NONE : (taken - FREE_DURING_FLUSH) / (1 - FREE_DURING_FLUSH);
  }

  /**
   * How near the memstores of a server are to where HBase blocks all updates, together. A fifth of
   * the room is free: a server with many regions lives at its beginning.
   *
   * @param ofLowMark size of all memstores, in parts of what HBase flushes from ({@code
   *     RegionServerServices.getFlushPressure})
   * @param lowMark what HBase flushes from, in parts of what it blocks at; 1 leaves no room to wait
   *     in
   * @return 1 where HBase blocks updates; negative where no write waits
   */
  static double ofServer(double ofLowMark, double lowMark) {
    if (ofLowMark < 1 || lowMark >= 1) {
      return NONE;
    }
    double taken = Math.min(1, (ofLowMark - 1) * lowMark / (1 - lowMark));
    return taken < FREE ? NONE : (taken - FREE) / (1 - FREE);
  }

  /**
   * How long a call that writes waits: a millisecond at first and then longer by the same factor
   * for each step of the pressure, so that writers of any speed are slowed down to what compactions
   * can follow, and none at once.
   *
   * @param bytes that the call brings to the region
   * @param mostMillis the longest wait, 0 for none
   */
  static double delayMillis(double pressure, double bytes, long mostMillis) {
    if (pressure < 0 || mostMillis <= 0) {
      return 0;
    }
    double millis = Math.pow(mostMillis, Math.min(1, pressure)) * (1 + bytes / BYTES_A_WAIT);
    return Math.min(mostMillis, millis);
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
