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

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The processes of one bed, by its directory, whoever has started them. {@link OwnedBed} makes one
 * and sees to its end. For one thread.
 */
@InterfaceAudience.Private
public class Bed {
  private static final String DFS_ADMIN = "org.apache.hadoop.hdfs.tools.DFSAdmin";
  private static final String HA_ADMIN = "org.apache.hadoop.hdfs.tools.DFSHAAdmin";

  private static final Duration PATIENCE = Duration.ofMinutes(4);
  private static final int CONTACT_SECONDS = 3;
  private static final int TOOL_MEGABYTES = 256;

  /** What a RegionServer logs when it aborts. */
  static final String ABORTING_SERVER = "ABORTING region server";

  /** A master also logs the first one, as a RegionServer's report. */
  private static final Map<Role, String> ABORTS =
      Map.of(Role.REGIONSERVER, ABORTING_SERVER, Role.MASTER, "ABORTING master");

  private final Path directory;

  Bed(Path directory) {
    this.directory = directory;
  }

  /**
   * A bed that somebody has made.
   *
   * @throws IllegalArgumentException where there is none
   */
  public static Bed at(Path directory) {
    Path real = directory.toAbsolutePath().normalize();
    if (Files.notExists(real.resolve("owner"))) {
      throw new IllegalArgumentException("there is no bed at " + directory);
    }
    return new Bed(real);
  }

  public Path directory() {
    return directory;
  }

  /** Site files for clients. */
  public Path conf() {
    return directory.resolve("conf");
  }

  /** The keys of {@link #conf()}. */
  public Map<String, String> keys() {
    return SiteFile.read(conf().resolve("hbase-site.xml"));
  }

  // ---- processes

  /** All, in the order in which they start. */
  public List<ServerProcess> processes() throws IOException {
    List<ServerProcess> found = new ArrayList<>();
    for (Role role : Role.values()) {
      found.addAll(processes(role));
    }
    return found;
  }

  /** Those of one role, by number. */
  public List<ServerProcess> processes(Role role) throws IOException {
    try (Stream<Path> all = Files.list(directory)) {
      return all.filter(path -> Files.exists(path.resolve("java.args")))
          .map(ServerProcess::new)
          .filter(process -> process.role() == role)
          .sorted((a, b) -> a.name().compareTo(b.name()))
          .collect(Collectors.toList());
    }
  }

  /**
   * One by its name, such as {@code dn0}.
   *
   * @throws IllegalArgumentException where there is none
   */
  public ServerProcess process(String name) throws IOException {
    return processes().stream()
        .filter(process -> process.name().equals(name))
        .findFirst()
        .orElseThrow(
            () -> new IllegalArgumentException("there is no process " + name + " in this bed"));
  }

  /** Starts HDFS where it is down, and returns when all DataNodes serve. */
  public void startHdfs() throws IOException, InterruptedException {
    start(Role.NAMENODE);
    start(Role.DATANODE);
    if (processes(Role.NAMENODE).size() > 1) {
      await("an active NameNode", () -> active() != null || activate("nn0"));
    }
    awaitHdfs();
  }

  private boolean activate(String nameNode) throws IOException, InterruptedException {
    return tool(HA_ADMIN, "-transitionToActive", nameNode).exit() == 0;
  }

  /** This one of two NameNodes, the active one, dies, and the other one takes its place. */
  void failOver(ServerProcess active) throws IOException, InterruptedException {
    active.kill();
    String other = active.name().equals("nn0") ? "nn1" : "nn0";
    tool(HA_ADMIN, "-transitionToActive", "--forceactive", other).fine();
  }

  /** Starts ZooKeeper, masters and RegionServers where they are down, and waits until all serve. */
  public void startHBase() throws IOException, InterruptedException {
    start(Role.ZOOKEEPER);
    start(Role.MASTER);
    start(Role.REGIONSERVER);
    awaitHBase();
  }

  public void start() throws IOException, InterruptedException {
    startHdfs();
    startHBase();
  }

  private void start(Role role) throws IOException {
    for (ServerProcess process : processes(role)) {
      if (!process.isAlive()) {
        process.start();
      }
    }
  }

  /** Starts a master or RegionServer that is down, and returns when it serves. */
  void startServer(ServerProcess server) throws IOException, InterruptedException {
    server.start();
    // A master counts a server that was killed until its session ends.
    await(server + " answers", () -> !hbase(server, "name=JvmMetrics").isMissingNode());
    awaitHBase();
  }

  /** Ends all processes in good order, RegionServers first, the NameNode last. */
  public void end() throws IOException, InterruptedException {
    List<ServerProcess> all = new ArrayList<>(processes());
    Collections.reverse(all);
    for (ServerProcess process : all) {
      process.end();
    }
  }

  // ---- conditions

  /**
   * Waits until something holds, for some minutes.
   *
   * @param condition what it throws counts as "not yet"
   * @throws AssertionError where it does not come to hold; with the end of every log
   */
  public void await(String what, Callable<Boolean> condition) throws InterruptedException {
    Waiting.until(what, PATIENCE, condition, () -> null, this::tails);
  }

  /** As {@link #await}, and gives up as soon as one of these processes is gone. */
  void await(String what, List<ServerProcess> needed, Callable<Boolean> condition)
      throws InterruptedException {
    Waiting.until(
        what,
        PATIENCE,
        condition,
        () ->
            needed.stream()
                .filter(process -> !process.isAlive())
                .map(process -> process + " has ended")
                .findFirst()
                .orElse(null),
        this::tails);
  }

  /** Waits until the active NameNode is out of safe mode and has as many DataNodes as run. */
  public void awaitHdfs() throws IOException, InterruptedException {
    List<ServerProcess> dataNodes =
        processes(Role.DATANODE).stream()
            .filter(ServerProcess::isAlive)
            .collect(Collectors.toList());
    List<ServerProcess> needed = new ArrayList<>(processes(Role.NAMENODE));
    needed.addAll(dataNodes);
    await(
        dataNodes.size() + " DataNodes, out of safe mode",
        needed,
        () -> {
          JsonNode info = nameNode("NameNodeInfo");
          return info.path("Safemode").asText("?").isEmpty() && heard(info) >= dataNodes.size();
        });
  }

  /** How many DataNodes it hears: one that was killed counts as live for ten minutes. */
  private static long heard(JsonNode nameNodeInfo) throws IOException {
    long heard = 0;
    for (JsonNode node : Jmx.parse(nameNodeInfo.path("LiveNodes").asText("{}"))) {
      heard += node.path("lastContact").asInt(Integer.MAX_VALUE) <= CONTACT_SECONDS ? 1 : 0;
    }
    return heard;
  }

  /**
   * Waits until every block has its replicas. Each DataNode reports all its blocks first: a
   * NameNode that starts and receives an outdated replica before a current one keeps the outdated
   * one as corrupt until the next full report of its DataNode, for up to six hours. If all other
   * DataNodes have a replica, HDFS has no place for the missing one until then.
   */
  void awaitReplicas() throws IOException, InterruptedException {
    for (ServerProcess dataNode : processes(Role.DATANODE)) {
      String address = dataNode.get("dfs.datanode.ipc.address");
      tool(DFS_ADMIN, "-triggerBlockReport", address).fine();
    }
    await(
        "replicas of all blocks",
        () -> {
          JsonNode namespace = nameNode("FSNamesystem");
          return namespace.path("UnderReplicatedBlocks").asInt(1) == 0
              && namespace.path("PendingReplicationBlocks").asInt(1) == 0;
        });
  }

  /** Waits until a master has done its start, and has as many RegionServers as run. */
  public void awaitHBase() throws IOException, InterruptedException {
    List<ServerProcess> needed = new ArrayList<>(processes(Role.ZOOKEEPER));
    needed.addAll(processes(Role.MASTER));
    List<ServerProcess> servers =
        processes(Role.REGIONSERVER).stream()
            .filter(ServerProcess::isAlive)
            .collect(Collectors.toList());
    needed.addAll(servers);
    await(
        "a master with " + servers.size() + " RegionServers and no region in transition",
        needed,
        () -> {
          JsonNode master = master("sub=Server");
          return master.path("masterFinishedInitializationTime").asLong() > 0
              && master.path("numRegionServers").asInt() >= servers.size()
              && master("sub=AssignmentManager").path("ritCount").asInt(1) == 0;
        });
  }

  /** A bean {@code Hadoop:service=NameNode,name=…} of the active NameNode. */
  public JsonNode nameNode(String name) throws IOException {
    String address = BedSite.webOf(keys(), activeNameNode().name());
    return Jmx.read(address, "Hadoop:service=NameNode,name=" + name);
  }

  /** The active NameNode. */
  ServerProcess activeNameNode() throws IOException {
    ServerProcess active = active();
    if (active == null) {
      throw new IOException("no NameNode is active");
    }
    return active;
  }

  /** The active NameNode, null while there is none. */
  private ServerProcess active() throws IOException {
    for (ServerProcess process : processes(Role.NAMENODE)) {
      String address = BedSite.webOf(keys(), process.name());
      try {
        JsonNode status = Jmx.read(address, "Hadoop:service=NameNode,name=NameNodeStatus");
        if (status.path("State").asText().equals("active")) {
          return process;
        }
      } catch (IOException e) {
        continue; // it is down, or starts
      }
    }
    return null;
  }

  /** A bean {@code Hadoop:service=HBase,name=Master,…} of the active master. */
  private JsonNode master(String bean) throws IOException {
    for (ServerProcess process : processes(Role.MASTER)) {
      if (!process.isAlive()) {
        continue;
      }
      JsonNode server = hbase(process, "name=Master,sub=Server");
      if (server.path("tag.isActiveMaster").asBoolean()) {
        return hbase(process, "name=Master," + bean);
      }
    }
    throw new IOException("no master is active");
  }

  /** A bean {@code Hadoop:service=HBase,…} of a master or RegionServer. */
  public JsonNode hbase(ServerProcess process, String bean) throws IOException {
    return Jmx.read(web(process), "Hadoop:service=HBase," + bean);
  }

  /** The web server of a master or RegionServer. */
  static String web(ServerProcess process) {
    String key = process.role() == Role.MASTER ? "master" : "regionserver";
    return "http://" + Ports.LOOPBACK + ":" + process.get("hbase." + key + ".info.port");
  }

  /** What the plugin counts in a master or RegionServer. */
  public JsonNode plugin(ServerProcess process) throws IOException {
    return hbase(process, "name=Hybrid,sub=Hybrid");
  }

  /** Waits until the RegionServers write young store files to SSD. */
  void awaitTier() throws IOException, InterruptedException {
    for (ServerProcess server : processes(Role.REGIONSERVER)) {
      await(
          "the SSD tier of " + server.name(), () -> plugin(server).path("TierShare").asLong() > 0);
    }
  }

  /** Waits until all store files of a table of the default namespace are on a medium. */
  void awaitFilesOn(String medium, String table) throws InterruptedException {
    await(
        "store files of " + table + " on " + medium,
        () -> {
          List<Fsck.File> files = fsck("/hbase/data/default/" + table).files;
          files.removeIf(file -> !file.path.matches(".*/[0-9a-f]{32}/[^./]+/[0-9a-f]{32}[^/]*"));
          return !files.isEmpty() && files.stream().allMatch(file -> file.isAllOn(medium));
        });
  }

  /** What masters and RegionServers that have aborted since the bed began said then. */
  public List<String> aborts() throws IOException {
    List<String> aborts = new ArrayList<>();
    for (ServerProcess process : processes()) {
      String abort = ABORTS.get(process.role());
      if (abort != null) {
        process.saying(abort).forEach(line -> aborts.add(process.name() + ": " + line));
      }
    }
    return aborts;
  }

  private String tails() {
    try {
      return processes().stream().map(ServerProcess::tail).collect(Collectors.joining("\n"));
    } catch (IOException e) {
      return e.toString();
    }
  }

  // ---- tools

  /** Runs a class of the bed's own HBase or Hadoop as a client of it. */
  public Tool tool(String main, String... arguments) throws IOException, InterruptedException {
    return Tool.run(command(List.of(), main, arguments));
  }

  /** The command line of a class that is run once, with these before its HBase. */
  Path command(List<Path> added, String main, String... arguments) throws IOException {
    Path file = Files.createTempFile(directory, "tool", ".args");
    List<Path> classPath = new ArrayList<>(List.of(conf()));
    classPath.addAll(added);
    classPath.addAll(jars());
    Path temporary = directory.resolve("tmp");
    List<String> flags = Files.readAllLines(directory.resolve("flags"));
    List<String> words = Kerberos.login(keys(), main);
    words.addAll(List.of(arguments));
    String[] rest = words.subList(1, words.size()).toArray(new String[0]);
    Java.write(file, TOOL_MEGABYTES, temporary, flags, classPath, words.get(0), rest);
    return file;
  }

  /** HBase and all it needs. */
  List<Path> jars() throws IOException {
    return Files.readAllLines(directory.resolve("jars")).stream()
        .map(Path::of)
        .collect(Collectors.toList());
  }

  /** All files of HDFS below a directory. */
  public Fsck fsck(String path) throws IOException {
    return new Fsck(client(), path);
  }

  /** For a client in this JVM. */
  public Configuration client() {
    Configuration conf = HBaseConfiguration.create();
    keys().forEach(conf::set);
    return conf;
  }
}
