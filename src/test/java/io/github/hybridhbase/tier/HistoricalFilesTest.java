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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.runtime.HybridKeys;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.wal.WALFactory;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * HBase writes deleted cells to a file of their own ({@code
 * hbase.enable.historical.compaction.files}), and the family declares hot rows.
 */
@InterfaceAudience.Private
class HistoricalFilesTest {
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] ROW = Bytes.toBytes("row");

  @TempDir java.nio.file.Path directory;

  @Test
  void aCompactionKeepsBothFiles() throws Exception {
    Configuration conf = HBaseConfiguration.create();
    Path root = new Path(directory.toUri());
    conf.set(HConstants.HBASE_DIR, root.toString());
    conf.setBoolean(WALFactory.WAL_ENABLED, false);
    conf.setBoolean("hbase.hregion.memstore.mslab.enabled", false);
    conf.setBoolean("hbase.enable.historical.compaction.files", true);
    conf.set(HybridKeys.HOT_POLICY.name(), "ALL_SSD");
    HybridStoreEngine.nameIn(conf);
    TableDescriptor table =
        TableDescriptorBuilder.newBuilder(TableName.valueOf("t"))
            .setColumnFamily(
                ColumnFamilyDescriptorBuilder.newBuilder(FAMILY)
                    .setKeepDeletedCells(KeepDeletedCells.TRUE)
                    .build())
            .build();
    RegionInfo info = RegionInfoBuilder.newBuilder(table.getTableName()).build();
    WALFactory wals = new WALFactory(conf, "test");
    HRegion region = HRegion.createHRegion(info, root, conf, table, wals.getWAL(info));
    try {
      region.put(new Put(ROW).addColumn(FAMILY, FAMILY, FAMILY));
      region.flush(true);
      region.delete(new Delete(ROW));
      region.flush(true);
      region.compact(true);
      assertEquals(2, region.getStore(FAMILY).getStorefilesCount());
      List<Cell> cells = new ArrayList<>();
      try (RegionScanner scan = region.getScanner(new Scan().setRaw(true).readAllVersions())) {
        scan.next(cells);
      }
      assertEquals(2, cells.size(), cells::toString);
      HybridStoreEngine engine = HybridStoreEngine.of(region.getStore(FAMILY)).orElseThrow();
      assertTrue(engine.whyNotSplit().endsWith("HBase splits its compactions by version"));
    } finally {
      region.close();
      wals.close();
    }
  }
}
