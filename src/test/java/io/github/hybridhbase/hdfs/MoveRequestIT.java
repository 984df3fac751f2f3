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
package io.github.hybridhbase.hdfs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.github.hybridhbase.testing.TypedCluster;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.server.namenode.sps.StoragePolicySatisfyManager;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

/** Requests to move blocks, as the satisfier gets them from the NameNode. HDFS only, no HBase. */
@InterfaceAudience.Private
class MoveRequestIT {
  /**
   * A satisfier holds a request until it has seen the file in its place, minutes later; what is
   * asked meanwhile, as by a revert soon after an apply, must reach it too.
   */
  @Test
  void aRequestReachesTheSatisfierAlsoWhileItHoldsAnEarlierOne() throws Exception {
    try (TypedCluster cluster =
        TypedCluster.spec()
            .conf("dfs.storage.policy.satisfier.mode", "external")
            .dataNodes(1)
            .startHdfs()) {
      StoragePolicySatisfyManager toSatisfier =
          cluster.hdfs().getNamesystem().getBlockManager().getSPSManager();
      Path file = new Path("/file");
      DFSTestUtil.createFile(cluster.fs(), file, 10, (short) 1, 0);
      long id = cluster.hdfs().getNamesystem().getFSDirectory().getINode("/file").getId();
      StorageNamespace namespace = HdfsNamespace.of(cluster.fs()).orElseThrow();

      namespace.satisfy(file);
      assertEquals(id, toSatisfier.getNextPathId());
      cluster.fs().satisfyStoragePolicy(file);
      assertNull(toSatisfier.getNextPathId(), "HDFS itself has ignored the second request");
      namespace.satisfy(file);
      assertEquals(id, toSatisfier.getNextPathId());
    }
  }
}
