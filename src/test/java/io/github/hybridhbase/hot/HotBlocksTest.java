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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CompoundConfiguration;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.io.hfile.HFileWriterImpl;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

/** How large the blocks of files of hot rows are. */
@InterfaceAudience.Private
class HotBlocksTest {
  private static final int ROWS = 4_000;
  private static final byte[] VALUE = new byte[1_000];

  private static double bytesPerBlock(HStoreFile file) {
    return (double) file.getReader().length()
        / file.getReader().getHFileReader().getTrailer().getDataIndexCount();
  }

  /** One row in four is hot. */
  private static double[] hotAndCold(int familyBytes) throws Exception {
    try (LocalRegion region =
        LocalRegion.scratch(
            ColumnFamilyDescriptorBuilder.newBuilder(LocalRegion.FAMILY)
                .setBlocksize(familyBytes)
                .build(),
            LocalRegion.hot(4, 1))) {
      for (int i = 0; i < ROWS; i++) {
        byte[] row = Bytes.toBytes(String.format("row%08d", i));
        region.region().put(new Put(row).addColumn(LocalRegion.FAMILY, row, VALUE));
      }
      region.flush();
      region.compact(region.files());
      double[] found = new double[2];
      for (HStoreFile file : region.files()) {
        found[HotFiles.isOn(file) ? 0 : 1] = bytesPerBlock(file);
      }
      return found;
    }
  }

  @Test
  void hotRowsHaveSmallBlocksAndOthersTheFamilys() throws Exception {
    double[] blocks = hotAndCold(64 << 10);
    assertEquals(8 << 10, blocks[0], 2_000);
    assertEquals(64 << 10, blocks[1], 8_000);
  }

  @Test
  void aFamilysSmallerBlocksStay() throws Exception {
    double[] blocks = hotAndCold(4 << 10);
    assertEquals(4 << 10, blocks[0], 1_500);
    assertEquals(4 << 10, blocks[1], 1_500);
    assertEquals(4 << 10, HotBlocks.bytes(4 << 10));
    assertEquals(8 << 10, HotBlocks.bytes(64 << 10));
  }

  /** What a table sets for its own encoding holds for all other files. */
  @Test
  void otherFilesHaveTheTablesOwnRatio() {
    String key = HFileWriterImpl.UNIFIED_ENCODED_BLOCKSIZE_RATIO;
    Configuration table = new Configuration(false);
    table.setFloat(key, 0.5f);
    CompoundConfiguration store = new CompoundConfiguration().add(table);
    boolean[] creates = new boolean[1];
    HotBlocks.over(store, 64 << 10, () -> creates[0]);
    assertEquals(0.5f, store.getFloat(key, 0));
    creates[0] = true;
    assertEquals(0.125f, store.getFloat(key, 0));
    assertNull(store.get("hbase.hybrid.hot.policy"));
    assertTrue(store.toString().contains("Compound"));
  }
}
