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
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.hot.HotFiles.PairPolicy;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.compactions.ExploringCompactionPolicy;
import org.apache.hadoop.hbase.regionserver.compactions.RatioBasedCompactionPolicy;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A hot file and its cold file count as one where HBase chooses what to compact. */
@InterfaceAudience.Private
class PairPolicyTest {
  private static final byte[] FAMILY = LocalRegion.FAMILY;

  private LocalRegion region;

  @BeforeEach
  void open() throws Exception {
    region =
        LocalRegion.scratch(
            ColumnFamilyDescriptorBuilder.of(FAMILY),
            LocalRegion.hot(3, 1).andThen(conf -> conf.setInt("hbase.hstore.compaction.min", 2)));
  }

  @AfterEach
  void close() throws Exception {
    EnvironmentEdgeManager.reset();
    region.close();
  }

  private void flush(int from, int rows) throws Exception {
    for (int i = from; i < from + rows; i++) {
      byte[] row = Bytes.toBytes("row" + i);
      region.region().put(new Put(row).addColumn(FAMILY, row, row));
    }
    region.flush();
  }

  private void pair() throws Exception {
    flush(0, 100);
    flush(0, 100);
    region.compact(region.files());
    assertEquals(2, region.files().size());
  }

  private RatioBasedCompactionPolicy policy() {
    return (RatioBasedCompactionPolicy) region.store().getStoreEngine().getCompactionPolicy();
  }

  private boolean needsCompaction() {
    return policy().needsCompaction(region.files(), List.of());
  }

  private Collection<HStoreFile> chosen(RatioBasedCompactionPolicy policy) throws Exception {
    return policy
        .selectCompaction(region.files(), new ArrayList<>(), false, false, false)
        .getFiles();
  }

  /** HBase's own choice takes the pair, again and again. */
  @Test
  void aPairIsLeftAlone() throws Exception {
    pair();
    ExploringCompactionPolicy stock = new ExploringCompactionPolicy(region.conf(), region.store());
    assertTrue(stock.needsCompaction(region.files(), new ArrayList<>()));
    assertEquals(2, chosen(stock).size());
    assertFalse(needsCompaction());
    assertEquals(0, chosen(policy()).size());
  }

  /** HBase would leave out the newest, and compact the rest on their own. */
  @Test
  void aHotFileIsNoneOfTheFilesAtMost() throws Exception {
    region.conf().setInt("hbase.hstore.compaction.max", 3);
    region.reopen();
    pair();
    flush(0, 100);
    flush(0, 100);
    assertEquals(4, chosen(policy()).size());
    flush(0, 100);
    ArrayList<HStoreFile> some = new ArrayList<>(region.files());
    ((PairPolicy) policy()).removeExcessFiles(some, false, false);
    assertEquals(region.files().subList(0, 4), some);
  }

  @Test
  void withoutHotFilesItIsHBasesOwn() throws Exception {
    assertFalse(policy().shouldPerformMajorCompaction(List.of()));
    assertEquals(0, chosen(policy()).size());
    flush(0, 100);
    assertFalse(needsCompaction());
    flush(0, 100);
    assertTrue(needsCompaction());
  }

  /** HBase spares one file that a major compaction has written, and so is a pair. */
  @Test
  void anIdlePairIsNotRewrittenEveryWeek() throws Exception {
    pair();
    long later = System.currentTimeMillis() + 2 * HConstants.DEFAULT_MAJOR_COMPACTION_PERIOD;
    EnvironmentEdgeManager.injectEdge(() -> later);
    ExploringCompactionPolicy stock = new ExploringCompactionPolicy(region.conf(), region.store());
    assertTrue(stock.shouldPerformMajorCompaction(region.files()));
    assertFalse(policy().shouldPerformMajorCompaction(region.files()));
    flush(0, 100);
    assertTrue(policy().shouldPerformMajorCompaction(region.files()));
  }

  /** Else each compaction of young files would write the hot file of the whole store anew. */
  @Test
  void aHotFileIsCompactedWithItsColdFileAndNeverAlone() throws Exception {
    region.conf().setLong("hbase.hstore.compaction.min.size", 1);
    region.reopen();
    flush(0, 2_000);
    pair();
    List<HStoreFile> first = region.files();
    int minor = 0;
    for (int i = 3_000; region.files().containsAll(first); i += 100) {
      assertTrue(i < 9_000, "the store is never compacted whole");
      flush(i, 100);
      Collection<HStoreFile> chosen = chosen(policy());
      for (HStoreFile one : region.files()) {
        for (HStoreFile other : region.files()) {
          assertTrue(
              one.getMaxSequenceId() != other.getMaxSequenceId()
                  || chosen.contains(one) == chosen.contains(other),
              () -> chosen + " of " + region.files());
        }
      }
      minor += chosen.isEmpty() ? 0 : 1;
      region.compact(List.copyOf(chosen));
    }
    assertTrue(minor > 5, minor + " before it was");
    assertEquals(2, region.files().size());
  }
}
