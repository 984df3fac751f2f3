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
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.hybridhbase.testing.Line;
import io.github.hybridhbase.testing.TypedCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Separate processes with Kerberos, SPNEGO and TLS, HBase no superuser of HDFS: where policies are
 * the owner's, beyond the life of a ticket and over a failover of the NameNode; and where they are
 * reserved to the superuser.
 */
@InterfaceAudience.Private
@Tag("long")
class SecureIT {
  /** HBase looks every 30 s whether four fifths are over, and then logs in again. */
  private static final int TICKET_SECONDS = 150;

  private static final int ROWS = 300;
  private static final String HYBRID = "name=Hybrid,sub=Hybrid";
  private static final String TOOL = "io.github.hybridhbase.tool.HybridTool";

  /** What a thread that has no ticket any more leaves in a log. */
  private static final List<String> NO_TICKET =
      List.of("GSSException", "SaslException", "Kerberos tgt", "Not let in by", "LoginException");

  /** On a bed whose HDFS runs and has a directory for HBase. */
  private interface Scenario {
    void on(OwnedBed bed, Kerberos kerberos) throws Exception;
  }

  private static void run(Path directory, UnaryOperator<BedSpec> more, Scenario scenario)
      throws Exception {
    try (Kerberos kerberos = Kerberos.start(directory, TICKET_SECONDS)) {
      kerberos.login();
      BedSpec spec =
          BedSpec.of(Line.built())
              .heap(Role.DATANODE, 128)
              .plugin(Installation.plugin(), Installation.site())
              .kerberos(kerberos)
              .set("dfs.datanode.synconclose", "true") // check reads it over HTTPS
              .set("hbase.hybrid.wal.hsync", "auto")
              .set("hbase.hybrid.wal.stall", "5000ms")
              .set("hbase.hybrid.ssd.retry", "5s")
              .set("hbase.hybrid.scan.period", "10s")
              .set("hybrid.tests.period", "1");
      Path beds = TypedCluster.usable(Line.base().resolve("target/beds"));
      try (OwnedBed bed = OwnedBed.make(more.apply(spec), beds)) {
        bed.startHdfs();
        kerberos.asSuperuser(() -> giveHBaseItsRoot(bed.client()));
        scenario.on(bed, kerberos);
      }
    }
  }

  private static Void giveHBaseItsRoot(Configuration conf) throws IOException {
    try (FileSystem fs = FileSystem.newInstance(conf)) {
      org.apache.hadoop.fs.Path root = new org.apache.hadoop.fs.Path("/hbase");
      fs.mkdirs(root);
      fs.setOwner(root, "hbase", "hbase");
    }
    return null;
  }

  private static long metric(Bed bed, String server, String bean, String name) throws IOException {
    JsonNode value = bed.hbase(bed.process(server), bean).path(name);
    assertFalse(value.isMissingNode(), name);
    return value.asLong();
  }

  /** How often a server has logged in with its keytab. */
  private static long logins(Bed bed, String server) throws IOException {
    assertEquals(0, metric(bed, server, "name=UgiMetrics", "LoginFailureNumOps"), server);
    return metric(bed, server, "name=UgiMetrics", "LoginSuccessNumOps");
  }

  private static void awaitSpace(Bed bed) throws InterruptedException {
    bed.await("space on SSD is known", () -> metric(bed, "m0", HYBRID, "SsdSpaceKnown") == 1);
  }

  private static void awaitScans(Bed bed, int count) throws Exception {
    long before = metric(bed, "m0", HYBRID, "Scans");
    bed.await(count + " scans more", () -> metric(bed, "m0", HYBRID, "Scans") >= before + count);
  }

  private static void assertNoError(Bed bed, String after) throws Exception {
    for (String server : new String[] {"m0", "rs0"}) {
      assertEquals(List.of(), bed.process(server).sayingWithOurTrace(), after);
      assertEquals(0, metric(bed, server, HYBRID, "HookFailures"), after);
      for (String text : NO_TICKET) {
        assertEquals(List.of(), bed.process(server).saying(text), after);
      }
    }
    assertEquals(List.of(), bed.aborts(), after);
  }

  /** What the plugin's own command says, run by HBase's user with its keytab. */
  private static Tool hybrid(Bed bed, String verb) throws Exception {
    Tool tool = Tool.run(bed.command(List.of(Installation.plugin()), TOOL, verb));
    System.out.println(tool.said());
    assertTrue(tool.exit() <= 1, tool.said());
    return tool;
  }

  @Test
  @Timeout(value = 12, unit = TimeUnit.MINUTES)
  void placementOutlivesTicketsAndAFailover(@TempDir Path directory) throws Exception {
    run(
        directory,
        BedSpec::twoNameNodes,
        (bed, kerberos) -> {
          String plain = "http://" + bed.keys().get("dfs.namenode.http-address.bed.nn0");
          assertThrows(IOException.class, () -> Jmx.read(plain, "NameNodeStatus"), "HTTPS only");
          bed.startHBase();
          try (Load load = new Load(bed)) {
            load.createTable();
            load.put(ROWS);
            try (SteadyLoad steady = new SteadyLoad(new Load(bed), ROWS, System.out::println)) {
              Health health = new Health(bed);
              health.walsOn("SSD", "first start");
              health.writerInForceOrSaid("first start");
              awaitSpace(bed);

              outliveTickets(bed, load);
              health.walsOn("SSD", "after the first tickets");
              bed.awaitFilesOn("SSD", "rows"); // the tier's
              hybrid(bed, "apply");
              String check = hybrid(bed, "check").said();
              assertTrue(check.contains("\nOK: "), check);
              assertNoError(bed, "after the first tickets");

              failOver(bed);
              load.roll();
              load.expect(steady.end());
              health.good(load, "the other NameNode");
              assertNoError(bed, "the other NameNode");
            }
          }
        });
  }

  /** Until both servers have logged in again, and all tickets they had before are over. */
  private static void outliveTickets(Bed bed, Load load) throws Exception {
    List<Long> tickets = Kerberos.ticketSeconds();
    System.out.println("tickets for " + tickets + " s");
    assertFalse(tickets.isEmpty(), "a new login drops those for servers, not its own");
    assertTrue(tickets.stream().allMatch(seconds -> seconds <= TICKET_SECONDS), "too long");
    long unknown = metric(bed, "m0", HYBRID, "SpaceUnknown");
    for (String server : new String[] {"m0", "rs0"}) {
      bed.await("a second ticket of " + server, () -> logins(bed, server) > 1);
    }
    bed.await("the end of the first tickets", () -> uptime(bed) > TICKET_SECONDS);
    awaitScans(bed, 2);
    assertEquals(unknown, metric(bed, "m0", HYBRID, "SpaceUnknown"));
    assertEquals(1, metric(bed, "m0", HYBRID, "SsdSpaceKnown"));
    load.roll();
    load.flush();
  }

  /** Seconds since the last of the two servers has started. */
  private static long uptime(Bed bed) throws IOException {
    long least = Long.MAX_VALUE;
    for (String server : new String[] {"m0", "rs0"}) {
      ProcessHandle process = ProcessHandle.of(bed.process(server).id()).orElseThrow();
      Instant start = process.info().startInstant().orElseThrow();
      least = Math.min(least, Duration.between(start, Instant.now()).toSeconds());
    }
    return least;
  }

  /** The active NameNode dies, and the other one takes its place. */
  private static void failOver(Bed bed) throws Exception {
    bed.failOver(bed.process("nn0"));
    awaitScans(bed, 1);
    awaitSpace(bed);
  }

  private static void mode(Bed bed, String mode) throws IOException {
    for (String server : new String[] {"m0", "rs0"}) {
      bed.process(server).set(Map.of("hbase.hybrid.mode", mode));
    }
  }

  @Test
  @Timeout(value = 6, unit = TimeUnit.MINUTES)
  void withoutTicketTheToolAsksForKinit(@TempDir Path directory) throws Exception {
    run(
        directory,
        UnaryOperator.identity(),
        (bed, kerberos) -> {
          Path command = bed.command(List.of(Installation.plugin()), TOOL, "check");
          List<String> words = new ArrayList<>(Files.readAllLines(command));
          int tool = words.indexOf('"' + TOOL + '"');
          words.subList(tool - 3, tool).clear(); // the login
          Tool said = Tool.run(Files.write(command, words));
          assertEquals(3, said.exit(), said.said());
          assertTrue(said.said().contains("kinit"), said.said());
        });
  }

  /** Since each file is created with its policy, which HDFS reserves to nobody. */
  @Test
  @Timeout(value = 12, unit = TimeUnit.MINUTES)
  void policiesReservedToTheSuperuserKeepNoWalOffSsd(@TempDir Path directory) throws Exception {
    run(
        directory,
        spec ->
            spec.set("dfs.storage.policy.permissions.superuser-only", "true")
                .set("dfs.data.transfer.protection", "privacy")
                .set("hadoop.rpc.protection", "privacy"),
        (bed, kerberos) -> {
          mode(bed, "require");
          bed.startHBase();
          try (Load load = new Load(bed)) {
            Health health = new Health(bed);
            load.createTable();
            load.put(ROWS);
            load.flush();
            health.good(load, "policies reserved");
            awaitScans(bed, 1);
            hybrid(bed, "check");
            assertNoError(bed, "policies reserved");
          }
        });
  }
}
