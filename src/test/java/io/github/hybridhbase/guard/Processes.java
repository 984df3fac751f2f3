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
package io.github.hybridhbase.guard;

import io.github.hybridhbase.testing.ScratchDirectory;
import io.github.hybridhbase.testing.TypedCluster;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.master.HMaster;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.hbase.zookeeper.HQuorumPeer;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A cluster of separate processes on loopback, from the test's class path: NameNode, three
 * DataNodes each with a DISK directory and a tmpfs of a given size as SSD, ZooKeeper, a master and
 * a RegionServer. Needs root, for the mounts. Ends every process it has started, by its handle.
 */
@InterfaceAudience.Private
final class Processes implements AutoCloseable {
  private static final int DATA_NODES = 3;

  private final ScratchDirectory directory;
  private final Configuration site = new Configuration(false);
  private final Map<String, Process> running = new LinkedHashMap<>();
  private final List<Path> mounts = new ArrayList<>();

  /** Writes the site files and mounts the SSDs; starts nothing. */
  Processes(int ssdMegabytes, Map<String, String> more, boolean plugin) throws Exception {
    directory =
        ScratchDirectory.under(
            TypedCluster.usable(TypedCluster.baseDirectory().resolve("target/clusters")),
            "processes-");
    Path root = directory.path();
    for (int node = 0; node < DATA_NODES; node++) {
      Path ssd = Files.createDirectories(root.resolve("ssd" + node));
      run("mount", "-t", "tmpfs", "-o", "size=" + ssdMegabytes + "m", "tmpfs", ssd.toString());
      mounts.add(ssd);
    }
    if (plugin) {
      site.addResource(new org.apache.hadoop.fs.Path(TypedCluster.shippedSite().toUri()));
    }
    site.set("fs.defaultFS", "hdfs://" + loopback());
    site.set("hbase.rootdir", site.get("fs.defaultFS") + "/hbase");
    site.set("dfs.namenode.http-address", loopback());
    site.set("dfs.namenode.name.dir", root.resolve("name").toUri().toString());
    site.set(
        "dfs.datanode.data.dir",
        "[SSD]"
            + root.resolve("ssd").toUri()
            + "${node},[DISK]"
            + root.resolve("disk").toUri()
            + "${node}");
    for (String server : new String[] {"address", "ipc.address", "http.address"}) {
      site.set("dfs.datanode." + server, "127.0.0.1:0");
    }
    site.set("dfs.replication", "3");
    site.set("dfs.heartbeat.interval", "1");
    site.set("dfs.namenode.redundancy.interval.seconds", "1");
    site.set("hadoop.tmp.dir", root.resolve("tmp").toString());
    site.set("hbase.tmp.dir", root.resolve("hbase-tmp").toString());
    site.set("hbase.cluster.distributed", "true");
    site.set("hbase.zookeeper.quorum", "localhost");
    site.set("hbase.zookeeper.property.dataDir", root.resolve("zookeeper").toString());
    site.set("hbase.zookeeper.property.clientPortAddress", "127.0.0.1");
    site.set("hbase.zookeeper.property.clientPort", port());
    site.set("hbase.master.port", port());
    site.set("hbase.regionserver.port", port());
    site.set("hbase.master.info.port", "-1");
    site.set("hbase.regionserver.info.port", "-1");
    site.set("hbase.master.ipc.address", "127.0.0.1");
    site.set("hbase.regionserver.ipc.address", "127.0.0.1");
    site.set("hbase.master.hostname", "localhost");
    site.set("hbase.unsafe.regionserver.hostname", "localhost");
    more.forEach(site::set);
    Path conf = Files.createDirectories(root.resolve("conf"));
    for (String file : new String[] {"core-site.xml", "hdfs-site.xml", "hbase-site.xml"}) {
      try (OutputStream out = Files.newOutputStream(conf.resolve(file))) {
        site.writeXml(out);
      }
    }
  }

  private static String port() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return Integer.toString(socket.getLocalPort());
    }
  }

  private static String loopback() throws IOException {
    return "127.0.0.1:" + port();
  }

  private static void run(String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes());
    if (process.waitFor() != 0) {
      throw new IOException(String.join(" ", command) + ": " + said);
    }
  }

  /** Gives every SSD another size. */
  void resize(int megabytes) throws Exception {
    for (Path ssd : mounts) {
      run("mount", "-o", "remount,size=" + megabytes + "m", ssd.toString());
    }
  }

  /** What a client needs. */
  Configuration conf() {
    Configuration conf = HBaseConfiguration.create();
    site.forEach(entry -> conf.set(entry.getKey(), entry.getValue()));
    return conf;
  }

  void startHdfs() throws Exception {
    start("format", NameNode.class, "-format", "-nonInteractive", "-force");
    if (running.remove("format").waitFor() != 0) {
      throw new IOException("format: " + log("format"));
    }
    start("namenode", NameNode.class);
    for (int node = 0; node < DATA_NODES; node++) {
      start("datanode" + node, DataNode.class);
    }
  }

  void startHBase() throws Exception {
    start("zookeeper", HQuorumPeer.class);
    start("master", HMaster.class, "start");
    start("regionserver", HRegionServer.class, "start");
  }

  private void start(String name, Class<?> main, String... args) throws IOException {
    Path root = directory.path();
    List<String> command = new ArrayList<>();
    command.add(System.getProperty("java.home") + "/bin/java");
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(arg -> arg.startsWith("--add-"))
        .forEach(command::add);
    command.add("-Xmx384m");
    command.add("-Dnode=" + name.replaceAll("\\D", ""));
    command.add("-cp");
    command.add(
        root.resolve("conf")
            + File.pathSeparator
            + System.getProperty(
                "surefire.test.class.path", System.getProperty("java.class.path")));
    command.add(main.getName());
    command.addAll(List.of(args));
    running.put(
        name,
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(root.resolve(name + ".log").toFile())
            .start());
  }

  boolean isAlive(String name) {
    return running.get(name).isAlive();
  }

  /** Whether a process has said this. */
  boolean said(String name, String text) throws IOException {
    return Files.readString(directory.path().resolve(name + ".log")).contains(text);
  }

  /** The end of what a process said. */
  String log(String name) throws IOException {
    String text = Files.readString(directory.path().resolve(name + ".log"));
    return text.substring(Math.max(0, text.length() - 5_000));
  }

  @Override
  public void close() throws Exception {
    List<Process> all = new ArrayList<>(running.values());
    all.forEach(Process::destroyForcibly);
    for (Process process : all) {
      process.waitFor(30, TimeUnit.SECONDS);
    }
    for (Path ssd : mounts) {
      run("umount", ssd.toString());
    }
    directory.close();
  }
}
