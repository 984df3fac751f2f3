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

import com.fasterxml.jackson.databind.JsonNode;
import io.github.hybridhbase.testing.Line;
import io.github.hybridhbase.testing.TypedCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Something that people run beside HBase, on a bed with the plugin: its jars, its programs, and
 * what must hold after it has done its work.
 */
@InterfaceAudience.Private
final class Neighbour {
  private static final int MEGABYTES = 384;

  private final String name;
  private final List<Path> jars;

  private Neighbour(String name, List<Path> jars) {
    this.name = name;
    this.jars = jars;
  }

  /** By the name of its list of jars, which {@code -Dbed.neighbours=true} has the build make. */
  static Neighbour of(String name) throws IOException {
    Path list = Line.base().resolve("target/lines/" + name + ".jars");
    assumeTrue(Files.exists(list), "its jars: -Dbed.neighbours=true");
    return new Neighbour(
        name, Files.readAllLines(list).stream().map(Path::of).collect(Collectors.toList()));
  }

  List<Path> jars() {
    return jars;
  }

  /**
   * Two RegionServers with the whole plugin. The SSD tier opens after the master's first scan, and
   * files leave it after half a minute.
   */
  static BedSpec spec() throws IOException {
    return BedSpec.of(Lines.one())
        .regionServers(2)
        .heap(Role.DATANODE, 128)
        .plugin(Installation.plugin(), Installation.site())
        .set("hbase.hybrid.wal.hsync", "auto")
        .set("hbase.hybrid.scan.period", "5s")
        .set("hybrid.tests.period", "1")
        .set("hbase.hybrid.tier.max.age", "30s");
  }

  /** That bed, up, with the table of a {@link Load} and the SSD tier open. */
  static OwnedBed start(BedSpec spec) throws IOException, InterruptedException {
    OwnedBed bed = OwnedBed.make(spec, TypedCluster.usable(Line.base().resolve("target/beds")));
    try {
      bed.start();
      try (Load load = new Load(bed)) {
        load.createTable(); // a server without a region has no tier
      }
      for (ServerProcess server : bed.processes(Role.REGIONSERVER)) {
        bed.await(
            "an SSD tier that is open",
            () -> bed.hbase(server, "name=Hybrid,sub=Hybrid").path("TierShare").asLong() > 0);
      }
      return bed;
    } catch (IOException | InterruptedException | RuntimeException | Error e) {
      bed.close();
      throw e;
    }
  }

  /** A program. */
  static Path source(String name) {
    return Line.base().resolve("src/bed/programs/" + name);
  }

  /** Runs a program of {@code src/bed/programs} with its jars, and these before them. */
  void program(Bed bed, List<Path> before, String source, String... arguments)
      throws IOException, InterruptedException {
    List<Path> classPath = new ArrayList<>(before);
    classPath.addAll(jars);
    Path file = Files.createTempFile(bed.directory(), name, ".args");
    Java.write(
        file,
        MEGABYTES,
        bed.directory().resolve("tmp"),
        List.of(),
        classPath,
        source(source).toString(),
        arguments);
    String said = Tool.run(file).fine().said();
    assertTrue(said.contains("done: "), said);
    System.out.println(said.substring(said.lastIndexOf("done: ")));
  }

  /** WALs are on SSD, no server has aborted, and no class of the plugin's is in a stack trace. */
  static void assertUnharmed(Bed bed, String after) throws IOException, InterruptedException {
    Health health = new Health(bed);
    health.walsOn("SSD", after);
    health.writerInForceOrSaid(after);
    assertEquals(List.of(), bed.aborts(), after);
    for (Role role : List.of(Role.MASTER, Role.REGIONSERVER)) {
      for (ServerProcess server : bed.processes(role)) {
        assertEquals(List.of(), server.sayingWithOurTrace(), after);
        JsonNode counted = bed.hbase(server, "name=Hybrid,sub=Hybrid").path("HookFailures");
        assertEquals(0, counted.asLong(-1), after + ": " + server.name());
      }
    }
  }

  /**
   * Waits until all store files of a table are on a medium.
   *
   * @param table its directory below {@code data}
   */
  static void awaitFilesOn(Bed bed, String medium, String table)
      throws IOException, InterruptedException {
    bed.await(
        "store files of " + table + " on " + medium,
        () -> {
          List<Fsck.File> files = storeFiles(bed, table);
          System.out.println(table + ": " + files);
          return !files.isEmpty() && files.stream().allMatch(file -> file.isAllOn(medium));
        });
  }

  /** Flushes a table. */
  static void flush(Bed bed, String table) throws IOException {
    asAdmin(bed, admin -> admin.flush(TableName.valueOf(table)));
  }

  /** What an admin does. */
  private interface Act {
    void by(Admin admin) throws IOException;
  }

  private static void asAdmin(Bed bed, Act act) throws IOException {
    Configuration conf = HBaseConfiguration.create();
    bed.keys().forEach(conf::set);
    try (Connection connection = ConnectionFactory.createConnection(conf);
        Admin admin = connection.getAdmin()) {
      act.by(admin);
    }
  }

  private static List<Fsck.File> storeFiles(Bed bed, String table)
      throws IOException, InterruptedException {
    return bed.fsck("/hbase/data/" + table).files().stream()
        .filter(file -> file.path().matches(".*/[0-9a-f]{32}/[^./]+/[0-9a-f]{32}[^/]*"))
        .filter(file -> !file.path().contains("/recovered.edits/"))
        .collect(Collectors.toList());
  }
}
