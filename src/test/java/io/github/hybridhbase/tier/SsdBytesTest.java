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
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.github.hybridhbase.hdfs.NewFile;
import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.Metric;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hbase.HDFSBlocksDistribution;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.StoreFileInfo;
import org.apache.hadoop.hbase.regionserver.StoreFileReader;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What of a file is on SSD, by the replicas that HBase knew when it opened the file; what becomes
 * of those bytes, which is counted once each.
 */
@InterfaceAudience.Private
class SsdBytesTest {
  private static final String STORE = "/hbase/data/default/t/r/f/";

  private final FakeStore store = new FakeStore("t", new Path(STORE), 1_000);

  /** Of three replicas of 100 bytes; those that were not known are taken to be as wanted. */
  @ParameterizedTest
  @CsvSource({
    "3, SSD, 300",
    "3, SSD SSD SSD, 300",
    "3, SSD DISK, 200", // one fell back
    "3, SSD DISK DISK, 100",
    "1, SSD, 100",
    "1, SSD DISK, 100",
    // HBase opens a file once the NameNode knows one replica, under ONE_SSD perhaps that on DISK.
    "1, DISK DISK, 100",
    "1, '', 100",
    "3, '', 300",
    "1, DISK DISK DISK, 0",
    "3, DISK DISK DISK, 0",
    "0, DISK, 0",
    "0, SSD, 100" // an admin's
  })
  void bytesOnSsd(int wanted, String known, long bytes) {
    HDFSBlocksDistribution blocks = new HDFSBlocksDistribution();
    for (String medium : known.isEmpty() ? new String[0] : known.split(" ")) {
      String[] host = {"h" + blocks.getHostAndWeights().size()};
      blocks.addHostsAndBlockWeight(host, 100, new StorageType[] {StorageType.valueOf(medium)});
    }
    HStoreFile file = mock(HStoreFile.class);
    StoreFileInfo info = mock(StoreFileInfo.class);
    StoreFileReader reader = mock(StoreFileReader.class);
    when(file.getFileInfo()).thenReturn(info);
    when(info.getHDFSBlockDistribution()).thenReturn(blocks);
    when(file.getReader()).thenReturn(reader);
    when(reader.length()).thenReturn(100L);
    assertEquals(bytes, TierStore.bytesOnSsd(file, wanted, 3));
  }

  /** Bytes that died on SSD, and that were rewritten to DISK. */
  private List<Long> counted(List<String> inputs, NewStoreFile... outputs) {
    HybridMetrics metrics = HybridMetrics.get();
    long died = metrics.value(Metric.TIER_DIED_BYTES);
    long rewritten = metrics.value(Metric.TIER_REWRITTEN_BYTES);
    TierCompaction.count(
        inputs.stream().flatMap(name -> store.known(new Path(STORE + name)).stream()),
        List.of(outputs));
    return List.of(
        metrics.value(Metric.TIER_DIED_BYTES) - died,
        metrics.value(Metric.TIER_REWRITTEN_BYTES) - rewritten);
  }

  @Test
  void anInputCountsWhereItsRowsAre() {
    store.put("a", 10, 0);
    store.put("b", 200, 0);
    store.put(FakeStore.hot(new Path(STORE + "h"), 3_000, 0));
    store.refresh();
    NewStoreFile onDisk = new NewStoreFile(NewStoreFile.Kind.MINOR, 1, 0);
    NewStoreFile minor = new NewStoreFile(NewStoreFile.Kind.MINOR, 1, 0);
    NewStoreFile hot = new NewStoreFile(NewStoreFile.Kind.HOT, 1, 0);
    minor.file = mock(NewFile.class);
    hot.file = mock(NewFile.class);
    assertEquals(List.of(10L, 0L), counted(List.of("a", "on DISK"), minor, onDisk));
    assertEquals(List.of(3_000L, 200L), counted(List.of("b", "h"), hot, onDisk));
    assertEquals(List.of(0L, 3_000L), counted(List.of("h")));
    store.compacted("a");
    store.refresh();
    assertEquals(List.of(0L, 0L), counted(List.of("a")), "compacted away");
  }
}
