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
package io.github.hybridhbase.hot;

import org.apache.yetus.audience.InterfaceAudience;

/**
 * A pure decision whether a compaction for hot rows pays: the disk time it costs must come back in
 * saved seeks within the payback time. Immutable.
 */
@InterfaceAudience.Private
public final class HeatDecision {
  public enum Verdict {
    COMPACT,
    /** Smaller than {@link #FLUSHES} flushes: HBase rewrites it whole too often. */
    SMALL,
    /** Too few reads counted, for a first hot file or a better one. */
    UNRIPE,
    /** The hot file has most of what a new one would have. */
    SETTLED,
    NO_GAIN,
    /** The last compaction for hot rows has not paid off yet, or its hot file is on DISK. */
    TOO_SOON
  }

  /** Smaller stores are not split. */
  static final int FLUSHES = 8;

  /**
   * Other rows are hot if the hot file catches this much less of all reads than it did, and it is
   * renewed if a new one would catch this much more.
   */
  static final double DRIFT = 0.15;

  /** As {@link #DRIFT}, once much more is known than when the hot file was made. */
  private static final double GAIN = 0.05;

  /** What two estimates of one share differ by. */
  private static final double ERROR = 0.02;

  /** The next one begins after so many paybacks of the last. */
  static final int PAYBACKS = 4;

  private static final double BYTES_A_SECOND = 100e6;
  private static final double SEEK_SECONDS = 0.008;

  /** What is known of a store. Mutable, of one thread. */
  static final class Facts {
    long storeBytes;
    long flushBytes;
    int replicas = 1;

    /** Reads of DISK. */
    double seeksPerSecond;

    /** Whether enough reads are counted, of a store that can be split. */
    boolean ripe;

    /** The part of all reads that a new hot file would catch, if ripe. */
    double caught;

    boolean hasHotFile;

    /** Whether many times more reads are counted than the hot file was made from. */
    boolean knowsMuchMore;

    /** The part of all reads that the hot file catches. */
    double caughtNow;

    /** Blocks of the store in memory, which the compaction evicts. */
    long cachedBlocks;

    /** Since the last compaction for hot rows. */
    double sinceLastSeconds = Double.POSITIVE_INFINITY;

    double lastPaybackSeconds;
  }

  final Verdict verdict;

  /** Until the saved seeks are worth the compaction; infinite if no seek is saved. */
  final double paybackSeconds;

  private HeatDecision(Verdict verdict, double paybackSeconds) {
    this.verdict = verdict;
    this.paybackSeconds = paybackSeconds;
  }

  static HeatDecision of(Facts facts, double mostSeconds) {
    double payback = paybackSeconds(facts);
    return new HeatDecision(verdict(facts, payback, mostSeconds), payback);
  }

  private static Verdict verdict(Facts facts, double payback, double mostSeconds) {
    if (isSmall(facts.storeBytes, facts.flushBytes)) {
      return Verdict.SMALL;
    }
    if (!facts.ripe) {
      return Verdict.UNRIPE;
    }
    if (facts.hasHotFile && facts.caught - facts.caughtNow < (facts.knowsMuchMore ? GAIN : DRIFT)) {
      return Verdict.SETTLED;
    }
    if (payback > mostSeconds) {
      return Verdict.NO_GAIN;
    }
    return facts.sinceLastSeconds < PAYBACKS * facts.lastPaybackSeconds
        ? Verdict.TOO_SOON
        : Verdict.COMPACT;
  }

  /**
   * Whether a compaction writes the rows of the present hot file again, since they catch more than
   * those that would be chosen now, as after a restart.
   *
   * @param caughtNow by the present file; NaN if unknown, which keeps it
   * @param part of the store that it is, 0 to 1
   */
  static boolean keeps(double caughtNow, double part, double caught) {
    return Double.isNaN(caughtNow)
        || caughtNow > caught + ERROR && HotThreshold.isWorth(caughtNow, part);
  }

  static boolean isSmall(long storeBytes, long flushBytes) {
    return storeBytes < FLUSHES * flushBytes;
  }

  private static double paybackSeconds(Facts facts) {
    double written = Math.max(1, facts.replicas) * (double) facts.storeBytes;
    double cost = (facts.storeBytes + written) / BYTES_A_SECOND + facts.cachedBlocks * SEEK_SECONDS;
    // What reaches DISK now is without what the hot file catches already.
    double rest = Math.max(1e-9, 1 - facts.caughtNow);
    double more = Math.max(0, facts.caught - facts.caughtNow) / rest;
    double savedPerSecond = facts.seeksPerSecond * Math.min(1, more) * SEEK_SECONDS;
    return savedPerSecond <= 0 ? Double.POSITIVE_INFINITY : cost / savedPerSecond;
  }
}
