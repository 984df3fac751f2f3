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
import io.github.hybridhbase.hdfs.HdfsNamespace;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.testing.NameNodeCalls;
import io.github.hybridhbase.testing.TypedCluster;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
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
            .conf("hbase.hybrid.placement.check.period", "1s")
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
        assertTrue(file.path().toUri().getPath().startsWith("/hbase-wal/"), file.toString());
      }
    }
  }

  /** NameNode calls that write policies, provenance or probe files, by name. */
  private Map<String, Long> writes() {
    return new NameNodeCalls(cluster, "SetStoragePolicy", "UnsetStoragePolicy", "SetXAttr").soFar();
  }

  @Test
  @Order(2)
  void aRestartOfAHealthyClusterWritesNoPolicyToTheNameNode() throws Exception {
    cluster.await("directories that HBase makes late", this::settled);
    Map<String, Long> before = writes();
    assertTrue(before.get("SetStoragePolicy") >= 4, "nothing is counted: " + before);
    cluster.restartHBase();
    assertAllPlaced();
    assertEquals(before, writes());
    rows.assertAllThere();
  }

  private Map<String, Long> last;
  private long lastNanos;

  /** Whether two looks at the counters, two placement periods apart, agree. */
  private boolean settled() {
    if (last != null && System.nanoTime() - lastNanos < TimeUnit.SECONDS.toNanos(2)) {
      return false;
    }
    Map<String, Long> now = writes();
    boolean same = now.equals(last) && archiveIsPlaced();
    last = now;
    lastNanos = System.nanoTime();
    return same;
  }

  private boolean archiveIsPlaced() {
    try {
      return namespace()
          .policy(new Path(cluster.walRoot(), "oldWALs"))
          .filter(found -> found.effective() == StoragePolicy.HOT.id())
          .isPresent();
    } catch (Exception e) {
      return false;
    }
  }

  private StorageNamespace namespace() throws Exception {
    return HdfsNamespace.of(cluster.fs()).orElseThrow();
  }

  @Test
  @Order(3)
  void aDirectoryThatLostItsPolicyGetsItBack() throws Exception {
    Path meta = new Path(cluster.rootDir(), "data/hbase");
    namespace().unsetPolicy(meta);
    cluster.await("the placement thread", () -> effective(meta) == StoragePolicy.ALL_SSD.id());
  }

  @Test
  @Order(4)
  void aDirectoryThatIsMadeAgainGetsItsPolicyAgain() throws Exception {
    Path corrupt = new Path(cluster.walRoot(), "corrupt");
    cluster.fs().delete(corrupt, true);
    cluster.fs().mkdirs(corrupt);
    cluster.await("the placement thread", () -> effective(corrupt) == StoragePolicy.HOT.id());
  }

  @Test
  @Order(5)
  void anAdminsPolicyStaysThroughPlacementAndRestart() throws Exception {
    Path wals = new Path(cluster.walRoot(), "WALs");
    cluster.fs().setStoragePolicy(wals, "WARM");
    cluster.restartHBase();
    rows.put(50);
    assertEquals(StoragePolicy.WARM.id(), effective(wals));
    rows.assertAllThere();
  }

  private byte effective(Path path) {
    try {
      return namespace().policy(path).orElseThrow().effective();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
