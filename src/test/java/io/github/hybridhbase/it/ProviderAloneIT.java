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

import io.github.hybridhbase.testing.TypedCluster;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** No coprocessor, as in maintenance mode: the provider places WALs and MasterData by itself. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ProviderAloneIT {
  private TypedCluster cluster;
  private BlockProof proof;

  @BeforeAll
  void start() throws Exception {
    cluster =
        TypedCluster.spec()
            .plugin()
            .conf("hbase.coprocessor.enabled", "false")
            .conf("hbase.hybrid.ssd.fallback.timeout", "20000ms") // a slow disk is no refusal
            .start();
    proof = new BlockProof(cluster);
    Rows.create(cluster, "rows", "DEFAULT", null, new Random(1)).put(50);
  }

  @AfterAll
  void stop() throws Exception {
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  void walsAndTheMastersStoreAreOnSsdFromTheirFirstBlockOn() throws Exception {
    cluster.rollWals();
    cluster.flushMasterStore();
    proof.assertPlaced(Part.USER_WAL);
    proof.assertPlaced(Part.META_WAL);
    proof.assertPlaced(Part.MASTER_WAL);
    proof.assertPlaced(Part.MASTER_STORE);
  }

  /** The provider names the store engine. */
  @Test
  void soAreTheCatalogs() throws Exception {
    cluster.flush(TableName.META_TABLE_NAME);
    proof.assertPlaced(Part.HBASE_META);
  }

  @Test
  void nothingStandsOnADirectory() throws Exception {
    for (Path directory :
        new Path[] {
          cluster.walRoot(),
          new Path(cluster.walRoot(), "WALs"),
          new Path(cluster.rootDir(), "MasterData"),
          new Path(cluster.rootDir(), "data/hbase")
        }) {
      assertEquals("HOT", cluster.fs().getStoragePolicy(directory).getName());
      assertEquals(Map.of(), cluster.fs().getXAttrs(directory), directory::toString);
    }
  }
}
