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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Servers of one cluster that differ, as separate processes: in their site files, in whether they
 * have the jar, in their grouping of WALs, and in their line of HBase.
 */
@InterfaceAudience.Private
@Tag("long")
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class FleetIT {
  private static final int ROWS = 200;
  private static final String STORES =
      "org.apache.hadoop.hdfs.server.federation.store.driver.impl.";
  private static final Map<String, String> HSYNC = Map.of("hbase.hybrid.wal.hsync", "auto");

  private static BedSpec spec(Line line) throws Exception {
    return BedSpec.of(line)
        .regionServers(2)
        .plugin(Installation.plugin(), Installation.site())
        .set("hbase.hybrid.wal.hsync", "auto")
        .set("hbase.hybrid.ssd.retry", "5s");
  }

  /** What is done with a bed, its table with rows, and its health. */
  private interface Steps {
    void take(OwnedBed bed, Load load, Health health) throws Exception;
  }

  private static void on(BedSpec spec, Steps steps) throws Exception {
    try (OwnedBed bed = OwnedBed.make(spec)) {
      bed.start();
      loaded(bed, steps);
    }
  }

  private static void loaded(OwnedBed bed, Steps steps) throws Exception {
    try (Load load = new Load(bed)) {
      load.createTable();
      load.put(ROWS);
      steps.take(bed, load, new Health(bed));
    }
  }

  private static void again(Bed bed, String name) throws Exception {
    bed.process(name).end();
    bed.startServer(bed.process(name));
  }

  private static void killed(Bed bed, String name) throws Exception {
    bed.process(name).kill();
    bed.startServer(bed.process(name));
  }

  /** Or one that comes back with an old file. */
  @Test
  void eachServersSiteFileCountsForItsOwnWals() throws Exception {
    on(
        spec(Lines.one()),
        (bed, load, health) -> {
          bed.process("rs1").set(Map.of("hbase.hybrid.wal.policy", "HOT"));
          again(bed, "rs1");
          load.put(ROWS);
          bed.await("two declarations", () -> policies(bed, load).equals(Set.of("ALL_SSD", "HOT")));
          assertEquals("HOT", load.policy("/hbase/WALs"));
          health.unharmed(load, "a server with another declaration");
          Tool doctor = new Installation(bed, Map.of()).hybrid("check");
          assertTrue(doctor.said().contains("declarations-differ"), doctor.said());
          assertTrue(doctor.said().contains("HOT on localhost"), doctor.said());
        });
  }

  /** The policies in force on the servers' WALs. */
  private static Set<String> policies(Bed bed, Load load) throws Exception {
    Set<String> found = new TreeSet<>();
    for (Fsck.File wal : bed.fsck("/hbase").below("/hbase/WALs")) {
      found.add(load.policy(wal.path));
    }
    return found;
  }

  @Test
  void aBackupMasterWithoutThePluginBecomesActiveAndBack() throws Exception {
    on(
        spec(Lines.one()).masters(2),
        (bed, load, health) -> {
          Installation plugin = new Installation(bed, HSYNC);
          ServerProcess backup = bed.process("m1");
          plugin.takeKeysOut(backup);
          plugin.takeJarAway(backup);
          again(bed, "m1");
          killed(bed, "m0"); // m1 is active, and knows nothing of the plugin
          load.put(ROWS);
          load.roll();
          health.unharmed(load, "an active master without the plugin");
          killed(bed, "rs0");
          health.unharmed(load, "a server killed under it");
          killed(bed, "m1"); // m0 is active again
          bed.await("the plugin in the active master", () -> bed.process("m0").said("SSD tier is"));
          load.put(ROWS);
          health.good(load, "a master with the plugin again");
        });
  }

  @Test
  void theJarWithoutTheKeysAndTheKeysWithoutTheJar() throws Exception {
    on(
        spec(Lines.one()),
        (bed, load, health) -> {
          Installation plugin = new Installation(bed, HSYNC);
          ServerProcess server = bed.process("rs1");

          // The keys stand, and the jar is gone: the server does not start, and says what it lacks.
          plugin.takeJarAway(server);
          server.end();
          server.start();
          bed.await("the end of a server without the jar", () -> !server.isAlive());
          assertTrue(server.said("HybridWALProvider"), server::tail);
          bed.awaitHBase();
          load.put(ROWS);
          load.assertAllThere();
          // HBase calls the end of such a start an abort, so that aborts are not counted from here
          // on.

          // The jar is there, and the keys are gone: stock HBase.
          plugin.putIn(server);
          plugin.takeKeysOut(server);
          server.start();
          bed.awaitHBase();
          load.put(ROWS);
          load.assertAllThere();

          plugin.putIn(server);
          again(bed, "rs1");
          load.put(ROWS);
          load.assertAllThere();
          health.walsOn("SSD", "a server with both again");
          health.writerInForceOrSaid("a server with both again");
        });
  }

  /** Its own rolling upgrade, masters first, with the plugin on. */
  @Test
  void hbaseItselfIsUpgradedServerByServer() throws Exception {
    Line to = Line.of("2.6.4");
    on(
        spec(Line.of("2.5.13")).masters(2),
        (bed, load, health) -> {
          health.good(load, "2.5.13");
          for (String name : List.of("m1", "m0", "rs0", "rs1")) {
            bed.process(name).command(to.serverJars(), List.of(Installation.plugin()));
            if (name.equals("rs0")) {
              killed(bed, name); // with edits in its WAL that the new line writes no more
            } else {
              again(bed, name);
            }
            load.put(ROWS);
            health.unharmed(load, name + " is 2.6.4");
          }
          load.flush();
          load.roll();
          health.good(load, "2.6.4");
          killed(bed, "rs1");
          health.good(load, "2.6.4, a server killed");
        });
  }

  @Test
  void anObserverNameNode() throws Exception {
    BedSpec spec =
        spec(Lines.one())
            .twoNameNodes()
            .set("dfs.ha.tail-edits.in-progress", "true")
            .set("dfs.ha.tail-edits.period", "100ms")
            .set("dfs.namenode.state.context.enabled", "true")
            .set(
                "dfs.client.failover.proxy.provider.bed",
                "org.apache.hadoop.hdfs.server.namenode.ha.ObserverReadProxyProvider")
            .set("dfs.client.failover.observer.auto-msync-period.bed", "100ms");
    try (OwnedBed bed = OwnedBed.make(spec)) {
      bed.startHdfs();
      bed.tool("org.apache.hadoop.hdfs.tools.DFSHAAdmin", "-transitionToObserver", "nn1").fine();
      bed.startHBase();
      loaded(
          bed,
          (on, load, health) -> {
            health.good(load, "an observer NameNode");
            load.flush();
            killed(on, "rs0");
            health.good(load, "a server killed beside an observer NameNode");
            Tool audit = new Installation(on, HSYNC).hybrid("check", "--blocks");
            System.out.println(audit.said());
            assertEquals(0, audit.exit(), audit.said());
          });
    }
  }

  /**
   * The name of a file system that mounts the HDFS; HBase's roots name it or the HDFS behind it.
   */
  @Test
  void viewFs() throws Exception {
    BedSpec spec = spec(Lines.one());
    try (OwnedBed bed = OwnedBed.make(spec)) {
      String hdfs = bed.keys().get("fs.defaultFS");
      Map<String, String> mounts =
          Map.of(
              "fs.viewfs.mounttable.c.link./hbase", hdfs + "/hbase",
              "fs.viewfs.mounttable.c.link./tmp", hdfs + "/tmp");
      bed.startHdfs();
      bed.tool("org.apache.hadoop.fs.FsShell", "-mkdir", "-p", "/hbase", "/tmp").fine();
      for (ServerProcess process : servers(bed)) {
        process.set(mounts);
        process.set(Map.of("fs.defaultFS", "viewfs://c/", "hbase.rootdir", "viewfs://c/hbase"));
      }
      bed.startHBase();
      loaded(
          bed,
          (on, load, health) -> {
            load.flush();
            health.unharmed(load, "viewfs in hbase.rootdir");
            health.walsOn("DISK", "viewfs in hbase.rootdir");
            assertTrue(on.process("m0").said("no storage policies"), on.process("m0")::tail);
            for (ServerProcess process : servers(on)) {
              process.set(Map.of("hbase.rootdir", hdfs + "/hbase"));
              process.end();
            }
            on.startHBase();
            load.put(ROWS);
            load.roll();
            health.good(load, "the HDFS behind it in hbase.rootdir");
          });
    }
  }

  /** Phoenix, whose codec writes the WAL's entries. */
  @Test
  void phoenix() throws Exception {
    BedSpec spec =
        spec(Lines.one())
            .heap(Role.DATANODE, 128)
            .beside(Neighbour.of("phoenix").jars)
            .set(
                "hbase.regionserver.wal.codec",
                "org.apache.hadoop.hbase.regionserver.wal.IndexedWALEditCodec")
            .set("hbase.hybrid.scan.period", "5s")
            .set("hybrid.tests.period", "1")
            // The hooks that may let a write wait are in the way too.
            .set("hbase.hybrid.tier.write.delay", "1000ms");
    on(
        spec,
        (bed, load, health) -> {
          bed.awaitTier();
          phoenix(bed, "create", "0", "0");
          phoenix(bed, "write", "0", "1000");
          for (String table : List.of("THINGS", "BY_COLOUR")) {
            load.connection.getAdmin().flush(TableName.valueOf(table));
            Neighbour.awaitFilesOn(bed, "SSD", "default/" + table);
          }
          phoenix(bed, "write", "1000", "2000");
          phoenix(bed, "read", "0", "2000");
          // One after the other, so that each table's has: where its regions are is HBase's choice.
          killed(bed, "rs0");
          killed(bed, "rs1");
          phoenix(bed, "read", "0", "2000");
          health.good(load, "Phoenix");
          health.noHookFailed("Phoenix");
        });
  }

  private static void phoenix(Bed bed, String step, String from, String to) throws Exception {
    String port = bed.keys().get("hbase.zookeeper.property.clientPort");
    String url = "jdbc:phoenix:" + Ports.LOOPBACK + ":" + port + ":/hbase";
    List<Path> before = new ArrayList<>(List.of(bed.conf()));
    before.addAll(bed.jars());
    Neighbour.of("phoenix").program(bed, before, "PhoenixClient.java", url, step, from, to);
  }

  /** A group of servers with a table of its own; HBase keeps what it knows in a system table. */
  @Test
  void groupsOfServers() throws Exception {
    Neighbour fleet = Neighbour.of("fleet");
    BedSpec spec =
        spec(Line.of("2.6.1"))
            .regionServers(3)
            .beside(fleet.jars)
            .set(
                "hbase.coprocessor.master.classes",
                "io.github.hybridhbase.coprocessor.HybridMasterObserver,"
                    + "org.apache.hadoop.hbase.rsgroup.RSGroupAdminEndpoint")
            .set(
                "hbase.master.loadbalancer.class",
                "org.apache.hadoop.hbase.rsgroup.RSGroupBasedLoadBalancer");
    on(
        spec,
        (bed, load, health) -> {
          bed.await("groups", () -> bed.process("m0").said("GroupBasedLoadBalancer is now online"));
          List<Path> before = new ArrayList<>(List.of(bed.conf()));
          before.addAll(bed.jars());
          String port = bed.process("rs2").get("hbase.regionserver.port");
          fleet.program(bed, before, "GroupClient.java", port, "rows");
          bed.awaitHBase();
          load.put(ROWS);
          health.good(load, "a table in a group of its own");
          killed(bed, "rs2"); // the only server of the group
          load.put(ROWS);
          health.good(load, "the group's server killed");
          killed(bed, "m0");
          health.good(load, "the master killed");
        });
  }

  private static Tool backup(Bed bed, Neighbour fleet, String main, String... words)
      throws Exception {
    Tool tool = Tool.run(bed.command(fleet.jars, "org.apache.hadoop.hbase.backup." + main, words));
    System.out.println(tool.said().lines().filter(line -> line.contains("ackup")).count());
    return tool.fine();
  }

  private static String id(Tool backup) {
    Matcher id = Pattern.compile("backup_\\d+").matcher(backup.said());
    assertTrue(id.find(), backup.said());
    return id.group();
  }

  /** HBase's own, whose increment is read from WALs that the plugin's writer wrote. */
  @Test
  void anIncrementalBackup() throws Exception {
    Neighbour fleet = Neighbour.of("fleet");
    String backup = "org.apache.hadoop.hbase.backup.";
    String cleaners =
        Stream.of("Log", "ProcedureWAL", "MasterLocalStoreWAL")
            .map(of -> "org.apache.hadoop.hbase.master.cleaner.TimeToLive" + of + "Cleaner,")
            .collect(Collectors.joining("", "", backup + "master.BackupLogCleaner"));
    BedSpec spec =
        spec(Line.of("2.6.1"))
            .beside(fleet.jars)
            .set("hbase.backup.enable", "true")
            .set("hbase.master.logcleaner.plugins", cleaners)
            .set("hbase.procedure.master.classes", backup + "master.LogRollMasterProcedureManager")
            .set(
                "hbase.procedure.regionserver.classes",
                backup + "regionserver.LogRollRegionServerProcedureManager")
            .set(
                "hbase.coprocessor.region.classes",
                "io.github.hybridhbase.coprocessor.HybridRegionObserver,"
                    + "org.apache.hadoop.hbase.backup.BackupObserver");
    on(
        spec,
        (bed, load, health) -> {
          String to = bed.keys().get("fs.defaultFS") + "/backups";
          backup(bed, fleet, "BackupDriver", "create", "full", to, "-t", "rows");
          load.put(ROWS);
          String id =
              id(backup(bed, fleet, "BackupDriver", "create", "incremental", to, "-t", "rows"));
          health.good(load, "a full backup and an increment");
          backup(bed, fleet, "RestoreDriver", to, id, "-t", "rows", "-m", "restored");
          load.assertAllThere("restored");
          health.good(load, "restored");
        });
  }

  /**
   * A router before two name services, through which HBase sees its HDFS; WALs are in the second.
   */
  @Test
  void routerBeforeTwoNameServices() throws Exception {
    Neighbour fleet = Neighbour.of("fleet");
    try (OwnedBed bed = OwnedBed.make(spec(Line.of("2.6.1")))) {
      ServerProcess second = startHdfsWithSecondNameService(bed);
      String hdfs = "hdfs://" + startRouter(bed, fleet, bed.process("nn0"), second);
      for (ServerProcess process : servers(bed)) {
        process.set(
            Map.of(
                "fs.defaultFS", hdfs,
                "hbase.rootdir", hdfs + "/hbase",
                "hbase.wal.dir", hdfs + "/logs"));
      }
      bed.startHBase();
      walsInTheSecondNameService(bed, second);
    }
  }

  /** A router; {@code /logs} is in the second of these name services, all else in the first. */
  private static String startRouter(OwnedBed bed, Neighbour fleet, ServerProcess... nameNodes)
      throws Exception {
    Ports ports = new Ports(System.nanoTime());
    String rpc = ports.address();
    String admin = ports.address();
    String of = "dfs.federation.router.";
    ServerProcess router = new ServerProcess(bed.directory().resolve(Role.ROUTER.name(0)));
    SiteFile.write(router.conf(), bed.keys());
    Map<String, String> keys = new HashMap<>();
    for (int i = 0; i < nameNodes.length; i++) {
      String address = nameNodes[i].get("fs.defaultFS").substring("hdfs://".length());
      String web = nameNodes[i].get("dfs.namenode.http-address");
      keys.put("dfs.namenode.rpc-address.ns" + i, address);
      keys.put("dfs.namenode.http-address.ns" + i, web);
    }
    keys.put("dfs.nameservices", "ns0,ns1");
    keys.put(of + "default.nameserviceId", "ns0");
    keys.put(of + "monitor.namenode", "ns0,ns1");
    keys.put(of + "monitor.localnamenode.enable", "false");
    keys.put(of + "rpc-address", rpc);
    keys.put(of + "rpc-bind-host", Ports.LOOPBACK);
    keys.put(of + "admin-address", admin);
    keys.put(of + "admin-bind-host", Ports.LOOPBACK);
    keys.put(of + "http.enable", "false"); // its web applications are not in a jar
    keys.put(of + "store.driver.class", STORES + "StateStoreFileImpl");
    keys.put(of + "store.driver.file.directory", router.directory().resolve("store").toString());
    keys.put(of + "heartbeat.interval", "1000");
    keys.put(of + "cache.ttl", "1000");
    router.set(keys);
    List<Path> classPath = new ArrayList<>(bed.jars());
    classPath.addAll(fleet.jars);
    router.command(classPath, List.of());
    router.start();
    String shell = "org.apache.hadoop.fs.FsShell";
    bed.await("a router", () -> bed.tool(shell, "-ls", "hdfs://" + rpc + "/").exit() == 0);
    String tool = "org.apache.hadoop.hdfs.tools.federation.RouterAdmin";
    String[] words = {"-D", of + "admin-address=" + admin, "-add", "/logs", "ns1", "/logs"};
    Path add = bed.command(fleet.jars, tool, words);
    bed.await("a mount of /logs", () -> Tool.run(add).exit() == 0);
    String log = "hdfs://" + rpc + "/logs";
    bed.await("/logs", () -> bed.tool(shell, "-mkdir", "-p", log + "/of").exit() == 0);
    return rpc;
  }

  /** DataNodes of two name services: HBase's root is in the one, its WALs are in the other. */
  @Test
  void twoNameServices() throws Exception {
    try (OwnedBed bed = OwnedBed.make(spec(Lines.one()))) {
      ServerProcess second = startHdfsWithSecondNameService(bed);
      for (ServerProcess process : servers(bed)) {
        process.set(Map.of("hbase.wal.dir", second.get("fs.defaultFS") + "/logs"));
      }
      bed.startHBase();
      walsInTheSecondNameService(bed, second);
    }
  }

  private static void walsInTheSecondNameService(OwnedBed bed, ServerProcess second)
      throws Exception {
    loaded(
        bed,
        (on, load, health) -> {
          load.flush();
          load.put(ROWS);
          walsOnSsd(on, second);
          killed(on, "rs0");
          health.unharmed(load, "WALs in another name service, a server killed");
          walsOnSsd(on, second);
          health.writerInForceOrSaid("WALs in another name service");
        });
  }

  private static List<ServerProcess> servers(Bed bed) throws IOException {
    List<ServerProcess> all = new ArrayList<>(bed.processes(Role.MASTER));
    all.addAll(bed.processes(Role.REGIONSERVER));
    return all;
  }

  /** Starts the DataNodes with a second NameNode beside the bed's own; returns the second one. */
  private static ServerProcess startHdfsWithSecondNameService(OwnedBed bed) throws Exception {
    Ports ports = new Ports(System.nanoTime());
    String first = bed.keys().get("fs.defaultFS").substring("hdfs://".length());
    String other = ports.address();
    for (ServerProcess dataNode : bed.processes(Role.DATANODE)) {
      dataNode.set(
          Map.of(
              "dfs.nameservices", "ns0,ns1",
              "dfs.namenode.rpc-address.ns0", first,
              "dfs.namenode.rpc-address.ns1", other));
    }
    bed.startHdfs();
    ServerProcess second = new ServerProcess(bed.directory().resolve(Role.NAMENODE.name(1)));
    SiteFile.write(second.conf(), bed.keys());
    second.set(
        Map.of(
            "fs.defaultFS",
            "hdfs://" + other,
            "dfs.namenode.http-address",
            ports.address(),
            "dfs.namenode.name.dir",
            second.directory().resolve("image").toUri().toString()));
    second.command(bed.jars(), List.of());
    Path version = bed.process("nn0").directory().resolve("image/current/VERSION");
    String cluster =
        Files.readAllLines(version).stream()
            .filter(line -> line.startsWith("clusterID="))
            .map(line -> line.substring("clusterID=".length()))
            .collect(Collectors.joining());
    OwnedBed.once(second, "-format", "-clusterid", cluster, "-nonInteractive", "-force");
    second.start();
    String[] report = {"-fs", "hdfs://" + other, "-report", "-live"};
    bed.await(
        "the DataNodes at the second NameNode",
        () ->
            bed.tool("org.apache.hadoop.hdfs.tools.DFSAdmin", report)
                .said()
                .contains("Live datanodes (3)"));
    return second;
  }

  private static void walsOnSsd(Bed bed, ServerProcess nameNode) throws Exception {
    Configuration conf = bed.client();
    conf.set("fs.defaultFS", nameNode.get("fs.defaultFS"));
    bed.await(
        "WALs on SSD in the second name service",
        () -> {
          List<Fsck.File> open =
              new Fsck(conf, "/logs/WALs")
                  .files.stream().filter(Fsck.File::isOpen).collect(Collectors.toList());
          System.out.println(open);
          return open.size() >= 2 && open.stream().allMatch(file -> file.isAllOn("SSD"));
        });
  }
}
