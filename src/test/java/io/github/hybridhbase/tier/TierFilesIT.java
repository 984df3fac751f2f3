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
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.hdfs.FileBlocks;
import io.github.hybridhbase.it.Rows;
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.testing.Replicas;
import io.github.hybridhbase.testing.Ssds;
import io.github.hybridhbase.testing.TypedCluster;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hdfs.server.mover.Mover;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Who else touches a file that the SSD tier has written, HDFS's mover and repair, and a life
 * without the plugin: on blocks.
 */
@Tag("long")
@InterfaceAudience.Private
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class TierFilesIT {
  private static final long GIB = 1L << 30;

  @RegisterExtension
  static final TierCluster TIER =
      new TierCluster(
          spec ->
              spec.conf("dfs.storage.policy.satisfier.mode", "external")
                  // As with HBase's two minutes: longer than several turns of the SSD tier.
                  .conf("hbase.hfile.compaction.discharger.interval", 5_000)
                  .conf("hbase.master.hfilecleaner.ttl", 1_000)
                  .conf("hbase.master.cleaner.interval", 1_000));

  private final TypedCluster cluster = TIER.cluster;
  private final StoreFileMedia storeFiles = TIER.files;

  /** HDFS's mover over a table, as an admin runs it. */
  private void runMover(TableName table) throws Exception {
    Class<?> mover = Class.forName(Mover.class.getName() + "$Cli");
    Configuration conf = new Configuration(cluster.conf());
    conf.setBoolean("fs.hdfs.impl.disable.cache", true);
    String directory = cluster.rootDir().toUri().getPath() + "/data/default/" + table;
    Tool tool = (Tool) mover.getDeclaredConstructor().newInstance();
    int exit = ToolRunner.run(conf, tool, new String[] {"-p", directory});
    assertEquals(0, exit, "the mover's exit");
  }

  @Test
  @Order(1)
  void aTieredFileStaysOnSsdThroughMoverAndRepair() throws Exception {
    Rows rows = TIER.flushed("mover");
    runMover(rows.table());
    TIER.assertOn(rows, StorageType.SSD);
    for (short replicas : new short[] {2, 3}) {
      for (FileBlocks file : storeFiles.files(rows.table())) {
        cluster.fs().setReplication(file.path, replicas);
        Replicas.await(cluster.fs(), file.path, replicas);
      }
    }
    TIER.assertOn(rows, StorageType.SSD);
    rows.assertAllThere();
  }

  @Test
  @Order(2)
  void aFileThatFellBackToDiskIsNotPulledUpByAMover() throws Exception {
    Rows rows = TIER.tiered("fallen", 3_600);
    Ssds ssds = new Ssds(cluster);
    ssds.capacity(1);
    try {
      TIER.flush(rows, 60);
      storeFiles.awaitAllOn(rows.table(), StorageType.DISK);
      cluster.await("no policy left on a file", () -> storeFiles.nothingSticky(rows.table()));
    } finally {
      ssds.capacity(16 * GIB);
    }
    runMover(rows.table());
    TIER.assertOn(rows, StorageType.DISK);
    rows.assertAllThere();
  }

  /** The last one: HBase runs without the plugin from here on. */
  @Test
  @Order(3)
  void withoutThePluginHBaseReadsOnAndItsCompactionsGetAllOffSsd() throws Exception {
    Rows rows = TIER.flushed("after");
    assertTrue(
        storeFiles.files(rows.table()).stream()
            .allMatch(file -> file.policy == StoragePolicy.ALL_SSD.id()));
    cluster.stopHBase();
    Configuration shipped = new Configuration(false);
    shipped.addResource(new Path(TypedCluster.shippedSite().toUri()));
    shipped.forEach(entry -> cluster.conf().unset(entry.getKey()));
    cluster.restartHBase();
    rows.assertAllThere();
    TIER.flush(rows, 60);
    cluster.compact(rows.table(), true);
    TIER.assertOn(rows, StorageType.DISK);
    assertTrue(storeFiles.nothingSticky(rows.table()));
    rows.assertAllThere();
  }
}
