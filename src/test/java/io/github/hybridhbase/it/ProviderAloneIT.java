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
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Test;

/** No coprocessor, as in maintenance mode: the provider places WALs and MasterData by itself. */
class ProviderAloneIT {
  @Test
  void allOfTheSystemIsOnSsdAndNothingStandsOnADirectory() throws Exception {
    try (TypedCluster cluster =
        TypedCluster.spec()
            .plugin()
            .conf("hbase.coprocessor.enabled", "false")
            .conf("hbase.hybrid.ssd.fallback.timeout", "20000ms") // a slow disk is no refusal
            .start()) {
      Rows.create(cluster, "rows", "DEFAULT", null, new Random(1)).put(50);
      cluster.rollWals();
      new BlockProof(cluster).assertSystemOnSsd(); // catalogs: the provider names the store engine
      for (String below : List.of("", "WALs", "MasterData", "data/hbase")) {
        Path directory = new Path(cluster.rootDir() + "/" + below);
        assertEquals("HOT", cluster.fs().getStoragePolicy(directory).getName());
        assertEquals(Map.of(), cluster.fs().getXAttrs(directory), directory::toString);
      }
    }
  }
}
