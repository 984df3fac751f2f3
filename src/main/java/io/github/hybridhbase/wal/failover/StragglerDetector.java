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
package io.github.hybridhbase.wal.failover;

import java.util.stream.LongStream;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A pure detector of stragglers among the replicas of one output: those that have not acknowledged
 * what the fastest one had acknowledged some time ago.
 *
 * <p>It counts ticks, {@value #TICKS} in the minimum lag, so that a pause of this process is one
 * tick. If more than half are late, none is reported: a new file would be late as well.
 *
 * <p>The threshold is the maximum of
 *
 * <ul>
 *   <li>{@value #TICKS} ticks;
 *   <li>{@value #USUAL} times the usual time of half of the replicas; beyond {@value #LONGEST}
 *       ticks none is late;
 *   <li>{@value #USUAL} times their time for the last flush: all disks may become slow at once;
 *   <li>{@value #USUAL} times {@link Acknowledgements.RecentSpread}, at most {@value #BUSY} times
 *       the minimum, for busy disks.
 * </ul>
 *
 * <p>Not thread-safe.
 */
@InterfaceAudience.Private
public final class StragglerDetector {
  /** Ticks in the minimum lag. */
  public static final int TICKS = 8;

  static final int USUAL = 4;

  /** Largest threshold for busy disks, in minimum lags. */
  static final int BUSY = 3;

  static final int LONGEST = 256;

  final long periodNanos;

  /** What another replica had acknowledged {@link #lateNanos} ago and the late ones have not. */
  long expected;

  long lateNanos;

  /** The late ones acknowledged nothing since then. */
  boolean silent;

  /** Packets of each replica at the last ticks. */
  private final long[][] history = new long[LONGEST][];

  private long ticks;

  /**
   * @param stallNanos minimum lag of a straggler, above 0
   */
  public StragglerDetector(long stallNanos) {
    this.periodNanos = Math.max(1, stallNanos / TICKS);
  }

  /**
   * @param acknowledged packets of each replica; kept
   * @param usual average time until half of the replicas have acknowledged a flush, nanoseconds
   * @param last that time for the last flush, nanoseconds
   * @param spread see {@link Acknowledgements.RecentSpread}, nanoseconds
   * @param since the last tick, nanoseconds; more than the minimum lag is a pause, which restarts
   *     detection
   * @return a bit for each straggler
   */
  int tick(long[] acknowledged, long usual, long last, long spread, long since) {
    if (since > TICKS * periodNanos) {
      startAgain();
    }
    history[(int) (ticks % LONGEST)] = acknowledged;
    long quiet = Math.max(ticks(usual), Math.min(ticks(last), LONGEST - 1));
    long patience = Math.max(quiet, Math.min(ticks(spread), BUSY * TICKS));
    lateNanos = patience * periodNanos;
    long then = ticks++ - patience;
    if (then < 0 || patience >= LONGEST) {
      return 0;
    }
    long[] before = history[(int) (then % LONGEST)];
    expected = LongStream.of(before).max().orElse(0);
    silent = true;
    int late = 0;
    for (int replica = 0; replica < Math.min(acknowledged.length, Integer.SIZE - 1); replica++) {
      if (acknowledged[replica] < expected) {
        late |= 1 << replica;
        silent &= acknowledged[replica] == before[replica];
      }
    }
    return areMost(Integer.bitCount(late), acknowledged.length) ? 0 : late;
  }

  static boolean areMost(int some, int all) {
    return 2 * some > all;
  }

  void startAgain() {
    ticks = 0;
  }

  private long ticks(long nanos) {
    return Math.max(TICKS, (USUAL * nanos + periodNanos - 1) / periodNanos);
  }
}
