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

import java.util.Arrays;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The rows of a store that are worth SSD within a number of bytes, and the share of reads that they
 * catch. Pure and immutable.
 *
 * <p>Implementation note: the reads that made a row hot overstate those to come. So each read
 * counts at the level that its row had before (predictive sequential validation), and decisions
 * take the lower bound of the share, with 98 % confidence.
 */
@InterfaceAudience.Private
public final class HotThreshold {
  /** No row is hot. */
  static final HotThreshold NONE = new HotThreshold(HeatSketch.MOST + 1, 0, 0, 0, 0, 0);

  /** Minimum share of reads for a second file. */
  static final double LEAST_CAUGHT = 0.05;

  /** Minimum share of reads, as a multiple of the hot rows' part of the store. */
  private static final double LEAST_GAIN = 1.5;

  private static final double STANDARD_DEVIATIONS = 2;

  /** Rows from this level on are hot. */
  final int level;

  /** Hot part of the level below, 0 to 1: one level may have a third of all rows. */
  final double partBelow;

  final long rows;

  /** One replica. */
  final long bytes;

  /** Share of the store's reads, 0 to 1. */
  final double caught;

  /** Lower bound of {@link #caught}. */
  final double atLeast;

  private HotThreshold(
      int level, double partBelow, long rows, long bytes, double caught, double atLeast) {
    this.level = level;
    this.partBelow = partBelow;
    this.rows = rows;
    this.bytes = bytes;
    this.caught = caught;
    this.atLeast = atLeast;
  }

  /**
   * @param readsByLevel by their row's level before
   * @param mostBytes of hot rows, one replica
   */
  static HotThreshold of(
      long[] rowsByLevel, int[] readsByLevel, long storeRows, double bytesPerRow, long mostBytes) {
    double mostRows = mostBytes / Math.max(1e-9, bytesPerRow);
    double reads = Math.max(1, Arrays.stream(readsByLevel).sum());
    HotThreshold best = NONE;
    double rows = 0;
    double caught = 0;
    for (int level = HeatSketch.MOST; level > 0 && rows < mostRows; level--) {
      double more = rowsByLevel[level];
      double part = more == 0 ? 1 : Math.min(1, (mostRows - rows) / more);
      rows += part * more;
      caught = Math.min(1, caught + part * readsByLevel[level] / reads);
      double atLeast = atLeast(caught, reads);
      if (isWorth(atLeast, rows / Math.max(1, storeRows))) {
        boolean all = part == 1;
        best =
            new HotThreshold(
                all ? level : level + 1,
                all ? 0 : part,
                (long) rows,
                (long) (rows * bytesPerRow),
                caught,
                atLeast);
      }
    }
    return best;
  }

  /** The level at which so many rows end; 0 if fewer have been read. */
  static int end(long[] rowsByLevel, double mostRows) {
    int level = HeatSketch.MOST;
    for (double rows = rowsByLevel[level]; level > 0 && rows < mostRows; level--) {
      rows += rowsByLevel[level - 1];
    }
    return level;
  }

  /** Wilson's interval. */
  private static double atLeast(double share, double reads) {
    double square = STANDARD_DEVIATIONS * STANDARD_DEVIATIONS;
    double width = STANDARD_DEVIATIONS * Math.sqrt(share * (1 - share) * reads + square / 4);
    return Math.max(0, (share * reads + square / 2 - width) / (reads + square));
  }

  /**
   * @param caught share of the reads, 0 to 1
   * @param part of the store, 0 to 1
   */
  static boolean isWorth(double caught, double part) {
    return caught >= LEAST_CAUGHT && caught >= LEAST_GAIN * part;
  }
}
