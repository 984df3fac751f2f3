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

import java.util.Locale;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The rows of a store that are worth SSD: those read at least as often as a level, the lowest that
 * keeps them within a number of bytes, and as many of the level below as fit. Also the share of
 * reads that they catch. Pure and immutable.
 *
 * <p>Implementation note: few reads make few levels, and one level may have a third of all rows.
 * Without a part of the level below, a share of 25 % would hold 10 %.
 *
 * <p>Implementation note: the number of its reads that made a row hot says too much of the reads to
 * come. So each read is counted at the level that its row had before (predictive sequential
 * validation): simulated, the share is right within two points from 0.2 reads a row on, and low
 * before.
 */
@InterfaceAudience.Private
public final class HotThreshold {
  /** Unread rows are not hot. */
  static final int LEAST = 1;

  /** Hot rows catch at least so many times their part of all reads. */
  private static final double LEAST_GAIN = 1.5;

  /** A file that would answer fewer of the reads is not worth a second file. */
  private static final double LEAST_CAUGHT = 0.05;

  /** Rows from this level on are hot; above the highest level if no row is. */
  final int level;

  /** Part of the rows at the level below that is hot too, 0 to 1. */
  final double partBelow;

  final long rows;

  /** One replica. */
  final long bytes;

  /** Share of the store's reads, 0 to 1. */
  final double caught;

  private HotThreshold(int level, double partBelow, long rows, long bytes, double caught) {
    this.level = level;
    this.partBelow = partBelow;
    this.rows = rows;
    this.bytes = bytes;
    this.caught = caught;
  }

  /**
   * @param rowsByLevel number of rows by number of reads, from 0
   * @param readsByLevel share of all reads, 0 to 1, that rows of each level would answer
   * @param mostBytes of hot rows, one replica
   */
  static HotThreshold of(
      long[] rowsByLevel,
      double[] readsByLevel,
      long storeRows,
      double bytesPerRow,
      long mostBytes) {
    double mostRows = mostBytes / Math.max(1e-9, bytesPerRow);
    HotThreshold best = new HotThreshold(rowsByLevel.length, 0, 0, 0, 0);
    double rows = 0;
    double caught = 0;
    for (int level = rowsByLevel.length - 1; level >= LEAST; level--) {
      long more = rowsByLevel[level];
      double part = more == 0 ? 1 : Math.min(1, (mostRows - rows) / more);
      if (part <= 0) {
        break;
      }
      rows += part * more;
      caught = Math.min(1, caught + part * readsByLevel[level]);
      if (isWorth(caught, rows / Math.max(1, storeRows))) {
        boolean all = part == 1;
        best =
            new HotThreshold(
                all ? level : level + 1,
                all ? 0 : part,
                (long) rows,
                (long) (rows * bytesPerRow),
                caught);
      }
      if (part < 1) {
        break;
      }
    }
    return best;
  }

  /**
   * Whether a file of hot rows is worth its SSD.
   *
   * @param caught share of the reads, 0 to 1
   * @param part of the store, 0 to 1
   */
  static boolean isWorth(double caught, double part) {
    return caught >= LEAST_CAUGHT && caught >= LEAST_GAIN * part;
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%d rows read %d times or more, with %.0f %% of those read once less; %d bytes",
        rows,
        level,
        100 * partBelow,
        bytes);
  }
}
