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

import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hbase.HDFSBlocksDistribution;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.StoreFileInfo;
import org.apache.hadoop.hbase.regionserver.StoreFileReader;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

/** What of a file is on SSD, by the replicas that HBase knew when it opened the file. */
@InterfaceAudience.Private
class SsdBytesTest {
  private static long onSsd(int wanted, StorageType... known) {
    HDFSBlocksDistribution blocks = new HDFSBlocksDistribution();
    for (int i = 0; i < known.length; i++) {
      blocks.addHostsAndBlockWeight(new String[] {"h" + i}, 100, new StorageType[] {known[i]});
    }
    HStoreFile file = mock(HStoreFile.class);
    StoreFileInfo info = mock(StoreFileInfo.class);
    StoreFileReader reader = mock(StoreFileReader.class);
    when(file.getFileInfo()).thenReturn(info);
    when(info.getHDFSBlockDistribution()).thenReturn(blocks);
    when(file.getReader()).thenReturn(reader);
    when(reader.length()).thenReturn(100L);
    return TierStore.bytesOnSsd(file, wanted, 3);
  }

  @Test
  void replicasThatWereNotKnownAreTakenToBeWhereTheyWereAskedFor() {
    assertEquals(300, onSsd(3, StorageType.SSD));
    assertEquals(300, onSsd(3, StorageType.SSD, StorageType.SSD, StorageType.SSD));
    assertEquals(200, onSsd(3, StorageType.SSD, StorageType.DISK), "one fell back");
    assertEquals(100, onSsd(3, StorageType.SSD, StorageType.DISK, StorageType.DISK));
    assertEquals(100, onSsd(1, StorageType.SSD));
    assertEquals(100, onSsd(1, StorageType.SSD, StorageType.DISK));
  }

  /** HBase opens a file once the NameNode knows one replica, under ONE_SSD perhaps that on DISK. */
  @Test
  void theOneReplicaOnSsdMayBeReportedLast() {
    assertEquals(100, onSsd(1, StorageType.DISK, StorageType.DISK));
    assertEquals(100, onSsd(1));
    assertEquals(300, onSsd(3));
  }

  @Test
  void whatIsOnDiskIsNotOnSsd() {
    assertEquals(0, onSsd(1, StorageType.DISK, StorageType.DISK, StorageType.DISK));
    assertEquals(0, onSsd(3, StorageType.DISK, StorageType.DISK, StorageType.DISK));
    assertEquals(0, onSsd(0, StorageType.DISK), "nobody asked for SSD");
    assertEquals(100, onSsd(0, StorageType.SSD), "an admin's");
  }
}
