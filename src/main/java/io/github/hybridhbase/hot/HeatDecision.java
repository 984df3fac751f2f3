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

/** Whether a compaction for hot rows pays its disk time in saved seeks. Pure. */
@InterfaceAudience.Private
final class HeatDecision {
  /** Smaller stores are not split: HBase rewrites them whole too often. */
  private static final int FLUSHES = 8;

  /** Paybacks between two compactions, which then cost a quarter of what they save. */
  private static final int PAYBACKS = 4;

  /** HBase compacts a store whole as often by default, which splits it for nothing. */
  private static final double WEEK_SECONDS = 7 * 86_400;

  /** Of HDD, in sequence. */
  private static final double BYTES_A_SECOND = 100e6;

  /** Of HDD. */
  private static final double SEEK_SECONDS = 0.008;

  /** Difference of two estimates of one share, 0 to 1. */
  static final double ERROR = 0.02;

  private HeatDecision() {}

  /**
   * Whether the present hot file's rows stay hot, since they catch more reads than new ones would,
   * as after a restart.
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

  /**
   * Seconds until saved seeks are worth a compaction; infinite if none is saved.
   *
   * @param cachedBlocks in memory, which the compaction evicts
   * @param savedPerSecond reads of DISK
   */
  static double payback(long bytes, int replicas, long cachedBlocks, double savedPerSecond) {
    double written = Math.max(1, replicas) * (double) bytes;
    double cost = (bytes + written) / BYTES_A_SECOND + cachedBlocks * SEEK_SECONDS;
    return savedPerSecond <= 0 ? Double.POSITIVE_INFINITY : cost / (savedPerSecond * SEEK_SECONDS);
  }

  /** The part of the reads without the present hot file that a new one answers, 0 to 1. */
  static double gain(double caughtNow, double caught) {
    return Math.max(0, caught - caughtNow) / Math.max(1e-9, 1 - caughtNow);
  }

  static boolean pays(double payback) {
    return PAYBACKS * payback <= WEEK_SECONDS;
  }

  static double pause(double payback) {
    return PAYBACKS * payback;
  }
}
