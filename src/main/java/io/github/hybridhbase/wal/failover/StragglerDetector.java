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

import io.github.hybridhbase.wal.failover.Acknowledgements.FlushTimes;
import io.github.hybridhbase.wal.failover.Acknowledgements.RecentSpread;
import java.util.Arrays;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A pure detector of stragglers among the replicas of one output: those that have not acknowledged
 * what the fastest one had acknowledged some time ago.
 *
 * <p>It counts ticks, {@value #TICKS} in the minimum lag, so that a pause of this process is one
 * tick. If more than half are late, none is reported: a new file would be late as well. {@link
 * Heartbeats} find out if all have stopped.
 *
 * <p>The threshold is the maximum of
 *
 * <ul>
 *   <li>{@value #TICKS} ticks;
 *   <li>{@value #USUAL} times the usual time of half of the replicas; beyond {@value #LONGEST}
 *       ticks none is late;
 *   <li>{@value #USUAL} times their time for the last flush: all disks may become slow at once;
 *   <li>{@value #USUAL} times {@link RecentSpread}, at most {@value #BUSY} times the minimum, for
 *       busy disks.
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

  private final long[] fastest = new long[LONGEST];

  /** Packets of each replica at the last tick, and the tick of their last growth. */
  private final long[] before;

  private final long[] grew;

  private final long periodNanos;
  private long ticks;

  private long patience;

  private long expected;

  /**
   * @param stallNanos minimum lag of a straggler, above 0
   */
  public StragglerDetector(long stallNanos, int replicas) {
    this.periodNanos = periodNanos(stallNanos);
    this.before = new long[replicas];
    this.grew = new long[replicas];
  }

  public static long periodNanos(long stallNanos) {
    return Math.max(1, stallNanos / TICKS);
  }

  /**
   * @param acknowledged packets of each replica
   * @param sinceLastNanos more than the minimum lag is a pause, which restarts detection
   * @return a bit for each straggler
   */
  int tick(long[] acknowledged, FlushTimes times, long sinceLastNanos) {
    if (sinceLastNanos > TICKS * periodNanos) {
      startAgain();
    }
    long most = 0;
    for (int replica = 0; replica < acknowledged.length; replica++) {
      most = Math.max(most, acknowledged[replica]);
      if (acknowledged[replica] > before[replica]) {
        before[replica] = acknowledged[replica];
        grew[replica] = ticks;
      }
    }
    fastest[(int) (ticks % LONGEST)] = most;
    long quiet = Math.max(ticks(times.usual), Math.min(ticks(times.last), LONGEST - 1));
    patience = Math.max(quiet, Math.min(ticks(times.spread), BUSY * TICKS));
    int late = ticks < patience ? 0 : behind(acknowledged, ticks - patience);
    ticks++;
    return areMost(Integer.bitCount(late), acknowledged.length) ? 0 : late;
  }

  static boolean areMost(int some, int all) {
    return 2 * some > all;
  }

  void startAgain() {
    ticks = 0;
    Arrays.fill(grew, 0);
  }

  public long lateNanos() {
    return patience * periodNanos;
  }

  public long expected() {
    return expected;
  }

  /** Whether these (bits) acknowledged nothing within the threshold. */
  public boolean areSilent(int late) {
    for (int replica = 0; replica < grew.length; replica++) {
      if ((late >>> replica & 1) != 0 && ticks - 1 - grew[replica] < patience) {
        return false;
      }
    }
    return true;
  }

  private long ticks(long nanos) {
    return Math.max(TICKS, (USUAL * nanos + periodNanos - 1) / periodNanos);
  }

  private int behind(long[] acknowledged, long then) {
    if (ticks - then >= LONGEST) {
      return 0;
    }
    expected = fastest[(int) (then % LONGEST)];
    int late = 0;
    for (int replica = 0; replica < Math.min(acknowledged.length, Integer.SIZE - 1); replica++) {
      if (acknowledged[replica] < expected) {
        late |= 1 << replica;
      }
    }
    return late;
  }
}
