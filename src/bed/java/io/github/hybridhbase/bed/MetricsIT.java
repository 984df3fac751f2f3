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
import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.MetricDeclaration;
import io.github.hybridhbase.runtime.MetricDeclaration.Type;
import io.github.hybridhbase.testing.Line;
import io.github.hybridhbase.testing.MetricNames;
import io.github.hybridhbase.testing.TypedCluster;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Every metric, under the names that the documentation gives, at {@code /jmx} and {@code
 * /prometheus} of a master and a RegionServer of their own; and what moves them. {@code
 * -Dhbase.line=2.5.13} chooses a line: {@code /prometheus} is there from 2.6 on. What a master and
 * a RegionServer show is left in {@code target/scrape-LINE-STATE.txt}, as Prometheus would have it,
 * and the bean at {@code /jmx} in {@code target/jmx-LINE-STATE.txt}: recordings that {@code
 * DashboardTest} evaluates.
 */
@Tag("long")
@InterfaceAudience.Private
class MetricsIT {
  private static final int ROWS = 200;

  /** MiB of an SSD that has space, and of one that is filled: there are three of them. */
  private static final int ROOMY = 4 << 10;

  private static final int FULL = 300;

  private Bed bed;

  /** The last part is SSDs in trouble: full, roomy again, a DataNode that stalls, no NameNode. */
  @Test
  @Timeout(value = 25, unit = TimeUnit.MINUTES)
  void everyMetricIsShownAndMoves() throws Exception {
    assumeTrue("root".equals(System.getProperty("user.name")), "mounts need root");
    Line line = Lines.one();
    // Before 3.4 a DataNode keeps no gigabyte free, and a full SSD refuses nothing: DISK is chosen.
    boolean refuses = !line.version().startsWith("2.6.1");
    BedSpec spec =
        BedSpec.of(line)
            .ssdMegabytes(ROOMY)
            .plugin(Installation.plugin(), Installation.site())
            .set("hbase.regionserver.hlog.blocksize", Integer.toString(8 << 20))
            .set("hbase.hybrid.wal.hsync", "auto")
            .set("hbase.hybrid.wal.stall", "500ms")
            .set("hbase.hybrid.tier.max.age", "30s")
            .set("hbase.hybrid.ssd.retry", "3s") // whole seconds of it are counted
            .set("hybrid.tests.period", "2")
            .set("hbase.hybrid.scan.period", "3s");
    try (OwnedBed owned = OwnedBed.make(spec)) {
      bed = owned;
      bed.start();
      ServerProcess master = bed.process("m0");
      ServerProcess server = bed.process("rs0");
      try (Load load = new Load(bed)) {
        load.createTable();
        load.put(ROWS);
        load.roll();
        load.put(ROWS);
        moves(server, "walBytesSsd", "walRollsSsd", "walsOpenSsd", "walsHsync", "walsDurable");
        moves(server, "walFlushes", "walSyncs", "walHsyncs");
        moves(master, "scans", "scanEndedSeconds", "scanFiles");
        moves(master, "bytesWalSsd", "bytesMasterSsd", "ssdCapacityBytes", "ssdDataNodes");
        moves(master, "ssdFreeBytes", "ssdSpaceKnown", "walRollsSsd");
        moves(server, "walSyncMicrosSsd", "walSyncEditsSsd");
        shown(line, master, server);
        moves(server, "tierShare");
        load.flush();
        moves(server, "tieredFiles", "tieredBytes", "tierBytes");
        moves(master, "bytesUserSsd", "scanMillis");
        load.put(ROWS);
        load.flush();
        load.compact();
        moves(server, "tierRewrittenBytes");
        record(line, "healthy");
        load.put(ROWS);
        load.flush();

        owned.resizeSsds(FULL);
        if (refuses) {
          // Before they are filled: as soon as HDFS knows of that, it chooses DISK by itself.
          roll(load);
          moves(server, "walFallbacks");
        }
        for (ServerProcess dataNode : bed.processes(Role.DATANODE)) {
          FaultMaker.fill(FaultMaker.filler(dataNode));
        }
        roll(load);
        load.put(ROWS);
        moves(server, "walRollsDisk", "walBytesDisk", "walsOpenDisk", "walsHflush");
        moves(server, "walSyncMicrosDisk", "walSyncEditsDisk");
        if (refuses) {
          assertEquals(
              value(server, "walFallbacks"),
              value(server, "walFallbacksNoSpace")
                  + value(server, "walFallbacksSilent")
                  + value(server, "walFallbacksUnderReplicated")
                  + value(server, "walFallbacksRefused"));
        }
        moves(master, "ssdUsedBytes", "ssdDataNodesFull");
        // HDFS learns of the fill by heartbeats; until then the recording would show free SSD.
        bed.await(
            "full SSDs in the master's view",
            () -> value(master, "ssdFreeBytes") < value(master, "ssdCapacityBytes") / 20);
        record(line, "full");

        owned.resizeSsds(ROOMY);
        for (ServerProcess dataNode : bed.processes(Role.DATANODE)) {
          Files.delete(FaultMaker.filler(dataNode));
        }
        if (refuses) {
          moves(server, "walReturns");
        }
        bed.await("WALs on SSD", () -> value(server, "walsOpenDisk") == 0);

        ServerProcess stalled = bed.process("dn1");
        stalled.stop();
        load.put(ROWS);
        moves(server, "walFailovers", "walFailoverWaitMillis");
        record(line, "stalled");
        stalled.resume();
        moves(server, "walFailoverSeconds");

        // A roll that is under way would find no NameNode.
        bed.await("whole WALs", () -> value(server, "walsUnderReplicated") == 0);
        ServerProcess nameNode = bed.process("nn0");
        nameNode.kill();
        moves(master, "spaceUnknown");
        nameNode.start();
        bed.awaitHdfs();
        load.put(ROWS);
        load.assertAllThere();
        load.flush();
        moves(server, "drainRequested");

        bed.process("dn1").kill();
        load.put(ROWS);
        load.roll();
        moves(server, "walWritersFailed", "walUnderReplicated", "walsUnderReplicated");
        assertEquals(List.of(), bed.aborts());
        assertEquals(0, value(server, "hookFailures"));
        assertEquals(0, value(master, "hookFailures"));
      }
    }
  }

  /** Rolls where an opening may take as long as SSD is asked. */
  private void roll(Load load) throws Exception {
    for (int again = 0; again < 3; again++) {
      load.roll();
      load.put(1);
    }
  }

  private static String attribute(String label) {
    return MetricNames.jmx(new MetricDeclaration(label, Type.GAUGE, "")).get(0);
  }

  private long value(ServerProcess process, String label) throws IOException {
    JsonNode value = bed.plugin(process).path(attribute(label));
    assertTrue(value.isNumber(), () -> process.name() + " has no " + label);
    return value.asLong();
  }

  private void moves(ServerProcess process, String... labels) throws Exception {
    for (String label : labels) {
      String name = attribute(label);
      // HBase shows a bean some seconds after it was made.
      bed.await(
          label + " of " + process.name() + " above 0",
          () ->
              bed.plugin(process).path(name).asLong() > 0
                  || bed.plugin(process).path(name + "_num_ops").asLong() > 0);
    }
  }

  /** Each name, on both. */
  private void shown(Line line, ServerProcess... processes) throws IOException {
    List<String> missing = new ArrayList<>();
    for (ServerProcess process : processes) {
      JsonNode bean = bed.plugin(process);
      List<String> samples = prometheus(line, process);
      for (MetricDeclaration metric : HybridMetrics.get().declared()) {
        MetricNames.jmx(metric).stream()
            .filter(name -> !bean.path(name).isNumber())
            .forEach(name -> missing.add(process + " /jmx " + name));
        MetricNames.prometheus(metric).stream()
            .filter(
                name ->
                    !samples.isEmpty() && samples.stream().noneMatch(s -> s.startsWith(name + "{")))
            .forEach(name -> missing.add(process + " /prometheus " + name));
      }
    }
    assertEquals(List.of(), missing);
  }

  /** What Prometheus would take in, with its label for the server; and the bean's numbers. */
  private void record(Line line, String state) throws IOException {
    List<String> scrape = new ArrayList<>();
    List<String> bean = new ArrayList<>();
    for (String instance : List.of("m0", "rs0")) {
      ServerProcess process = bed.process(instance);
      prometheus(line, process).stream()
          .filter(sample -> sample.startsWith("hybrid_"))
          .map(s -> s.replaceFirst("\\{.*\\}", "{instance=\"" + instance + "\"}"))
          .forEach(scrape::add);
      bed.plugin(process)
          .fields()
          .forEachRemaining(
              field -> {
                if (field.getValue().isNumber()) {
                  bean.add(instance + " " + field.getKey() + " " + field.getValue());
                }
              });
    }
    Path target = TypedCluster.baseDirectory().resolve("target");
    Files.write(target.resolve("jmx-" + line.version() + "-" + state + ".txt"), bean);
    Files.write(target.resolve("scrape-" + line.version() + "-" + state + ".txt"), scrape);
  }

  private static List<String> prometheus(Line line, ServerProcess process) throws IOException {
    if (line.version().startsWith("2.5")) {
      return List.of();
    }
    try (InputStream in = new URL(Bed.web(process) + "/prometheus").openStream()) {
      return List.of(new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n"));
    }
  }
}
