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
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.hybridhbase.testing.Line;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The findings of {@code check} for troubles on real processes: one finding for a cause, which ends
 * with it, and a verdict within seconds from what does not answer.
 */
@Tag("long")
@InterfaceAudience.Private
class VerdictIT {
  private static final String DFS_ADMIN = "org.apache.hadoop.hdfs.tools.DFSAdmin";
  private static final String POLICIES = "org.apache.hadoop.hdfs.tools.StoragePolicyAdmin";
  private static final ObjectMapper JSON = new ObjectMapper();

  private OwnedBed bed;
  private Installation plugin;

  private String says(int exit, List<String> verb, String... parts) throws Exception {
    long start = System.nanoTime();
    Tool tool = plugin.hybrid(verb.toArray(new String[0]));
    String said = tool.said();
    System.out.printf(
        "%s exits with %d after %.1f s%n%s%n",
        verb, tool.exit(), (System.nanoTime() - start) / 1e9, said);
    assertEquals(exit, tool.exit(), said);
    for (String part : parts) {
      assertTrue(said.contains(part), said);
    }
    assertFalse(said.contains("\tat ") || said.contains("fault of the tool"), said);
    return said;
  }

  /** The findings of errors and warnings, each with its subject, as {@code check} orders them. */
  private List<String> findings() throws Exception {
    String said = plugin.hybrid("check", "--json").said();
    List<String> found = new ArrayList<>();
    for (JsonNode one : JSON.readTree(said.substring(said.indexOf('{'))).get("findings")) {
      if (!one.get("severity").asText().equals("NOTE")) {
        found.add(one.get("id").asText() + " " + one.get("subject").asText() + one.get("seen"));
      }
    }
    System.out.printf("%tT %s%n", LocalTime.now(), found);
    return found;
  }

  /** Waits for one finding, which names something; nothing but it and its forerunners is seen. */
  private void finds(String id, String named, String... before) throws Exception {
    bed.await(
        id,
        () -> {
          List<String> found = findings();
          List<String> ids =
              found.stream().map(one -> one.split(" ", 2)[0]).collect(Collectors.toList());
          assertTrue(
              ids.size() < 2
                  && (ids.isEmpty()
                      || ids.get(0).equals(id)
                      || Arrays.asList(before).contains(ids.get(0))),
              ids::toString);
          return ids.equals(List.of(id)) && found.get(0).contains(named);
        });
  }

  private void fine(String after) throws Exception {
    bed.await("OK after " + after, () -> findings().isEmpty());
  }

  /** Of the RegionServers' WALs. */
  private Set<String> policies() throws Exception {
    Set<String> names = new TreeSet<>();
    try (FileSystem fs = FileSystem.newInstance(bed.client())) {
      for (Fsck.File wal : bed.fsck("/hbase").below(BedWals.DIRECTORY)) {
        names.add(fs.getStoragePolicy(new Path(wal.path)).getName());
      }
    }
    return names;
  }

  private void restart(ServerProcess server) throws Exception {
    server.end();
    bed.startServer(server);
  }

  @Test
  @Timeout(value = 25, unit = TimeUnit.MINUTES)
  void aTroubleIsOneFindingAndEndsWithIt() throws Exception {
    BedSpec spec =
        BedSpec.of(Line.built())
            .dataNodes(4)
            .regionServers(2)
            .ssdMegabytes(600)
            .set("dfs.datanode.round-robin-volume-choosing-policy.additional-available-space", "0")
            .set("dfs.blocksize", Integer.toString(8 << 20))
            .set("hbase.regionserver.hlog.blocksize", Integer.toString(8 << 20))
            // The blocks of the master's WAL are twice as large.
            .set("hbase.master.store.region.flush.size", Integer.toString(4 << 20));
    try (OwnedBed owned = OwnedBed.make(spec)) {
      bed = owned;
      plugin = new Installation(bed, Map.of());
      bed.start();
      says(1, List.of("apply", "--yes"), "Not done: ");
      Tool stock =
          Tool.run(bed.command(List.of(Installation.plugin()), Installation.TOOL, "check"));
      System.out.println(stock.said());
      assertEquals(1, stock.exit());
      assertTrue(stock.said().contains("\nWARNING: 1 warning"), stock.said());
      assertTrue(stock.said().contains("WARNING  not-installed"), stock.said());

      for (String name : List.of("m0", "rs0", "rs1")) {
        plugin.putIn(bed.process(name));
        restart(bed.process(name));
      }
      fine("the installation");
      says(0, List.of("check"), "OK: ", "Page: http://");

      ServerProcess dataNode = bed.process("dn1");
      String name = dataNode.get("dfs.datanode.address").replaceFirst(".*:", ":");
      dataNode.kill();
      finds("datanode-silent", name);
      dataNode.start();
      fine("a DataNode's return");
      dataNode.stop();
      finds("datanode-silent", name, "stalled-datanode");
      dataNode.resume();
      fine("a hang of a DataNode");

      bed.tool(POLICIES, "-setStoragePolicy", "-path", "/hbase/WALs", "-policy", "WARM").fine();
      finds("policy-above", "/hbase/WALs");
      bed.tool(POLICIES, "-unsetStoragePolicy", "-path", "/hbase/WALs").fine();
      fine("a policy of an admin's");

      bed.tool(DFS_ADMIN, "-setSpaceQuota", "1", "-storageType", "SSD", "/hbase").fine();
      finds("ssd-quota", "/hbase");
      bed.tool(DFS_ADMIN, "-clrSpaceQuota", "-storageType", "SSD", "/hbase").fine();
      fine("a quota");

      bed.resizeSsds(40);
      finds("ssd-space", "");
      bed.resizeSsds(600);
      fine("full SSDs");

      ServerProcess server = bed.process("rs1");
      server.set(Map.of("hbase.hybrid.wal.policy", "ONE_SSD"));
      restart(server);
      finds("declarations-differ", "hbase.hybrid.wal.policy");
      bed.await("WALs by either", () -> policies().equals(Set.of("ALL_SSD", "ONE_SSD")));
      plugin.takeJarAway(server);
      server.end();
      server.start();
      bed.await("the end of a server with the keys alone", () -> !server.isAlive());
      assertTrue(server.said("HybridWALProvider"), server::tail);
      plugin.putIn(server);
      plugin.takeKeysOut(server);
      restart(server);
      finds("not-loaded", "localhost");
      plugin.putIn(server);
      server.unset(Set.of("hbase.hybrid.wal.policy"));
      restart(server);
      fine("a RegionServer without the plugin");

      bed.end();
      bed.process("nn0").set(Map.of("dfs.storage.policy.enabled", "false"));
      bed.start();
      finds("policies-disabled", "dfs.storage.policy.enabled");
    }
  }

  @Test
  @Timeout(value = 15, unit = TimeUnit.MINUTES)
  void partsThatDoNotAnswer() throws Exception {
    BedSpec spec = BedSpec.of(Line.built()).plugin(Installation.plugin(), Installation.site());
    try (OwnedBed owned = OwnedBed.make(spec)) {
      bed = owned;
      plugin = new Installation(bed, Map.of());
      bed.start();
      says(0, List.of("check", "--blocks"), "OK: ", "Page: http://");
      String elsewhere = "hbase.rootdir=hdfs://no-such-host.invalid:8020/hbase";
      says(3, List.of("check", "-D", elsewhere), "does not resolve");

      for (String name : List.of("rs0", "m0", "zk0")) {
        bed.process(name).kill();
      }
      says(3, List.of("check"), "NOT KNOWN: ", "not seen: HBase's servers");

      bed.process("nn0").stop();
      says(
          3,
          List.of("check"),
          "Waiting for an answer of HDFS",
          "HDFS did not answer within 20 s (hbase.rootdir=" + bed.keys().get("hbase.rootdir"));
      bed.process("nn0").kill();
      says(3, List.of("check"), "The cluster could not be reached");
    }
  }
}
