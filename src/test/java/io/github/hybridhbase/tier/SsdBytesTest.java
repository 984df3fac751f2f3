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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What of a file is on SSD, by the replicas that HBase knew when it opened the file. */
@InterfaceAudience.Private
class SsdBytesTest {
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
}
