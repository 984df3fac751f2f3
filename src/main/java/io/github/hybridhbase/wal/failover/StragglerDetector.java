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

import java.util.Arrays;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Which replicas of one output are stragglers: what the fastest replica had acknowledged a while
 * ago, they have not acknowledged yet. No clock, no I/O.
 *
 * <p>It is asked at regular ticks, {@value #TICKS} in the time that a flush may be late, and counts
 * ticks instead of time: a pause of this process is one tick, however long, because what was
 * acknowledged meanwhile is read right after it. What follows from comparing replicas only with
 * each other, packet by packet:
 *
 * <ul>
 *   <li>an idle log, and one whose replicas are all late together, has no straggler;
 *   <li>neither has a log with one replica;
 *   <li>where more than half are late, the others are the odd ones: load, or this server's network,
 *       which a new file would meet as well.
 * </ul>
 *
 * <p>Where all stop at once, some just after they had acknowledged a packet and one just before,
 * that one is taken for a straggler here: {@link Heartbeats} tell.
 *
 * <p>Where flushes take long as a rule, being late takes {@value #USUAL} times as long as half of
 * the replicas usually do, at most {@value #LONGEST} ticks: beyond that nobody is called late. It
 * also takes {@value #USUAL} times as long as half of them did with the last flush, so that disks
 * that all become slow at once are told from one that does. And it takes {@value #USUAL} times as
 * long as the last replica of a flush came after the others lately, on two DataNodes at least
 * ({@link RecentSpread}), though at most {@value #BUSY} times the least: on disks that are busy
 * with flushes of memstores and compactions an fsync may take long, on any of them. A server that
 * pauses or is short of processors sees them apart as well. Not thread-safe.
 */
@InterfaceAudience.Private
public final class StragglerDetector {
  /** Ticks in the least time that makes a flush late. */
  public static final int TICKS = 8;

  /** A flush is late after at least this many times its usual time. */
  static final int USUAL = 4;

  /** Busy disks make a flush late after at most this many times the least time. */
  static final int BUSY = 3;

  /** Ticks that are looked back at most. */
  static final int LONGEST = 256;

  /** Packets that the fastest replica had acknowledged at each of the last ticks. */
  private final long[] fastest = new long[LONGEST];

  /** Packets of each replica at the last tick, and the tick at which they last grew. */
  private final long[] before;

  private final long[] grew;

  private final long periodNanos;
  private long ticks;

  /** Of the last tick. */
  private long patience;

  /** Where disks are not busy. */
  private long quietPatience;

  private long expected;

  /**
   * Has seen no tick yet.
   *
   * @param stallNanos how late a flush must be at least, above 0
   * @param replicas of the output
   */
  public StragglerDetector(long stallNanos, int replicas) {
    this.periodNanos = periodNanos(stallNanos);
    this.before = new long[replicas];
    this.grew = new long[replicas];
  }

  /** Between two ticks. */
  public static long periodNanos(long stallNanos) {
    return Math.max(1, stallNanos / TICKS);
  }

  /**
   * One more tick.
   *
   * @param acknowledged packets that each replica has acknowledged so far
   * @param times what flushes took so far
   * @param sinceLastNanos since the last tick; more than the least time that makes a flush late is
   *     a pause, after which it is looked at anew
   * @return a bit for each replica that is a straggler; 0 for none
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
    quietPatience = Math.max(ticks(times.usual()), Math.min(ticks(times.last()), LONGEST - 1));
    patience = Math.max(quietPatience, Math.min(ticks(times.spread()), BUSY * TICKS));
    int late = ticks < patience ? 0 : behind(acknowledged, ticks - patience);
    ticks++;
    return areMost(Integer.bitCount(late), acknowledged.length) ? 0 : late;
  }

  /** Whether so many replicas of all are more than half. */
  static boolean areMost(int some, int all) {
    return 2 * some > all;
  }

  /** What was seen so far makes nobody late. */
  void startAgain() {
    ticks = 0;
    Arrays.fill(grew, 0);
  }

  /** How late the stragglers of the last tick are at least. */
  public long lateNanos() {
    return patience * periodNanos;
  }

  /** What would make them late on disks that are not busy: a probe has to take less. */
  long probeNanos() {
    return quietPatience * periodNanos;
  }

  /** Packets that the stragglers of the last tick have to acknowledge to be none any more. */
  public long expected() {
    return expected;
  }

  /** Whether each of these stragglers of the last tick has acknowledged nothing in that time. */
  public boolean areSilent(int late) {
    for (int replica = 0; replica < grew.length; replica++) {
      if ((late >>> replica & 1) != 0 && ticks - 1 - grew[replica] < patience) {
        return false;
      }
    }
    return true;
  }

  /** That pass before a flush is late, where flushes take so long. */
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
