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
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.hybridhbase.testing.Line;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.security.AuthenticationFilterInitializer;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Configurations that others have, on separate processes: HBase's user is no superuser of HDFS, and
 * reads of it what the superuser reads.
 */
@Tag("long")
@InterfaceAudience.Private
class StrangersIT {
  private static final String DFS_ADMIN = "org.apache.hadoop.hdfs.tools.DFSAdmin";
  private static final String SHELL = "org.apache.hadoop.fs.FsShell";
  private static final org.apache.hadoop.fs.Path ROOT = new org.apache.hadoop.fs.Path("/hbase");
  private static final String SSD_NODES = "user.hbase.hybrid-ssd-nodes";
  private static final ObjectMapper JSON = new ObjectMapper();

  private OwnedBed bed;
  private Load load;

  /** What a test does on a bed that runs and has rows. */
  private interface Case {
    void run() throws Exception;
  }

  private static BedSpec spec() throws IOException {
    return BedSpec.of(Line.built())
        .quick()
        .heap(Role.DATANODE, 128)
        .dataNodes(4)
        .plugin(Installation.plugin(), Installation.site())
        .set("hadoop.security.group.mapping", "org.apache.hadoop.security.NullGroupsMapping")
        .set("dfs.datanode.synconclose", "true")
        .set("hybrid.tests.period", "1");
  }

  /** Web pages that want a name. */
  private static BedSpec named(Path directory) throws IOException {
    Path secret = Files.writeString(directory.resolve("secret"), "of the servers");
    return spec()
        .set("hadoop.http.filter.initializers", AuthenticationFilterInitializer.class.getName())
        .set("hadoop.http.authentication.type", "simple")
        .set("hadoop.http.authentication.simple.anonymous.allowed", "false")
        .set("hadoop.http.authentication.signature.secret.file", secret.toString());
  }

  /** HDFS runs as this JVM's user. */
  private void run(BedSpec spec, Case what) throws Exception {
    try (OwnedBed owned = OwnedBed.make(spec)) {
      bed = owned;
      bed.startHdfs();
      bed.tool(SHELL, "-mkdir", "/hbase").fine();
      bed.tool(SHELL, "-chown", "hbase", "/hbase").fine();
      for (Role role : List.of(Role.MASTER, Role.REGIONSERVER)) {
        for (ServerProcess process : bed.processes(role)) {
          asHBase(process.arguments());
        }
      }
      bed.startHBase();
      Tool report = Tool.run(asHBase(bed.command(List.of(), DFS_ADMIN, "-report")));
      assertNotEquals(0, report.exit(), "HBase's user is a superuser: " + report.said());
      try (Load made = new Load(bed)) {
        load = made;
        load.createTable();
        load.put(200);
        load.flush();
        what.run();
        load.assertAllThere();
        assertEquals(List.of(), bed.aborts());
      }
    }
  }

  private static Path asHBase(Path arguments) throws IOException {
    List<String> words = new ArrayList<>(Files.readAllLines(arguments));
    words.add(0, "-DHADOOP_USER_NAME=hbase");
    return Files.write(arguments, words);
  }

  private JsonNode check(boolean superuser, String after) throws Exception {
    Path command =
        bed.command(
            List.of(Installation.plugin()), Installation.TOOL, "check", "--blocks", "--json");
    String said = Tool.run(superuser ? command : asHBase(command)).said();
    JsonNode json = JSON.readTree(said.substring(said.indexOf('{')));
    String who = superuser ? ", superuser: " : ", hbase: ";
    System.out.println(LocalTime.now() + " " + after + who + json.get("findings"));
    return json;
  }

  /** Of all findings but those on this machine's disk and load: the id of each, its severity. */
  private static Map<String, String> severities(JsonNode check) {
    Map<String, String> all = new TreeMap<>();
    check
        .get("findings")
        .forEach(it -> all.put(it.get("id").asText(), it.get("severity").asText()));
    all.keySet().removeAll(Set.of("zookeeper-on-disk", "stalled-datanode"));
    return all;
  }

  /** No finding above a note, and nothing that a superuser sees and HBase's user does not. */
  private Set<String> fine(String after) throws Exception {
    JsonNode superusers = check(true, after);
    JsonNode hbases = check(false, after);
    Map<String, String> found = severities(hbases);
    assertEquals(severities(superusers), found, after);
    assertEquals(superusers.get("notChecked"), hbases.get("notChecked"), after);
    found.forEach((id, severity) -> assertEquals("NOTE", severity, after + ": " + id));
    return found.keySet();
  }

  /** The master reads space and media, by the web servers of NameNodes and DataNodes. */
  private void read(String after) throws Exception {
    bed.await(
        after + ": space on four DataNodes",
        () -> {
          JsonNode master = bed.plugin(bed.process("m0"));
          return master.path("SsdSpaceKnown").asInt() == 1
              && master.path("SsdDataNodes").asInt() == 4;
        });
    bed.await(
        after + ": four DataNodes, all with SSD, in one rack",
        () -> {
          byte[] found = load.fs.getXAttrs(ROOT).get(SSD_NODES);
          return found != null && "v1 4 4 0 1".equals(new String(found, StandardCharsets.UTF_8));
        });
    bed.awaitHBase();
    load.put(50);
    load.roll();
    new Health(bed).walsOn("SSD", after);
    assertEquals(List.of(), bed.process("m0").saying("Not let in by"), after);
    assertEquals(Set.of(), fine(after));
  }

  @ParameterizedTest
  @CsvSource({"DEFAULT,false", "ANYWHERE,false", "DEFAULT,true"})
  @Timeout(value = 8, unit = TimeUnit.MINUTES)
  void webAddressesOfAPair(BedSpec.Web web, boolean https, @TempDir Path directory)
      throws Exception {
    BedSpec spec = spec().twoNameNodes(web);
    if (https) {
      spec = spec.set("dfs.http.policy", "HTTPS_ONLY").files(Kerberos.certificate(directory));
    }
    ClassLoader before = Thread.currentThread().getContextClassLoader();
    URL[] certificate = {directory.toUri().toURL()};
    Thread.currentThread().setContextClassLoader(new URLClassLoader(certificate, before));
    try {
      run(spec, this::failOver);
    } finally {
      Thread.currentThread().setContextClassLoader(before);
    }
  }

  private void failOver() throws Exception {
    read("the first NameNode");
    load.fs.removeXAttr(ROOT, SSD_NODES);
    ServerProcess first = bed.process("nn0");
    bed.failOver(first);
    ServerProcess master = bed.process("m0");
    master.end();
    master.start();
    read("the other NameNode");
    first.start();
    String page = BedSite.webOf(bed.keys(), "nn0");
    String status = "Hadoop:service=NameNode,name=NameNodeStatus";
    bed.await("a standby", () -> Jmx.read(page, status).path("State").asText().equals("standby"));
    read("the other NameNode beside a standby");
  }

  @Test
  @Timeout(value = 12, unit = TimeUnit.MINUTES)
  void aDataNodeInMaintenance(@TempDir Path directory) throws Exception {
    Path hosts = Files.writeString(directory.resolve("hosts.json"), "[]");
    String provider = "org.apache.hadoop.hdfs.server.blockmanagement.CombinedHostFileManager";
    BedSpec spec =
        named(directory)
            .set("dfs.namenode.hosts.provider.classname", provider)
            .set("dfs.hosts", hosts.toString());
    run(
        spec,
        () -> {
          assertEquals(Set.of(), fine("the start"));
          maintain(hosts);
          fine("maintenance is asked for");
          String counter = "NumInMaintenanceLiveDataNodes";
          bed.await(counter, () -> bed.nameNode("FSNamesystemState").path(counter).asInt() == 1);
          assertEquals(Set.of("replicas-in-maintenance"), fine("maintenance"));
        });
  }

  /** Has the last DataNode enter maintenance. */
  private void maintain(Path hosts) throws Exception {
    List<Map<String, Object>> all = new ArrayList<>();
    for (ServerProcess node : bed.processes(Role.DATANODE)) {
      String[] address = node.get("dfs.datanode.address").split(":", 2);
      Map<String, Object> host = new HashMap<>();
      host.put("hostName", address[0]);
      host.put("port", Integer.valueOf(address[1]));
      if (node.name().equals("dn3")) {
        long end = System.currentTimeMillis() + TimeUnit.HOURS.toMillis(1);
        host.putAll(Map.of("adminState", "IN_MAINTENANCE", "maintenanceExpireTimeInMS", end));
      }
      all.add(host);
    }
    JSON.writeValue(hosts.toFile(), all);
    bed.tool(DFS_ADMIN, "-refreshNodes").fine();
  }
}
