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
import io.github.hybridhbase.testing.TypedCluster;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The plugin comes to a cluster of stock HBase under load, and leaves it, server by server as
 * README says, with {@code kill -9} in the middle of each.
 */
@Tag("long")
@Timeout(value = 20, unit = TimeUnit.MINUTES)
class RollingInstallIT {
  /** Masters first: the backup, then the active one. */
  private static final List<String> ORDER = List.of("m1", "m0", "rs0", "rs1");

  private static final Map<String, String> KEYS =
      Map.of("hbase.hybrid.wal.hsync", "auto", "hbase.hybrid.ssd.retry", "5s");

  static List<Line> lines() throws IOException {
    return Lines.all();
  }

  /** What is done to a process before it starts again. */
  private interface Change {
    void to(ServerProcess process) throws IOException;
  }

  @ParameterizedTest
  @MethodSource("lines")
  void itComesAndGoesUnderLoad(Line line) throws Exception {
    BedSpec stock = BedSpec.of(line).masters(2).regionServers(2);
    try (OwnedBed bed =
        OwnedBed.make(stock, TypedCluster.usable(Line.base().resolve("target/beds")))) {
      bed.start();
      Installation plugin = new Installation(bed, KEYS);
      Health health = new Health(bed);
      try (Load load = new Load(bed)) {
        load.createTable();
        health.walsOn("DISK", "stock");

        underLoad(bed, load, () -> roll(bed, plugin::putIn));
        health.good(load, "installed");

        // Half off: the other servers still have it.
        bed.process("rs0").set(Map.of("hbase.hybrid.mode", "off"));
        underLoad(bed, load, () -> killed(bed, "rs0"));
        health.unharmed(load, "half off");
        bed.process("rs0").set(Map.of("hbase.hybrid.mode", "prefer"));
        underLoad(bed, load, () -> restart(bed, List.of("rs0")));
        health.good(load, "on again");

        underLoad(
            bed,
            load,
            () -> {
              // Cut off in the middle, and run again.
              plugin.hybrid(() -> !load.policy("/hbase/WALs").equals("ALL_SSD"), "revert");
              Tool revert = plugin.hybrid("revert");
              System.out.println(revert.said());
              // Without a satisfier nothing is moved back, which is one finding.
              assertTrue(revert.exit() <= 1, revert.said());
              assertEquals("HOT", load.policy("/hbase/WALs"), revert.said());
              roll(bed, plugin::takeKeysOut);
              for (String name : ORDER) {
                plugin.takeJarAway(bed.process(name));
              }
              killed(bed, "rs0");
            });
        health.unharmed(load, "undone");
        health.walsOn("DISK", "undone");
      }
    }
  }

  /** Steps of an operator. */
  private interface Steps {
    void run() throws Exception;
  }

  /** Rows are put, one after the other, until the steps are done; none may be missing then. */
  private static void underLoad(Bed bed, Load load, Steps steps) throws Exception {
    try (SteadyLoad steady = new SteadyLoad(bed, load.rows())) {
      steps.run();
      int before = steady.rows();
      bed.await("rows are put", () -> steady.rows() > before);
      load.expect(steady.end());
    }
  }

  /** One after the other; a server of each side is killed when half of them are done. */
  private static void roll(Bed bed, Change change) throws Exception {
    for (String name : ORDER) {
      change.to(bed.process(name));
    }
    restart(bed, ORDER.subList(0, 1));
    // The active master dies: the one that has changed takes over.
    killed(bed, "m0");
    restart(bed, List.of("rs0"));
    killed(bed, "rs0");
    // It dies as it was, and comes back changed.
    killed(bed, "rs1");
  }

  private static void killed(Bed bed, String name) throws Exception {
    ServerProcess process = bed.process(name);
    process.kill();
    process.start();
    bed.awaitHBase();
  }

  private static void restart(Bed bed, List<String> names) throws Exception {
    for (String name : names) {
      ServerProcess process = bed.process(name);
      process.end();
      process.start();
      bed.awaitHBase();
    }
  }
}
