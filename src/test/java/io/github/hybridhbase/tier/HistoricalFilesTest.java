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
package io.github.hybridhbase.tier;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.hot.LocalRegion;
import io.github.hybridhbase.runtime.HybridKeys;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.StoreEngine;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

/**
 * HBase writes deleted cells to a file of their own ({@code
 * hbase.enable.historical.compaction.files}) under the name of its own engine only, and the family
 * declares hot rows.
 */
@InterfaceAudience.Private
class HistoricalFilesTest {
  private static final byte[] FAMILY = LocalRegion.FAMILY;
  private static final byte[] ROW = Bytes.toBytes("row");

  @Test
  void aCompactionKeepsBothFiles() throws Exception {
    try (LocalRegion region =
        LocalRegion.scratch(
            ColumnFamilyDescriptorBuilder.newBuilder(FAMILY)
                .setMaxVersions(2)
                .setKeepDeletedCells(KeepDeletedCells.TRUE)
                .build(),
            conf -> {
              conf.set(StoreEngine.STORE_ENGINE_CLASS_KEY, HybridStoreEngine.class.getName());
              conf.setBoolean("hbase.enable.historical.compaction.files", true);
              conf.set(HybridKeys.HOT_POLICY.name(), "ALL_SSD");
            })) {
      HRegion of = region.region();
      of.put(new Put(ROW, 1).addColumn(FAMILY, FAMILY, FAMILY));
      region.flush();
      of.delete(new Delete(ROW, 2));
      of.put(new Put(ROW, 3).addColumn(FAMILY, FAMILY, ROW));
      region.flush();
      of.compact(true);
      HybridStoreEngine engine = HybridStoreEngine.of(region.store()).orElseThrow();
      assertTrue(engine.whyNotSplit().endsWith("HBase splits its compactions by version"));
      assertEquals(
          4,
          engine.getCompactionPolicy().getConf().getMinFilesToCompact(),
          "one more than HBase's default");
      assertEquals(2, region.files().size());
      byte[] any = HConstants.EMPTY_BYTE_ARRAY;
      Collection<HStoreFile> latest =
          engine.getStoreFileManager().getFilesForScan(any, true, any, false, true);
      assertEquals(1, latest.size(), "scans of the latest version read the live file alone");
      assertFalse(latest.iterator().next().isHistorical());
      List<Cell> cells = new ArrayList<>();
      try (RegionScanner scan = of.getScanner(new Scan().setRaw(true).readAllVersions())) {
        scan.next(cells);
      }
      assertEquals(3, cells.size(), cells::toString);
      assertArrayEquals(ROW, of.get(new Get(ROW)).getValue(FAMILY, FAMILY));
    }
  }
}
