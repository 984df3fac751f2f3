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

import java.util.function.Predicate;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The reads of one store by row. Keeps the latest rows until {@link #take}. {@link #read} is for
 * any thread, the rest for the tier's or a compaction's.
 */
@InterfaceAudience.Private
final class StoreHeat {
  private static final int KEPT = 128;

  private final byte[][] latest = new byte[KEPT][];

  /** Null while nothing is counted. */
  volatile HeatSketch sketch;

  /** Wraps around. Lost increments do not matter. */
  int reads;

  /** Reads a second that miss memory and that hot rows would answer. */
  double gain;

  /** HBase does not change its array. */
  void read(byte[] row) {
    HeatSketch to = sketch;
    if (to != null) {
      to.add(row);
      latest[reads++ & KEPT - 1] = row;
    }
  }

  /** Kept rows: their number, and how many are in a set. */
  int[] take(Predicate<byte[]> set) {
    int[] found = new int[2];
    for (int i = 0; i < latest.length; i++) {
      byte[] row = latest[i];
      if (row != null) {
        latest[i] = null;
        found[0]++;
        found[1] += set.test(row) ? 1 : 0;
      }
    }
    return found;
  }

  /**
   * @param mostBytes of hot rows, one replica
   */
  HotThreshold threshold(long storeRows, double bytesPerRow, long mostBytes) {
    HeatSketch from = sketch;
    return from == null
        ? HotThreshold.NONE
        : HotThreshold.of(
            from.rowsByLevel(storeRows), from.readsByLevel(), storeRows, bytesPerRow, mostBytes);
  }

  /**
   * Halves the counts once the rows that may be hot reach half of the maximum, at which counts no
   * longer tell rows apart.
   *
   * @param mostRows that may be hot
   * @param caught lower bound
   */
  void turn(double mostRows, double missesPerSecond, double caught) {
    HeatSketch of = sketch;
    of.turn();
    if (HotThreshold.end(of.rowsByLevel(0), mostRows) > HeatSketch.MOST / 2) {
      of.age();
    }
    // An unknown store learns as one in which the least file would be worth it.
    gain = missesPerSecond * Math.max(HotThreshold.LEAST_CAUGHT, caught);
  }
}
