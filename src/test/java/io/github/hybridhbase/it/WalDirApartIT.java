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
import org.junit.jupiter.api.Test;

/** With {@code hbase.wal.dir} elsewhere; and what a restart costs the NameNode. */
class WalDirApartIT {
  private static void assertAllPlaced(TypedCluster cluster, Rows rows) throws Exception {
    BlockProof proof = new BlockProof(cluster);
    cluster.flush(rows.table());
    proof.assertSystemOnSsd();
    proof.assertPlaced(Part.USER_FILES);
    for (Part wal : new Part[] {Part.USER_WAL, Part.META_WAL, Part.MASTER_WAL}) {
      for (FileBlocks file : proof.files(wal)) {
        assertTrue(file.path.toUri().getPath().startsWith("/hbase-wal/"), file.toString());
      }
    }
  }

  @Test
  void bothTreesArePlacedNoServerSetsAPolicyAndAnAdminsWins() throws Exception {
    try (TypedCluster cluster =
        TypedCluster.spec()
            .plugin()
            .conf("hbase.hybrid.tier.policy", "NONE") // new store files: TierIT
            .walDirApart()
            .regionServers(2)
            .conf("hbase.hybrid.ssd.fallback.timeout", "20000ms") // a slow disk is no refusal
            .start()) {
      Rows rows = Rows.create(cluster, "rows", "DEFAULT", null, new Random(1));
      rows.put(100);
      assertAllPlaced(cluster, rows);

      NameNodeCalls calls = new NameNodeCalls(cluster, "SetStoragePolicy", "UnsetStoragePolicy");
      assertEquals(
          Map.of(),
          calls.of(
              () -> {
                cluster.restartHBase();
                assertAllPlaced(cluster, rows);
              }));
      rows.assertAllThere();

      cluster.fs().setStoragePolicy(new Path(cluster.walRoot(), "WALs"), "WARM");
      cluster.restartHBase();
      rows.put(50);
      for (FileBlocks file : new BlockProof(cluster).files(Part.USER_WAL)) {
        assertEquals(StoragePolicy.WARM.id(), file.policy, file.toString());
      }
      rows.assertAllThere();
    }
  }
}
