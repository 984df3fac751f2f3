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
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.hybridhbase.testing.TypedCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a cluster of separate processes lives through, on a line of HBase, with the plugin: {@code
 * -Dhbase.line=2.6.1} chooses another than the one it is compiled against.
 */
@Tag("long")
class ScenarioIT {
  private static final String CHOSEN = System.getProperty("hbase.line", "");
  private static final int ROWS = 300;

  @Test
  void everyRowIsThereAndNoServerAborts() throws Exception {
    live(CHOSEN.isEmpty() ? Line.built() : Line.of(CHOSEN));
  }

  static List<Line> others() throws IOException {
    Line built = Line.built();
    return Line.all().stream()
        .filter(line -> line.isWhole() && !line.version().equals(built.version()))
        // What works on HBase 3 is said in the documents.
        .filter(line -> line.version().startsWith("2."))
        .collect(Collectors.toList());
  }

  @ParameterizedTest
  @MethodSource("others")
  void everyRowIsThereOnOtherLines(Line line) throws Exception {
    assumeTrue(CHOSEN.isEmpty(), "-Dhbase.line has chosen one");
    live(line);
  }

  private static void live(Line line) throws Exception {
    Path site = Line.base().resolve("conf/hbase-site.xml");
    BedSpec spec =
        BedSpec.of(line)
            .regionServers(2)
            .plugin(plugin(), site)
            // Two replicas are a refusal: how soon WALs go back to SSD when there are three again.
            .set("hbase.hybrid.ssd.retry", "5");
    try (OwnedBed bed =
        OwnedBed.make(spec, TypedCluster.usable(Line.base().resolve("target/beds")))) {
      bed.start();
      try (Load load = new Load(bed)) {
        load.createTable();
        load.put(ROWS);
        healthy(line, bed, load, "first start");

        ServerProcess dataNode = bed.process("dn1");
        dataNode.kill();
        load.put(ROWS);
        load.roll();
        load.put(ROWS);
        // Two replicas are all there can be: on which medium is not looked at.
        load.assertAllThere();
        assertEquals(List.of(), bed.aborts());

        dataNode.start();
        bed.awaitHdfs();
        load.roll();
        load.put(ROWS);
        healthy(line, bed, load, "it came back, WALs rolled");

        ServerProcess server = bed.process("rs1");
        server.kill();
        load.put(ROWS);
        load.assertAllThere();
        server.start();
        bed.awaitHBase();
        healthy(line, bed, load, "a RegionServer killed, and started again");
      }
      bed.end();
      bed.start();
      try (Load load = new Load(bed)) {
        load.expect(5 * ROWS);
        load.put(ROWS);
        healthy(line, bed, load, "everything restarted");
      }
    }
  }

  /** Every row reads back, what is being written is on SSD, and no server has aborted. */
  private static void healthy(Line line, Bed bed, Load load, String after) throws Exception {
    load.assertAllThere();
    assertEquals(List.of(), bed.aborts(), after);
    bed.await(
        after + ": WALs on SSD",
        () -> {
          Fsck fsck = bed.fsck("/hbase");
          List<Fsck.File> open =
              Stream.of("/hbase/WALs", "/hbase/MasterData/WALs")
                  .flatMap(directory -> fsck.below(directory).stream())
                  .filter(Fsck.File::isOpen)
                  .collect(Collectors.toList());
          System.out.println(after + ": " + open);
          // One of each RegionServer and the master's, at least.
          return open.size() >= 3 && open.stream().allMatch(file -> file.isAllOn("SSD"));
        });
    System.out.println(after + ": flushes of the plugin's writer: " + flushes(bed));
    if (line.version().equals(Line.built().version())) {
      // HBase's metrics are some seconds old.
      bed.await(after + ": the plugin's writer is in force", () -> flushes(bed) > 0);
    }
  }

  private static int flushes(Bed bed) throws IOException {
    int flushes = 0;
    for (ServerProcess server : bed.processes(Role.REGIONSERVER)) {
      flushes += bed.hbase(server, "name=Hybrid,sub=Hybrid").path("WalFlushes").asInt();
    }
    return flushes;
  }

  /** The jar, where the build has made it; else the classes. */
  private static Path plugin() throws IOException {
    Path target = Line.base().resolve("target");
    try (Stream<Path> files = Files.list(target)) {
      Path classes = target.resolve("classes");
      Path plugin =
          files
              .filter(file -> file.getFileName().toString().matches("hbase-hybrid-.*[^s]\\.jar"))
              .findFirst()
              .orElse(classes);
      assertTrue(Files.exists(plugin), "the plugin is not built");
      return plugin;
    }
  }
}
