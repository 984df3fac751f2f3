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
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.testing.TypedCluster;
import java.io.IOException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.server.namenode.sps.StoragePolicySatisfyManager;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Requests to move blocks, as the satisfier gets them from the NameNode. HDFS only, no HBase. */
@InterfaceAudience.Private
class MoveRequestIT {
  private static TypedCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    cluster =
        TypedCluster.spec()
            .conf("dfs.storage.policy.satisfier.mode", "external")
            .conf("dfs.storage.policy.satisfier.max.outstanding.paths", 2)
            .dataNodes(1)
            .startHdfs();
  }

  @AfterAll
  static void stop() throws Exception {
    cluster.close();
  }

  private static StoragePolicySatisfyManager toSatisfier() {
    return cluster.hdfs().getNamesystem().getBlockManager().getSPSManager();
  }

  private static Path file(String name) throws IOException {
    Path file = new Path("/" + name);
    DFSTestUtil.createFile(cluster.fs(), file, 10, (short) 1, 0);
    return file;
  }

  /**
   * A satisfier holds a request until it has seen the file in its place, minutes later; what is
   * asked meanwhile, as by a revert soon after an apply, must reach it too.
   */
  @Test
  void aRequestReachesTheSatisfierAlsoWhileItHoldsAnEarlierOne() throws Exception {
    Path file = file("held");
    long id = cluster.hdfs().getNamesystem().getFSDirectory().getINode("/held").getId();
    StorageNamespace namespace = HdfsNamespace.of(cluster.fs()).orElseThrow();

    namespace.satisfy(file);
    assertEquals(id, toSatisfier().getNextPathId());
    namespace.satisfy(file);
    assertNull(toSatisfier().getNextPathId(), "HDFS itself has ignored the second request");
    namespace.satisfyAgain(file);
    assertEquals(id, toSatisfier().getNextPathId());
  }

  @Test
  void aFullQueueIsNoSatisfierThatIsOff() throws Exception {
    StorageNamespace namespace = HdfsNamespace.of(cluster.fs()).orElseThrow();
    namespace.satisfy(file("first"));
    namespace.satisfy(file("second"));
    Path third = file("third");
    IOException full = assertThrows(IOException.class, () -> namespace.satisfy(third));
    assertTrue(HdfsError.of(full).explain().contains("queue of moves is full"), full::toString);
    assertNotNull(toSatisfier().getNextPathId());
    assertNotNull(toSatisfier().getNextPathId());
  }
}
