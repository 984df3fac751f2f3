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
package io.github.hybridhbase.bed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.testing.Line;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.fs.StorageType;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The plugin comes to a running HBase and goes again, server by server in a random order, while
 * rows are written, and SSD refuses everything in the middle of each. In between servers are
 * killed, and everything restarts. No server aborts, and no row is lost. Then nothing of it is left
 * in HDFS.
 */
@Tag("long")
@Timeout(value = 30, unit = TimeUnit.MINUTES)
class RollingInstallIT {
  private static final long SEED = Long.getLong("hybrid.seed", System.nanoTime());
  private static final int ORDERS = Integer.getInteger("hybrid.orders", 3);

  private static final int ROWS = 300;
  private static final List<String> SERVERS = List.of("m0", "m1", "rs0", "rs1", "rs2");

  private static final Map<String, String> KEYS =
      Map.of("hbase.hybrid.wal.hsync", "auto", "hbase.hybrid.ssd.retry", "5s");

  /** Each line in one order, and one of them in three. */
  static Stream<Arguments> orders() throws IOException {
    List<Line> lines = Lines.all();
    return IntStream.range(0, Math.max(ORDERS, lines.size()))
        .mapToObj(i -> Arguments.of(lines.get(i % lines.size()), SEED + i));
  }

  /** What is done to a process before it starts again. */
  private interface Change {
    void to(ServerProcess process) throws IOException;
  }

  @ParameterizedTest
  @MethodSource("orders")
  void itComesAndGoesUnderLoadInAnyOrder(Line line, long seed) throws Exception {
    System.out.println("-Dhybrid.seed=" + seed);
    Random random = new Random(seed);
    BedSpec stock = BedSpec.of(line).masters(2).regionServers(3);
    try (OwnedBed bed = OwnedBed.make(stock)) {
      bed.start();
      Installation plugin = new Installation(bed, KEYS);
      Health health = new Health(bed);
      int rows;
      try (Load load = new Load(bed)) {
        load.createTable();
        health.walsOn("DISK", "stock");

        underLoad(bed, load, () -> roll(bed, random, plugin::putIn));
        health.good(load, "installed");
        loseServers(bed, load, health);
        rows = load.rows();
      }
      bed.end();
      bed.start();
      try (Load load = new Load(bed)) {
        load.expect(rows);
        load.put(ROWS);
        health.good(load, "everything restarted");

        Change removal =
            process -> {
              plugin.takeKeysOut(process);
              plugin.takeJarAway(process);
            };
        underLoad(bed, load, () -> roll(bed, random, removal));
        health.unharmed(load, "removed");
        health.walsOn("DISK", "removed");
        load.flush();
        load.compact();
        assertNothingIsLeft(bed);
        Tool revert = plugin.hybrid("revert", "--yes");
        System.out.println(revert.said());
        assertEquals(0, revert.exit(), revert.said());
        health.unharmed(load, "reverted");
      }
    }
  }

  /** A DataNode is killed and comes back, WALs rolling; then a RegionServer. */
  private static void loseServers(Bed bed, Load load, Health health) throws Exception {
    ServerProcess dataNode = bed.process("dn1");
    dataNode.kill();
    load.put(ROWS);
    load.roll();
    load.put(ROWS);
    // Two replicas are all there can be: on which medium is not looked at.
    health.unharmed(load, "a DataNode killed, WALs rolled");
    dataNode.start();
    bed.awaitHdfs();
    load.roll();
    load.put(ROWS);
    health.good(load, "it came back, WALs rolled");

    ServerProcess server = bed.process("rs1");
    server.kill();
    load.put(ROWS);
    health.unharmed(load, "a RegionServer killed");
    bed.startServer(server);
    health.good(load, "and started again");
  }

  /** Once HBase has deleted what it has archived, and compacted its catalogs. */
  private static void assertNothingIsLeft(Bed bed) throws Exception {
    bed.await(
        "no store file and no WAL of a table on SSD",
        () -> onSsd(bed, "/hbase/data/default").isEmpty() && onSsd(bed, "/hbase/WALs").isEmpty());
    Tool policies =
        bed.tool(
            "org.apache.hadoop.hdfs.tools.StoragePolicyAdmin",
            "-getStoragePolicy",
            "-path",
            "/hbase/WALs");
    assertTrue(policies.said().contains("unspecified"), policies.said());
  }

  private static List<Fsck.File> onSsd(Bed bed, String below) throws Exception {
    return bed.fsck("/hbase").below(below).stream()
        .filter(file -> file.media.stream().anyMatch(block -> block.contains(StorageType.SSD)))
        .collect(Collectors.toList());
  }

  /** Steps of an operator. */
  private interface Steps {
    void run() throws Exception;
  }

  /** Rows are put, one after the other, until the steps are done; none may be missing then. */
  private static void underLoad(Bed bed, Load load, Steps steps) throws Exception {
    try (SteadyLoad steady = new SteadyLoad(new Load(bed), load.rows(), System.out::println)) {
      steps.run();
      int before = steady.rows();
      bed.await("rows are put", () -> steady.rows() > before);
      load.expect(steady.end());
    }
  }

  /**
   * One after the other; half of them are killed instead of ended. SSD refuses blocks from the
   * second server to the fourth.
   */
  private static void roll(Bed bed, Random random, Change change) throws Exception {
    List<String> order = new ArrayList<>(SERVERS);
    Collections.shuffle(order, random);
    System.out.println(order);
    for (int i = 0; i < order.size(); i++) {
      if (i == 1) {
        quota(bed, "-setSpaceQuota", "1");
      } else if (i == 4) {
        quota(bed, "-clrSpaceQuota");
      }
      ServerProcess process = bed.process(order.get(i));
      change.to(process);
      if (random.nextBoolean()) {
        process.kill();
      } else {
        process.end();
      }
      bed.startServer(process);
    }
  }

  private static void quota(Bed bed, String... what) throws Exception {
    List<String> words = new ArrayList<>(List.of(what));
    words.addAll(List.of("-storageType", "SSD", "/hbase"));
    bed.tool("org.apache.hadoop.hdfs.tools.DFSAdmin", words.toArray(new String[0])).fine();
  }
}
