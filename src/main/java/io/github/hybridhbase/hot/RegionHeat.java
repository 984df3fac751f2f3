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
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The reads of a region by single row: the stores of the families that a call names count the row.
 * Allocates nothing and takes no lock. Immutable; thread-safe.
 */
@InterfaceAudience.Private
public final class RegionHeat {
  private final byte[][] families;
  private final StoreHeat[] stores;

  private RegionHeat(byte[][] families, StoreHeat[] stores) {
    this.families = families;
    this.stores = stores;
  }

  /** That of a region with these stores. */
  public static RegionHeat of(List<HotStore> stores) {
    return new RegionHeat(
        stores.stream().map(HotStore::family).toArray(byte[][]::new),
        stores.stream().map(HotStore::heat).toArray(StoreHeat[]::new));
  }

  /** A Get is about to be answered. */
  public void read(Get get) {
    read(get.getRow(), get.hasFamilies() ? get.getFamilyMap().keySet() : null);
  }

  /** An Increment or an Append is about to read what it changes. */
  public void read(Mutation change) {
    Map<byte[], ?> cells = change.getFamilyCellMap();
    read(change.getRow(), cells.keySet());
  }

  /** A check of a row. */
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
