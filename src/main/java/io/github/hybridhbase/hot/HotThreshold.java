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
 * reads that they catch, corrected for chance: rows read evenly catch no more than their part. Pure
 * and immutable.
 *
 * <p>Implementation note: few reads make few levels, and one level may have a third of all rows.
 * Without a part of the level below, a share of 25 % would hold 10 %.
 *
 * <p>Implementation note: the reads of a row are a Poisson variable whose rate differs by row. The
 * best estimate of a rate is the count drawn towards the mean by the part of the variance that is
 * not Poisson (empirical Bayes).
 */
@InterfaceAudience.Private
public final class HotThreshold {
  /** Unread rows are not hot. */
  static final int LEAST = 1;

  /** Hot rows catch at least so many times their part of all reads. */
  private static final double LEAST_GAIN = 1.5;

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
   * @param beyond reads of rows at the highest level that the level does not show
   * @param mostBytes of hot rows, one replica
   */
  static HotThreshold of(
      long[] rowsByLevel, long beyond, long storeRows, double bytesPerRow, long mostBytes) {
    double all = Math.max(1, storeRows);
    double sum = 0;
    double squares = 0;
    for (int level = 1; level < rowsByLevel.length; level++) {
      sum += (double) rowsByLevel[level] * level;
      squares += (double) rowsByLevel[level] * level * level;
    }
    double mean = sum / all;
    double variance = squares / all - mean * mean;
    double trust = variance <= mean ? 0 : 1 - mean / variance;
    double mostRows = mostBytes / Math.max(1e-9, bytesPerRow);
    double rows = 0;
    double reads = beyond;
    double partBelow = 0;
    int level = rowsByLevel.length;
    while (level > LEAST && partBelow == 0) {
      long more = rowsByLevel[level - 1];
      double part = more == 0 ? 1 : Math.min(1, (mostRows - rows) / more);
      double moreReads = part * more * (mean + (level - 1 - mean) * trust);
      double caught = Math.min(1, (reads + moreReads) / Math.max(1, sum + beyond));
      if (part <= 0 || caught * all < LEAST_GAIN * (rows + part * more)) {
        break;
      }
      rows += part * more;
      reads += moreReads;
      if (part == 1) {
        level--;
      } else {
        partBelow = part;
      }
    }
    double caught = rows < 1 ? 0 : Math.min(1, reads / Math.max(1, sum + beyond));
    return new HotThreshold(level, partBelow, (long) rows, (long) (rows * bytesPerRow), caught);
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
