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
package io.github.hybridhbase.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorageReport;
import org.apache.hadoop.hdfs.server.protocol.StorageReport;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The fixture with SSD on some DataNodes is what it says. */
@InterfaceAudience.Private
class FewSsdNodesIT {
  @TempDir java.nio.file.Path directory;

  @Test
  void theNamedDataNodesHaveSsdAndTheRacksAreThoseNamed() throws Exception {
    Configuration conf = new Configuration();
    conf.setBoolean(TypedHdfs.CONSIDER_LOAD, true);
    VolumeLayout volumes =
        TypedHdfs.SSD_AND_DISK.ssdOn(node -> node < 2).racks(node -> "/rack" + node % 2);
    try (TypedHdfs hdfs = TypedHdfs.start(conf, directory, 4, volumes)) {
      Set<String> ssdRacks = new HashSet<>();
      int withSsd = 0;
      Set<String> racks = new HashSet<>();
      for (DatanodeStorageReport report :
          hdfs.fs().getClient().getDatanodeStorageReport(DatanodeReportType.LIVE)) {
        DatanodeInfo node = report.getDatanodeInfo();
        racks.add(node.getNetworkLocation());
        for (StorageReport storage : report.getStorageReports()) {
          if (storage.getStorage().getStorageType() == StorageType.SSD) {
            withSsd++;
            ssdRacks.add(node.getNetworkLocation());
          }
        }
      }
      assertEquals(2, withSsd);
      assertEquals(Set.of("/rack0", "/rack1"), racks);
      assertEquals(racks, ssdRacks);
      assertTrue(
          hdfs.cluster().getConfiguration(0).getBoolean(TypedHdfs.CONSIDER_LOAD, false),
          "the builder has switched it off");
    }
  }
}
