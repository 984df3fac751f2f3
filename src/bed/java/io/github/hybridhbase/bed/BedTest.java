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
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.testing.Line;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.net.CachedDNSToSwitchMapping;
import org.apache.hadoop.net.DNSToSwitchMapping;
import org.apache.hadoop.util.ReflectionUtils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The parts of the bed that need no cluster; a shell that sleeps stands for a server. */
class BedTest {
  private static final Duration SOON = Duration.ofSeconds(30);

  @TempDir Path scratch;

  private final List<Process> started = new ArrayList<>();

  @AfterEach
  void end() {
    started.forEach(Process::destroyForcibly);
  }

  private Pid sleeper() throws IOException {
    Process process = new ProcessBuilder("sleep", "600").start();
    started.add(process);
    return Pid.of(process.pid());
  }

  private static void await(java.util.concurrent.Callable<Boolean> condition) throws Exception {
    Waiting.until("it", SOON, condition, () -> null, () -> "");
  }

  @Test
  void aProcessIsItsIdAndItsStart() throws Exception {
    Pid pid = sleeper();
    Path file = scratch.resolve("pid");
    pid.write(file);
    assertEquals(pid, Pid.read(file));
    assertTrue(pid.isAlive());
    Files.writeString(file, pid.id() + " 1\n");
    assertFalse(Pid.read(file).isAlive(), "another process has the id");
    assertNull(Pid.read(scratch.resolve("none")));
  }

  @Test
  void aProcessIsStoppedContinuedAndKilled() throws Exception {
    Pid pid = sleeper();
    pid.signal("STOP");
    await(pid::isStopped);
    assertTrue(pid.isAlive());
    pid.signal("CONT");
    await(() -> !pid.isStopped());
    pid.signal("KILL");
    await(() -> !pid.isAlive());
    pid.signal("KILL"); // of what is gone
  }

  /** HBase's master logs what an aborting RegionServer reports to it, with the same line. */
  @Test
  void anAbortIsListedForTheServerItself() throws IOException {
    log(
        "m0",
        "ERROR ***** ABORTING master m0: no ***** ",
        "WARN rs0 reported a fatal error:",
        "***** ABORTING region server rs0: no *****");
    log("rs0", "ERROR ***** ABORTING region server rs0: no *****");
    assertEquals(
        List.of(
            "m0: ERROR ***** ABORTING master m0: no ***** ",
            "rs0: ERROR ***** ABORTING region server rs0: no *****"),
        new Bed(scratch).aborts());
  }

  private void log(String process, String... lines) throws IOException {
    Path directory = Files.createDirectories(scratch.resolve(process));
    Files.writeString(directory.resolve("java.args"), "");
    Files.write(directory.resolve("log"), List.of(lines));
  }

  @Test
  void theFirstDataNodesHaveSsd() throws IOException {
    BedSpec spec = BedSpec.of(Line.built()).dataNodes(12).ssdDataNodes(2);
    assertEquals(List.of("SSD", "DISK"), spec.media("dn1"));
    assertEquals(List.of("DISK"), spec.media("dn11"));
    BedSite site = new BedSite(spec, scratch, new Ports(3), null);
    String directories = site.own(Role.DATANODE, "dn2").get("dfs.datanode.data.dir");
    assertTrue(directories.startsWith("[DISK]") && !directories.contains("SSD"), directories);
    assertEquals("0", site.own(Role.DATANODE, "dn2").get("dfs.datanode.failed.volumes.tolerated"));
    assertNull(site.own(Role.DATANODE, "dn1").get("dfs.datanode.failed.volumes.tolerated"));
  }

  @Test
  void dataNodesAreInRacksByTheirNames() throws IOException {
    BedSpec spec = BedSpec.of(Line.built()).dataNodes(3).racks(2);
    BedSite site = new BedSite(spec, scratch, new Ports(4), null);
    Map<String, String> nameNode = site.own(Role.NAMENODE, "nn0");
    assertEquals(
        List.of("dn0 /r0", "dn1 /r1", "dn2 /r0"),
        Files.readAllLines(Path.of(nameNode.get("net.topology.table.file.name"))));
    assertEquals("dn2", site.own(Role.DATANODE, "dn2").get("dfs.datanode.hostname"));
    BedSite one = new BedSite(BedSpec.of(Line.built()), scratch, new Ports(5), null);
    assertNull(one.own(Role.NAMENODE, "nn0").get("net.topology.table.file.name"));
    assertNull(one.own(Role.DATANODE, "dn0").get("dfs.datanode.hostname"));
  }

  /** By HDFS's own class, which is private there. */
  @Test
  void hdfsReadsTheRacksOfTheBed() throws Exception {
    BedSpec spec = BedSpec.of(Line.built()).dataNodes(2).racks(2);
    BedSite site = new BedSite(spec, scratch, new Ports(6), null);
    Configuration conf = new Configuration(false);
    site.own(Role.NAMENODE, "nn0").forEach(conf::set);
    Class<? extends DNSToSwitchMapping> mapping =
        conf.getClass("net.topology.node.switch.mapping.impl", null, DNSToSwitchMapping.class);
    assertFalse(CachedDNSToSwitchMapping.class.isAssignableFrom(mapping));
    assertEquals(
        List.of("/r0", "/r1"),
        ReflectionUtils.newInstance(mapping, conf).resolve(List.of("dn0", "dn1")));
  }

  @Test
  void portsAreGivenOnce() throws IOException {
    Ports ports = new Ports(1);
    Set<Integer> given = new HashSet<>();
    for (int i = 0; i < 200; i++) {
      assertTrue(given.add(ports.free()));
    }
  }

  @Test
  void waitingEndsWithTheEvidence() throws Exception {
    AssertionError late =
        assertThrows(
            AssertionError.class,
            () ->
                Waiting.until(
                    "rain",
                    Duration.ZERO,
                    () -> {
                      throw new IOException("dry");
                    },
                    () -> null,
                    () -> "the log"));
    assertEquals("rain: waited 0 s\nthe log", late.getMessage());
    assertEquals("dry", late.getCause().getMessage());
    AssertionError hopeless =
        assertThrows(
            AssertionError.class,
            () -> Waiting.until("rain", SOON, () -> false, () -> "no cloud", () -> ""));
    assertEquals("rain: no cloud\n", hopeless.getMessage());
  }

  @Test
  void aSiteFileKeepsItsKeysAsTheyAreWritten() throws IOException {
    Map<String, String> keys = Map.of("a", "${b} & <c>", "b", "[SSD]file:///x,[DISK]file:///y");
    SiteFile.write(scratch, keys);
    assertEquals(keys, SiteFile.read(scratch.resolve("hdfs-site.xml")));
  }

  @Test
  void everyProcessHasPortsAndDirectoriesOfItsOwn() throws IOException {
    BedSpec spec = BedSpec.of(Line.built()).twoNameNodes().set("dfs.replication", "2");
    BedSite site = new BedSite(spec, scratch, new Ports(2), null);
    Map<String, String> common = site.common();
    assertEquals("2", common.get("dfs.replication"));
    assertEquals("hdfs://bed/hbase", common.get("hbase.rootdir"));
    assertNotEquals(BedSite.webOf(common, "nn0"), BedSite.webOf(common, "nn1"));
    Map<String, String> first = site.own(Role.DATANODE, "dn0");
    Map<String, String> second = site.own(Role.DATANODE, "dn1");
    first.forEach((key, value) -> assertNotEquals(value, second.get(key), key));
    assertTrue(first.get("dfs.datanode.data.dir").startsWith("[SSD]file:///"));
  }

  @Test
  void aBedWhoseOwnerIsGoneIsReaped() throws Exception {
    Path bed = Files.createDirectories(scratch.resolve("bed"));
    Files.writeString(bed.resolve("owner"), "");
    Pid server = sleeper();
    Pid other = sleeper();
    server.write(Files.createDirectories(bed.resolve("dn0")).resolve("pid"));
    Path reused = Files.createDirectories(bed.resolve("dn1")).resolve("pid");
    Files.writeString(reused, other.id() + " 1\n");
    // The pipe closes as it would with the JVM.
    Reaper.start(bed).close();
    await(() -> !server.isAlive() && Files.notExists(bed));
    assertTrue(other.isAlive());
  }

  @Test
  void linesAreFoundByTheirBeginning() throws IOException {
    assertEquals("2.6.1-hadoop3", Line.of("2.6.1").version());
    assertEquals("3.0.0", Line.of("3.0.0").version());
    assertThrows(IllegalArgumentException.class, () -> Line.of("2.6"));
    assertThrows(IllegalArgumentException.class, () -> Line.of("3.0.0").serverJars());
  }

  @Test
  void theRehearsalSaysWhatItDoes() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    assertEquals(BedCommand.FINE, Rehearsal.run(new String[] {"--help"}, out, out));
    assertEquals(BedCommand.USAGE, Rehearsal.run(new String[] {"now"}, out, out));
    assertEquals(BedCommand.USAGE, Rehearsal.run(new String[] {"--no"}, out, out));
    String help = bytes.toString(StandardCharsets.UTF_8);
    assertTrue(help.contains("Example: hbase-hybrid rehearse --dir /tmp/beds"), help);
  }

  @Test
  void theCommandSaysWhatItDoes() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    assertEquals(BedCommand.FINE, BedCommand.run(new String[] {"--help"}, out, out));
    String help = bytes.toString(StandardCharsets.UTF_8);
    assertTrue(help.contains("Example: hbase-hybrid bed up --line 2.6.1"), help);
    for (String[] wrong :
        new String[][] {{}, {"ps", "--bed", "/no/such"}, {"up", "--datanodes", "few"}, {"--no"}}) {
      assertEquals(BedCommand.USAGE, BedCommand.run(wrong, out, out));
    }
  }

  /** It counts fail-overs by what a RegionServer logs. */
  @ParameterizedTest
  @CsvSource({"FailOver, " + StallBench.LEFT, "StalledNodes, " + StallBench.BACK})
  void whatTheStallBenchLooksForIsLogged(String type, String text) throws IOException {
    Path failover = Line.base().resolve("src/main/java/io/github/hybridhbase/wal/failover");
    String source = Files.readString(failover.resolve(type + ".java"));
    assertTrue(source.replaceAll("\"\\s*\\+\\s*\"", "").contains(text), text);
  }
}
