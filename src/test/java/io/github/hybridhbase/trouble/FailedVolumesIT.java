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
package io.github.hybridhbase.trouble;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.hybridhbase.testing.TypedHdfs;
import java.io.File;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataNodeTestUtils;
import org.apache.hadoop.test.GenericTestUtils;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What docs/failures.md tells of a DataNode whose SSD dies, at HDFS's default and as advised. */
@InterfaceAudience.Private
class FailedVolumesIT {
  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  @Timeout(value = 2, unit = TimeUnit.MINUTES)
  void aDataNodeOutlivesItsSsdOnlyIfItToleratesThat(int tolerated) throws Exception {
    Configuration conf = new Configuration();
    conf.setInt("dfs.datanode.failed.volumes.tolerated", tolerated);
    conf.set("dfs.datanode.disk.check.min.gap", "0s");
    conf.setInt("dfs.replication", 1);
    try (TypedHdfs hdfs =
        TypedHdfs.start(conf, directory.resolve("hdfs"), 1, TypedHdfs.SSD_AND_DISK)) {
      DataNode node = hdfs.cluster().getDataNodes().get(0);
      File ssd = Trouble.ssdDirectory(node);
      DataNodeTestUtils.injectDataDirFailure(ssd);
      try {
        node.checkDiskError();
        GenericTestUtils.waitFor(
            () -> node.getFSDataset().getNumFailedVolumes() == 1 || !node.isDatanodeUp(),
            100,
            60_000);
        if (tolerated == 0) {
          GenericTestUtils.waitFor(() -> !node.isDatanodeUp(), 100, 60_000);
        }
        assertEquals(tolerated == 1, node.isDatanodeUp(), "with a healthy HDD");
      } finally {
        DataNodeTestUtils.restoreDataDirFromFailure(ssd);
      }
    }
  }
}
