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
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Counts reads of single rows in the stores of the families that a call names. Allocates nothing
 * and takes no lock. Immutable; thread-safe.
 */
@InterfaceAudience.Private
public final class RegionHeat {
  /**
   * The reads of one store by row: one volatile read per call without a sketch. Keeps a few read
   * rows until the next turn, which finds their share in hot files. Thread-safe.
   */
  static final class StoreHeat {
    /** One read in so many is kept. */
    private static final int ONE_IN = 16;

    private static final int KEPT = 128;

    private final byte[][] samples = new byte[KEPT][];
    private volatile HeatSketch sketch;

    /** With a sketch, since the region opened; lost increments do not matter. */
    private int reads;

    /** HBase does not change its array. */
    void read(byte[] row) {
      HeatSketch to = sketch;
      if (to != null) {
        to.add(row, 0, row.length);
        int read = reads++;
        if (read % ONE_IN == 0) {
          samples[read / ONE_IN & KEPT - 1] = row;
        }
      }
    }

    /** Calls of {@link #read} with a sketch, some not counted; wraps around. */
    int reads() {
      return reads;
    }

    /** Null while nothing is counted. */
    HeatSketch sketch() {
      return sketch;
    }

    /** Null to count nothing. */
    void sketch(HeatSketch with) {
      sketch = with;
    }

    /** Takes the kept rows: their number, and how many are in a set. */
    int[] take(HotSet set) {
      int[] found = new int[2];
      for (int i = 0; i < samples.length; i++) {
        byte[] row = samples[i];
        if (row != null) {
          samples[i] = null;
          found[0]++;
          found[1] += set.contains(row, 0, row.length) ? 1 : 0;
        }
      }
      return found;
    }
  }

  private final byte[][] families;
  private final StoreHeat[] stores;

  RegionHeat(byte[][] families, StoreHeat[] stores) {
    this.families = families;
    this.stores = stores;
  }

  public void read(Get get) {
    read(get.getRow(), get.hasFamilies() ? get.getFamilyMap().keySet() : null);
  }

  public void read(Mutation change) {
    Map<byte[], ?> cells = change.getFamilyCellMap();
    read(change.getRow(), cells.keySet());
  }

  /** Null for all families. */
  public void read(byte[] row, byte[] family) {
    for (int i = 0; i < stores.length; i++) {
      if (family == null || Arrays.equals(families[i], family)) {
        stores[i].read(row);
      }
    }
  }

  /** Null for all families. HBase sorts these sets by bytes. */
  private void read(byte[] row, Set<byte[]> of) {
    for (int i = 0; i < stores.length; i++) {
      if (of == null || of.contains(families[i])) {
        stores[i].read(row);
      }
    }
  }
}
