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
import java.util.Set;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Counts reads of rows in the stores of the named families. Allocates nothing and takes no lock.
 * Immutable.
 */
@InterfaceAudience.Private
public final class RegionHeat {
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
    read(change.getRow(), change.getFamilyCellMap().keySet());
  }

  /** Null for all families. */
  public void read(byte[] row, byte[] family) {
    for (int i = 0; i < stores.length; i++) {
      if (family == null || Arrays.equals(families[i], family)) {
        stores[i].read(row);
      }
    }
  }

  /** HBase sorts these sets by bytes. */
  private void read(byte[] row, Set<byte[]> of) {
    for (int i = 0; i < stores.length; i++) {
      if (of == null || of.contains(families[i])) {
        stores[i].read(row);
      }
    }
  }
}
