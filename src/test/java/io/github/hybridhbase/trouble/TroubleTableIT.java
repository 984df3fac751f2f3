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
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.Metric;
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.testing.ClusterSpec;
import io.github.hybridhbase.testing.SteadyClient;
import io.github.hybridhbase.testing.TypedCluster;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.commons.io.FileUtils;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hbase.TableName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Each {@link Trouble} put upon stock HBase with {@code hbase.wal.storage.policy=ALL_SSD} and upon
 * the plugin, while a client writes. What became of each is a line of {@code docs/failures.md}; the
 * figures of a run go to {@code target/trouble.md}. {@code -Dhybrid.trouble=NAME,...} runs some.
 */
@Tag("long")
class TroubleTableIT {
  private static final Logger LOG = LoggerFactory.getLogger(TroubleTableIT.class);

  /** Small, or the NameNode would soon hold the SSDs for full: see WalFallbackIT. */
  private static final long WAL_BLOCK = 8L << 20;

  static Stream<Trouble> troubles() {
    Set<String> some = new TreeSet<>(List.of(System.getProperty("hybrid.trouble", "").split(",")));
    return Stream.of(Trouble.values())
        .filter(trouble -> some.contains("") || some.contains(trouble.name()));
  }

  private static ClusterSpec small() {
    return TypedCluster.spec()
        .conf("hbase.regionserver.hlog.blocksize", WAL_BLOCK)
        // HDFS tries again soon what a DataNode did not carry out while the NameNode was away.
        .conf("dfs.namenode.reconstruction.pending.timeout-sec", 5);
  }

  private static ClusterSpec plugin(StoragePolicy policy) {
    return small()
        .plugin()
        .conf("hbase.hybrid.wal.policy", policy.name())
        .conf("hbase.hybrid.master.policy", policy.name())
        .conf("hbase.hybrid.meta.policy", policy.name())
        .conf("hbase.hybrid.ssd.retry", "1s");
  }

  private static ClusterSpec stock(StoragePolicy policy) {
    return small()
        .conf("hbase.wal.storage.policy", policy.name())
        .conf("hbase.master.start.timeout.localHBaseCluster", 40_000);
  }

  @ParameterizedTest
  @MethodSource("troubles")
  void costsStockWhatTheTableSaysAndThePluginNothing(Trouble trouble) throws Exception {
    String stock = stock(trouble);
    String plugin = plugin(trouble);
    String line = String.format("| %s | %s | %s |%n", trouble.label(), stock, plugin);
    String table =
        Files.readString(
            TypedCluster.baseDirectory().resolve("docs/failures.md"), StandardCharsets.UTF_8);
    assertTrue(table.contains(line), "docs/failures.md does not hold:\n" + line);
  }

  private static void note(String of, String end, SteadyClient client) throws Exception {
    note(
        String.format(
            "%s: %s; %d writes acknowledged, %d failed",
            of, end, client.acknowledged(), client.failures().size()));
  }

  private static void note(String text) throws Exception {
    LOG.info(text);
    File target = TypedCluster.baseDirectory().resolve("target/trouble.md").toFile();
    FileUtils.writeStringToFile(target, text + "\n", StandardCharsets.UTF_8, true);
  }

  private static String stock(Trouble trouble) throws Exception {
    try (TypedCluster cluster = trouble.shape(stock(trouble.policy())).startHdfs()) {
      Stage stage = new Stage(cluster);
      trouble.beforeStart(stage);
      try {
        cluster.startHBase();
        table(cluster);
      } catch (Exception e) {
        note(trouble + " stock: does not come up; " + e);
        return "does not come up";
      }
      try (SteadyClient client = new SteadyClient(cluster.conf(), Stage.TABLE)) {
        stage.play(client);
        stage.awaitWrite();
        trouble.strike(stage);
        if (!stage.dead()) {
          stage.awaitWrite();
        }
        String end = stage.dead() ? "a server aborts" : "survives; " + media(stage);
        note(trouble + " stock", end, client);
        return end;
      }
    }
  }

  /** Where the WALs are, in words. */
  private static String media(Stage stage) throws Exception {
    Set<String> found = new TreeSet<>();
    for (List<StorageType> media : stage.media().values()) {
      found.add(
          media.size() < 3
              ? "with " + media.size() + " of 3 replicas"
              : media.contains(StorageType.SSD)
                  ? media.contains(StorageType.DISK) ? "on SSD and DISK" : "on SSD"
                  : "on DISK");
    }
    return "WALs " + String.join(" or ", found);
  }

  private static void table(TypedCluster cluster) throws Exception {
    if (cluster.util().getAdmin().tableExists(Stage.TABLE)) {
      cluster.util().waitTableAvailable(Stage.TABLE);
    } else {
      cluster.util().createTable(Stage.TABLE, "f");
    }
  }

  private static String plugin(Trouble trouble) throws Exception {
    long fallbacks = HybridMetrics.get().value(Metric.WAL_FALLBACKS);
    try (TypedCluster cluster = trouble.shape(plugin(trouble.policy())).startHdfs()) {
      Stage stage = new Stage(cluster);
      trouble.beforeStart(stage);
      cluster.startHBase();
      table(cluster);
      try (SteadyClient client = new SteadyClient(cluster.conf(), Stage.TABLE)) {
        stage.play(client);
        stage.awaitWrite();
        trouble.strike(stage);
        assertFalse(stage.dead(), "no server may die");
        stage.awaitWrite();
        cluster.await("whole WALs", () -> stage.allWalsAs(StoragePolicy.NONE));
        if (trouble.isTheNameNodes()) {
          // A roll may have fallen back while DataNodes were coming back to it.
          cluster.await("WALs on SSD", () -> stage.allWalsAs(trouble.policy()));
        }
        if (trouble.leavesNoSpace()) {
          cluster.await("WALs on DISK", () -> stage.allWalsAs(StoragePolicy.HOT));
        }
        String during = media(stage);
        // Refusals count as scheduled: the NameNode would hold SSDs as small as these for full.
        if (trouble.leavesNoSpace() && trouble != Trouble.FILLED_UNDER_LOAD) {
          cluster.flush(TableName.META_TABLE_NAME);
          cluster.flushMasterStore();
        }
        trouble.remedy(stage);
        awaitBack(trouble, stage);
        stage.awaitWrite();
        client.finish();
        assertEquals(List.of(), client.failures());
        client.assertAllThere();
        assertFalse(stage.dead(), "no server may die");
        assertTrue(stage.master().isInitialized());
        long fellBack = HybridMetrics.get().value(Metric.WAL_FALLBACKS) - fallbacks;
        note(trouble + " plugin, " + fellBack + " fall-backs", during, client);
        return during;
      }
    }
  }

  /** Awaits whole blocks, and SSD where there is space again. */
  private static void awaitBack(Trouble trouble, Stage stage) throws Exception {
    TypedCluster cluster = stage.cluster;
    if (trouble != Trouble.ONLY_SSD_NODE_DIES) {
      cluster.await("WALs back on SSD", () -> stage.allWalsAs(trouble.policy()));
    } else {
      cluster.await("whole WALs on DISK", () -> stage.allWalsAs(StoragePolicy.HOT));
    }
    cluster.await("whole blocks", stage::allIsWhole);
  }
}
