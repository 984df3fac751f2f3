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
package io.github.hybridhbase.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.hdfs.FileBlocks;
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.testing.NameNodeCalls;
import io.github.hybridhbase.testing.TypedCluster;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

/** With {@code hbase.wal.dir} elsewhere; and what a restart costs the NameNode. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class WalDirApartIT {
  private TypedCluster cluster;
  private BlockProof proof;
  private Rows rows;

  @BeforeAll
  void start() throws Exception {
    cluster =
        TypedCluster.spec()
            .plugin()
            .conf("hbase.hybrid.tier.policy", "NONE") // new store files: TierIT
            .walDirApart()
            .regionServers(2)
            .conf("hbase.hybrid.ssd.fallback.timeout", "20000ms") // a slow disk is no refusal
            .start();
    proof = new BlockProof(cluster);
    rows = Rows.create(cluster, "rows", "DEFAULT", null, new Random(1));
    rows.put(100);
  }

  @AfterAll
  void stop() throws Exception {
    if (cluster != null) {
      cluster.close();
    }
  }

  private void assertAllPlaced() throws Exception {
    cluster.flush(rows.table());
    cluster.flush(TableName.META_TABLE_NAME);
    cluster.flushMasterStore();
    proof.assertPlaced(Part.USER_WAL);
    proof.assertPlaced(Part.META_WAL);
    proof.assertPlaced(Part.MASTER_WAL);
    proof.assertPlaced(Part.HBASE_META);
    proof.assertPlaced(Part.MASTER_STORE);
    proof.assertPlaced(Part.USER_FILES);
  }

  @Test
  @Order(1)
  void bothTreesArePlaced() throws Exception {
    assertAllPlaced();
    for (Part wal : new Part[] {Part.USER_WAL, Part.META_WAL, Part.MASTER_WAL}) {
      for (FileBlocks file : proof.files(wal)) {
        assertTrue(file.path.toUri().getPath().startsWith("/hbase-wal/"), file.toString());
      }
    }
  }

  @Test
  @Order(2)
  void noServerWritesAPolicyOrARecordOnADirectory() throws Exception {
    NameNodeCalls calls =
        new NameNodeCalls(cluster, "SetStoragePolicy", "UnsetStoragePolicy", "SetXAttr");
    Map<String, Long> before = calls.soFar();
    cluster.restartHBase();
    assertAllPlaced();
    Map<String, Long> after = calls.soFar();
    assertEquals(before.get("SetStoragePolicy"), after.get("SetStoragePolicy"));
    assertEquals(before.get("UnsetStoragePolicy"), after.get("UnsetStoragePolicy"));
    rows.assertAllThere();
  }

  @Test
  @Order(3)
  void anAdminsPolicyWins() throws Exception {
    Path wals = new Path(cluster.walRoot(), "WALs");
    cluster.fs().setStoragePolicy(wals, "WARM");
    cluster.restartHBase();
    rows.put(50);
    for (FileBlocks file : proof.files(Part.USER_WAL)) {
      assertEquals(StoragePolicy.WARM.id(), file.policy, file.toString());
    }
    rows.assertAllThere();
  }
}
