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
package io.github.hybridhbase.testing;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.hbase.MiniHBaseCluster;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.master.HMaster;
import org.apache.hadoop.hbase.master.ServerManager;
import org.apache.hadoop.hbase.master.region.MasterRegion;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.LogRoller;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.hbase.util.JVMClusterUtil.RegionServerThread;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.util.functional.RemoteIterators;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * HDFS, ZooKeeper and HBase in this JVM, every DataNode with one SSD and one DISK volume.
 *
 * <p>Everything listens on loopback, on ports of its own, and lives in one directory that {@link
 * #close()} deletes.
 *
 * <pre>{@code
 * try (TypedCluster cluster = TypedCluster.spec().plugin().regionServers(2).start()) {
 *   ...
 * }
 * }</pre>
 *
 * <p>Several clusters may follow one another in a JVM, but only one may be up: Hadoop's and HBase's
 * test classes keep system properties and static state. One thread drives a cluster. Where HDFS is
 * enough, see {@link TypedHdfs}.
 */
@InterfaceAudience.Private
public final class TypedCluster implements AutoCloseable {
  /** Limit for every condition awaited here: a slow machine passes, a stuck cluster fails. */
  public static final long AWAIT_MILLIS = Await.MILLIS;

  /** HDFS's recovery of a block asks a DataNode that hangs twice, 60 s each. */
  private static final long LEASE_MILLIS = TimeUnit.MINUTES.toMillis(5);

  private static final Pattern PLAIN = Pattern.compile("[\\w./+@-]+");

  private final ClusterSpec spec;
  private final JvmState jvm = new JvmState();
  private final ScratchDirectory directory;
  private ClusterUtility util;
  private TypedHdfs hdfs;
  private boolean closed;

  TypedCluster(ClusterSpec spec) throws IOException {
    this.spec = spec;
    Path parent = usable(baseDirectory().resolve("target").resolve("clusters"));
    this.directory = ScratchDirectory.under(parent, "cluster-");
  }

  /**
   * A directory as it is, or the JVM's temporary directory in its place where it has a blank or
   * another character that a DataNode's list of URIs does not bear.
   */
  public static Path usable(Path directory) {
    String path = directory.toAbsolutePath().toString();
    return PLAIN.matcher(path).matches()
        ? directory
        : Path.of(System.getProperty("java.io.tmpdir"));
  }

  /** The default spec: stock HBase, 3 DataNodes, 1 master, 1 region server. */
  public static ClusterSpec spec() {
    return new ClusterSpec();
  }

  /** The {@code conf/hbase-site.xml} that ships with the plugin. */
  public static Path shippedSite() {
    return baseDirectory().resolve("conf").resolve("hbase-site.xml");
  }

  /** The checkout's root: what Maven says it is, else the working directory. */
  public static Path baseDirectory() {
    return Path.of(System.getProperty("hybrid.basedir", "")).toAbsolutePath();
  }

  // ---- up and down

  void startHdfs() throws IOException {
    jvm.takeOver(directory.path());
    Configuration conf = ClusterSettings.of(spec);
    util = new ClusterUtility(conf, spec, directory.path());
    Path below = directory.path().resolve("dfs");
    hdfs = TypedHdfs.start(conf, below, spec.dataNodes, spec.volumes, spec.nameNodes);
    if (!spec.nameNodes.isHA()) {
      util.setDFSCluster(hdfs.cluster());
    }
    // So that rootDir() can be asked, and prepared, before HBase is there.
    CommonFSUtils.setRootDir(conf, util.getDefaultRootDirPath(false));
    if (spec.walDirApart) {
      util.createWALRootDir();
    }
  }

  /** Starts ZooKeeper and HBase on the running HDFS; returns when hbase:meta can be read. */
  public void startHBase() throws Exception {
    util.startHBase();
    awaitServers();
  }

  /** Stops every master and region server in good order; HDFS and ZooKeeper stay. */
  public void stopHBase() throws IOException {
    util.stopHBase();
  }

  /** Stops HBase in good order and starts it again on the same data. */
  public void restartHBase() throws IOException, InterruptedException {
    stopHBase();
    util.restartHBase();
    awaitServers();
  }

  private void awaitServers() {
    Await.until("all region servers", () -> manager().countOfRegionServers() >= spec.regionServers);
    // A master that takes over after a region server died must not wait for the first number.
    relax(hbase().getConfiguration());
    hbase().getLiveMasterThreads().forEach(one -> relax(one.getMaster().getConfiguration()));
  }

  private static void relax(Configuration conf) {
    conf.setInt(ServerManager.WAIT_ON_REGIONSERVERS_MINTOSTART, 1);
    conf.setInt(ServerManager.WAIT_ON_REGIONSERVERS_MAXTOSTART, 1);
  }

  private ServerManager manager() {
    return activeMaster().getServerManager();
  }

  /**
   * Kills a region server without farewell; returns when its WALs are split and its regions are
   * open elsewhere. Another region server must be left.
   */
  public void killRegionServer(ServerName server) throws Exception {
    hbase().killRegionServer(server);
    awaitRecovery(server);
  }

  /** Stops a region server in good order and starts a new one in its place; answers its name. */
  public ServerName restartRegionServer(ServerName server) throws Exception {
    RegionServerThread successor = hbase().startRegionServerAndWait(AWAIT_MILLIS);
    hbase().stopRegionServer(server);
    awaitRecovery(server);
    return successor.getRegionServer().getServerName();
  }

  private void awaitRecovery(ServerName server) throws Exception {
    hbase().waitForRegionServerToStop(server, AWAIT_MILLIS);
    ServerManager servers = manager();
    Await.until(
        "recovery of " + server,
        () ->
            !servers.isServerOnline(server)
                && servers.isServerDead(server)
                && !servers.areDeadServersInProgress());
    util.waitUntilNoRegionsInTransition(AWAIT_MILLIS);
  }

  /**
   * Aborts the active master and returns when another is active and initialised; with a single
   * master a second one is started first. Answers the new active master.
   */
  public ServerName failoverMaster() throws Exception {
    ServerName old = activeMaster().getServerName();
    if (hbase().getLiveMasterThreads().size() < 2) {
      hbase().startMaster();
    }
    hbase().killMaster(old);
    hbase().waitForMasterToStop(old, AWAIT_MILLIS);
    Await.until(
        "another master",
        () ->
            hbase().getMaster() != null
                && hbase().getMaster().isInitialized()
                && !hbase().getMaster().getServerName().equals(old));
    util.invalidateConnection();
    return activeMaster().getServerName();
  }

  // ---- work

  /**
   * Rolls every WAL: those of all live region servers, hbase:meta's and the master store's. On
   * return the old files are closed or archived.
   */
  public void rollWals() throws Exception {
    List<org.apache.hadoop.fs.Path> before = openWals();
    List<LogRoller> rollers =
        hbase().getLiveRegionServerThreads().stream()
            .map(thread -> thread.getRegionServer().getWalRoller())
            .collect(Collectors.toList());
    MasterRegion store = activeMaster().getMasterRegion();
    rollers.forEach(LogRoller::requestRollAll);
    store.requestRollAll();
    for (LogRoller roller : rollers) {
      Await.until("roll of " + roller.getName(), roller::walRollFinished);
    }
    store.waitUntilWalRollFinished();
    // AsyncFSWAL closes the file it leaves on another thread.
    Await.until(
        "close of the old WALs", LEASE_MILLIS, () -> before.stream().noneMatch(this::isOpen));
  }

  /** The WALs that are being written now. */
  public List<org.apache.hadoop.fs.Path> openWals() throws IOException {
    List<org.apache.hadoop.fs.Path> open = new ArrayList<>();
    for (String where : List.of("WALs", "MasterData/WALs")) {
      org.apache.hadoop.fs.Path below = new org.apache.hadoop.fs.Path(walRoot(), where);
      for (FileStatus file : RemoteIterators.toList(fs().listFiles(below, true))) {
        if (isOpen(file.getPath())) {
          open.add(file.getPath());
        }
      }
    }
    return open;
  }

  private boolean isOpen(org.apache.hadoop.fs.Path file) {
    try {
      return !fs().isFileClosed(file);
    } catch (FileNotFoundException e) {
      return false;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Flushes all regions of a table; returns when the files are there. */
  public void flush(TableName table) throws IOException {
    util.flush(table);
  }

  /** Flushes the master store, which no table name reaches. */
  public void flushMasterStore() throws IOException {
    activeMaster().getMasterRegion().flush(true);
  }

  /**
   * Compacts all regions of a table in the caller's thread and archives what was compacted away.
   * After a major compaction every store has one file at most, also when a compaction was already
   * under way.
   */
  public void compact(TableName table, boolean major) throws Exception {
    for (HRegion region : hbase().getRegions(table)) {
      region.compact(major);
      if (major) {
        Await.until(
            "major compaction of " + region.getRegionInfo().getEncodedName(),
            () -> isCompact(region) || compactsAgain(region));
      }
      for (HStore store : region.getStores()) {
        store.closeAndArchiveCompactedFiles();
      }
    }
  }

  private static boolean isCompact(HRegion region) {
    return region.getStores().stream().allMatch(store -> store.getStorefilesCount() <= 1);
  }

  /** Takes the files that another compaction held. */
  private static boolean compactsAgain(HRegion region) {
    try {
      region.compact(true);
      return isCompact(region);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Polls until the condition holds.
   *
   * @throws AssertionError after {@link #AWAIT_MILLIS}
   */
  public void await(String what, BooleanSupplier condition) {
    Await.until(what, condition);
  }

  // ---- what is there

  /** HDFS. */
  public MiniDFSCluster hdfs() {
    return hdfs.cluster();
  }

  /** The file system as the cluster's superuser; closed with the cluster. */
  public DistributedFileSystem fs() throws IOException {
    return hdfs.fs();
  }

  /** The live configuration; copy it before a change. */
  public Configuration conf() {
    return util.getConfiguration();
  }

  /** {@code hbase.rootdir}. */
  public org.apache.hadoop.fs.Path rootDir() throws IOException {
    return CommonFSUtils.getRootDir(conf());
  }

  /** {@code hbase.wal.dir}, else {@link #rootDir()}. */
  public org.apache.hadoop.fs.Path walRoot() throws IOException {
    return CommonFSUtils.getWALRootDir(conf());
  }

  /** A shared connection; closed with the cluster. */
  public Connection connection() throws IOException {
    return util.getConnection();
  }

  /** HBase's own test utility, for what is not here. */
  public ClusterUtility util() {
    return util;
  }

  /** HBase; null before {@link #startHBase()}. */
  public MiniHBaseCluster hbase() {
    return util.getMiniHBaseCluster();
  }

  /** The active master. */
  public HMaster activeMaster() {
    HMaster master = hbase().getMaster();
    if (master == null) {
      throw new IllegalStateException("no active master");
    }
    return master;
  }

  /** The local directory that holds all of it. */
  public Path directory() {
    return directory.path();
  }

  // ---- the end

  /**
   * Stops all that runs and deletes the directory. Every step is tried whatever became of the one
   * before; a second call does nothing.
   */
  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    Teardown teardown = new Teardown();
    if (util != null) {
      util.stop(teardown);
    }
    if (hdfs != null) {
      teardown.within("stop of HDFS", 120, () -> hdfs.cluster().shutdown(false));
    }
    teardown.within("delete", 150, directory::close);
    jvm.giveBack();
    teardown.end();
  }
}
