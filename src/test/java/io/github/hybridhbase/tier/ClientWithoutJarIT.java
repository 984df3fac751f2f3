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
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.hdfs.FileBlocks;
import io.github.hybridhbase.it.Rows;
import io.github.hybridhbase.testing.TypedCluster;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hbase.io.hfile.HFilePrettyPrinter;
import org.apache.hadoop.hbase.replication.regionserver.ReplicationSyncUp;
import org.apache.hadoop.hbase.snapshot.SnapshotInfo;
import org.apache.hadoop.hbase.wal.WALPrettyPrinter;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Clients with the cluster's site file and without the plugin's jar, each in a JVM of its own.
 * Holds the table of docs/install.md#clients-without-the-jar.
 */
@Tag("long")
class ClientWithoutJarIT {
  private static final int ROWS = 5_000;

  @RegisterExtension
  static final TierCluster TIER = new TierCluster(spec -> spec); // its SSD tier opens at once

  @TempDir static Path directory;

  private final TypedCluster cluster = TIER.cluster;

  /** A client's exit code and what it printed. */
  private static final class Client {
    final int exit;
    final String output;

    Client(String main, String... arguments) throws Exception {
      String all =
          System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
      // The directory of classes, or the jar where Maven has packed it.
      Path plugin =
          Path.of(
              HybridStoreEngine.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      List<String> entries =
          Arrays.stream(all.split(File.pathSeparator))
              .filter(entry -> !Path.of(entry).toAbsolutePath().equals(plugin))
              .collect(Collectors.toList());
      assertEquals(all.split(File.pathSeparator).length - 1, entries.size(), "its jar is left out");
      List<String> command = new ArrayList<>();
      command.add(System.getProperty("java.home") + "/bin/java");
      command.add("-Xmx256m");
      command.add("--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED");
      command.add("--add-opens=java.base/java.nio=ALL-UNNAMED");
      command.add("-cp");
      command.add(directory + File.pathSeparator + String.join(File.pathSeparator, entries));
      command.add(main);
      command.addAll(List.of(arguments));
      Path log = Files.createTempFile(directory, "client", ".log");
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
      try {
        assertTrue(process.waitFor(3, TimeUnit.MINUTES), main);
      } finally {
        process.destroyForcibly();
      }
      exit = process.exitValue();
      output = Files.readString(log, StandardCharsets.UTF_8);
      System.out.println("ClientWithoutJarIT: " + main + " ended with " + exit);
    }
  }

  private static void assertRuns(String says, String main, String... arguments) throws Exception {
    Client client = new Client(main, arguments);
    assertEquals(0, client.exit, client.output);
    assertTrue(client.output.contains(says), client.output);
  }

  /** Where a WAL that was rolled is: a region that was not flushed keeps it from the archive. */
  private String closed(org.apache.hadoop.fs.Path wal) throws IOException {
    return cluster.fs().exists(wal)
        ? wal.toString()
        : new org.apache.hadoop.fs.Path(cluster.walRoot(), "oldWALs/" + wal.getName()).toString();
  }

  @Test
  void itsSiteFileServesClientsThatHaveNoJar() throws Exception {
    // As the site file that the servers and all clients share.
    Configuration site = new Configuration(cluster.conf());
    try (OutputStream to = Files.newOutputStream(directory.resolve("hbase-site.xml"))) {
      site.writeXml(to);
    }
    Rows rows = TIER.rows("shared");
    rows.put(ROWS);
    StoreFileMedia files = TIER.files;
    files.awaitOpen(rows.table());
    org.apache.hadoop.fs.Path open =
        cluster.openWals().stream()
            .filter(path -> path.toString().contains("/WALs/"))
            .filter(path -> !path.toString().contains("MasterData"))
            .filter(path -> !path.getName().endsWith(".meta"))
            .findFirst()
            .orElseThrow();
    cluster.flush(rows.table());
    // The servers place store files on SSD although the file names no store engine.
    List<FileBlocks> flushed = files.files(rows.table());
    TIER.assertOn(rows, StorageType.SSD);
    cluster.connection().getAdmin().snapshot("snapshot", rows.table());

    assertRuns(ROWS + " rows", SnapshotReader.class.getName(), "snapshot", "/restored");
    cluster.rollWals();
    assertRuns("Sequence=", WALPrettyPrinter.class.getName(), closed(open));
    assertRuns(
        "Row size", HFilePrettyPrinter.class.getName(), "-s", "-f", flushed.get(0).path + "");
    assertRuns("snapshot", SnapshotInfo.class.getName(), "-snapshot", "snapshot", "-stats");
    // It makes a WALFactory, and with it the WAL provider of the site file.
    String syncUp = ReplicationSyncUp.class.getName();
    Client client = new Client(syncUp);
    assertTrue(client.output.contains("HybridWALProvider"), client.output);
    Client own = new Client(syncUp, "-Dhbase.wal.provider=asyncfs");
    assertFalse(own.output.contains("HybridWALProvider"), own.output);
  }
}
