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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.MiniHBaseCluster;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.StartMiniClusterOption;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.master.HMaster;
import org.apache.hadoop.hbase.master.ServerManager;
import org.apache.hadoop.hbase.master.region.MasterRegion;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.LogRoller;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.hbase.util.JVMClusterUtil.MasterThread;
import org.apache.hadoop.hbase.util.JVMClusterUtil.RegionServerThread;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSNNTopology;
import org.apache.hadoop.hdfs.server.namenode.ha.HATestUtil;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.net.NetUtils;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * HDFS, ZooKeeper and HBase in this JVM, every DataNode with one SSD and one DISK volume.
 *
 * <p>The volumes are directories on the same device; only their declared type and capacity differ,
 * which is all that placement looks at. Everything listens on loopback, on ports of its own, and
 * lives in one directory that {@link #close()} deletes.
 *
 * <pre>{@code
 * try (TypedCluster cluster = TypedCluster.spec().plugin().regionServers(2).start()) {
 *   ...
 * }
 * }</pre>
 *
 * <p>Several clusters may follow one another in a JVM, but only one may be up: Hadoop's and HBase's
 * test classes keep system properties and static state. One thread drives a cluster; {@link
 * #abandon()} alone may come from any.
 *
 * <p>Settings, the later ones winning: Hadoop's and HBase's defaults, the small defaults of this
 * class, the site files in the order given, {@link Spec#conf}, and last the addresses and paths
 * that this class must own.
 */
@InterfaceAudience.Private
public final class TypedCluster implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TypedCluster.class);

  /** Limit for every condition awaited here: a slow machine passes, a stuck cluster fails. */
  public static final long AWAIT_MILLIS = TimeUnit.SECONDS.toMillis(120);

  private static final long POLL_MILLIS = 50;
  private static final long MIB = 1L << 20;
  private static final long GIB = 1L << 30;
  private static final String LOOPBACK = "127.0.0.1";
  private static final String SERVICE = "hybrid";
  private static final Pattern PLAIN = Pattern.compile("[\\w./+@-]+");

  /** What Hadoop's and HBase's test classes write into the system properties. */
  private static final List<String> BORROWED_PROPERTIES =
      List.of(
          "test.build.data",
          "test.build.data.basedirectory",
          "test.build.dir",
          "hadoop.log.dir",
          "hadoop.tmp.dir",
          "hbase.testing.preserve.testdir");

  private final Spec spec;
  private final Map<String, String> propertiesBefore = new LinkedHashMap<>();
  private final ScratchDirectory directory;
  private volatile Utility util;
  private volatile MiniDFSCluster dfs;
  private volatile boolean closed;

  private TypedCluster(Spec spec) throws IOException {
    this.spec = spec;
    this.directory = ScratchDirectory.under(usable(spec.parent), "cluster-");
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
  public static Spec spec() {
    return new Spec();
  }

  /** The {@code conf/hbase-site.xml} that ships with the plugin. */
  public static Path shippedSite() {
    return baseDirectory().resolve("conf").resolve("hbase-site.xml");
  }

  /** The checkout's root: what Maven says it is, else the working directory. */
  public static Path baseDirectory() {
    return Path.of(System.getProperty("hybrid.basedir", "")).toAbsolutePath();
  }

  // ---- what to start

  /** An immutable description; every method answers a changed copy. */
  public static final class Spec {
    private int dataNodes = 3;
    private int masters = 1;
    private int regionServers = 1;
    private long ssdCapacity = 16 * GIB;
    private long diskCapacity = 32 * GIB;
    private List<StorageType> storageTypes = List.of(StorageType.SSD, StorageType.DISK);
    private boolean walDirApart;
    private boolean twoNameNodes;
    private Path parent = baseDirectory().resolve("target").resolve("clusters");
    private Map<StorageType, Path> volumes = Map.of();
    private List<Path> sites = List.of();
    private Map<String, String> conf = Map.of();

    private Spec() {}

    private Spec(Spec that) {
      dataNodes = that.dataNodes;
      masters = that.masters;
      regionServers = that.regionServers;
      ssdCapacity = that.ssdCapacity;
      diskCapacity = that.diskCapacity;
      storageTypes = that.storageTypes;
      walDirApart = that.walDirApart;
      twoNameNodes = that.twoNameNodes;
      parent = that.parent;
      volumes = that.volumes;
      sites = that.sites;
      conf = that.conf;
    }

    /** How many DataNodes (3). */
    public Spec dataNodes(int count) {
      Spec copy = new Spec(this);
      copy.dataNodes = count;
      return copy;
    }

    /** How many masters, one of them active (1). */
    public Spec masters(int count) {
      Spec copy = new Spec(this);
      copy.masters = count;
      return copy;
    }

    /** How many region servers (1). */
    public Spec regionServers(int count) {
      Spec copy = new Spec(this);
      copy.regionServers = count;
      return copy;
    }

    /** Capacity of each SSD volume, in bytes (16 GiB). */
    public Spec ssdCapacity(long bytes) {
      Spec copy = new Spec(this);
      copy.ssdCapacity = bytes;
      return copy;
    }

    /** Capacity of each DISK volume, in bytes (32 GiB). */
    public Spec diskCapacity(long bytes) {
      Spec copy = new Spec(this);
      copy.diskCapacity = bytes;
      return copy;
    }

    /** The volumes of each DataNode (SSD, DISK): for a cluster without SSD, say. */
    public Spec storageTypes(StorageType... types) {
      Spec copy = new Spec(this);
      copy.storageTypes = List.of(types);
      return copy;
    }

    /** Puts WALs under a root of their own, as {@code hbase.wal.dir} does. */
    public Spec walDirApart() {
      Spec copy = new Spec(this);
      copy.walDirApart = true;
      return copy;
    }

    /** Gives HDFS a second NameNode, in standby, and clients that fail over to it. */
    public Spec twoNameNodes() {
      Spec copy = new Spec(this);
      copy.twoNameNodes = true;
      return copy;
    }

    /**
     * Where the cluster's directory is made ({@code target/clusters}). A path that HDFS cannot use
     * is replaced by the JVM's temporary directory, see {@link TypedCluster#usable}.
     */
    public Spec directory(Path parent) {
      Spec copy = new Spec(this);
      copy.parent = Objects.requireNonNull(parent);
      return copy;
    }

    /**
     * Puts the volumes of each medium on a file system of their own. The directories must be empty;
     * what is written into them stays.
     */
    public Spec volumes(Map<StorageType, Path> directories) {
      Spec copy = new Spec(this);
      copy.volumes = Map.copyOf(directories);
      return copy;
    }

    /** What makes a DataNode keep its volumes there. */
    private Configuration volumesOf(int dataNode) {
      Configuration overlay = new Configuration(false);
      overlay.set(
          DFSConfigKeys.DFS_DATANODE_DATA_DIR_KEY,
          storageTypes.stream()
              .map(type -> "[" + type + "]" + volumes.get(type).resolve("node" + dataNode).toUri())
              .collect(Collectors.joining(",")));
      return overlay;
    }

    /** Adds a site file, as a server would find it on its class path. It must exist. */
    public Spec site(Path file) {
      Spec copy = new Spec(this);
      copy.sites = new ArrayList<>(sites);
      copy.sites.add(Objects.requireNonNull(file));
      return copy;
    }

    /** Adds the shipped {@code conf/hbase-site.xml}: the plugin as its users switch it on. */
    public Spec plugin() {
      return site(shippedSite());
    }

    /** Sets one key of HBase or HDFS, over every file. */
    public Spec conf(String key, String value) {
      Spec copy = new Spec(this);
      copy.conf = new LinkedHashMap<>(conf);
      copy.conf.put(key, value);
      return copy;
    }

    /** Sets one key of HBase or HDFS to a number, over every file. */
    public Spec conf(String key, long value) {
      return conf(key, Long.toString(value));
    }

    /** Starts HDFS, ZooKeeper and HBase. After a failure nothing is left running. */
    public TypedCluster start() throws Exception {
      TypedCluster cluster = startHdfs();
      try {
        cluster.startHBase();
        return cluster;
      } catch (Throwable t) {
        throw closeAfter(cluster, t);
      }
    }

    /** Starts HDFS only; {@link TypedCluster#startHBase()} does the rest. */
    public TypedCluster startHdfs() throws Exception {
      for (Path site : sites) {
        if (!Files.isReadable(site)) {
          // Configuration skips a missing file in silence: the plugin would just not be there.
          throw new FileNotFoundException("site file " + site);
        }
      }
      TypedCluster cluster = new TypedCluster(this);
      try {
        cluster.bootHdfs();
        return cluster;
      } catch (Throwable t) {
        throw closeAfter(cluster, t);
      }
    }

    private static Exception closeAfter(TypedCluster cluster, Throwable cause) {
      try {
        cluster.close();
      } catch (Exception | AssertionError e) {
        cause.addSuppressed(e);
      }
      if (cause instanceof Error) {
        throw (Error) cause;
      }
      return (Exception) cause;
    }
  }

  /** Settings that fit two cores. Site files and {@link Spec#conf} win over them. */
  private static Configuration smallDefaults() {
    Configuration small = new Configuration(false);
    small.setInt("dfs.namenode.handler.count", 4);
    small.setInt("dfs.datanode.handler.count", 3);
    small.setLong("dfs.blocksize", 64 * MIB);
    small.setInt("dfs.heartbeat.interval", 1);
    small.setInt("dfs.namenode.redundancy.interval.seconds", 1);
    small.setLong("dfs.block.scanner.volume.bytes.per.second", 0);
    // MiniDFSCluster's 0 hides that a DataNode refuses a nearly full volume: keep Hadoop's value.
    small.setLong(
        DFSConfigKeys
            .DFS_DATANODE_ROUND_ROBIN_VOLUME_CHOOSING_POLICY_ADDITIONAL_AVAILABLE_SPACE_KEY,
        GIB);
    small.setInt(HConstants.REGION_SERVER_HANDLER_COUNT, 6);
    small.setInt("hbase.regionserver.metahandler.count", 4);
    small.setInt("hbase.regionserver.replication.handler.count", 1);
    small.setInt("hbase.netty.worker.count", 2);
    small.setInt("hbase.hconnection.threads.max", 16);
    small.setInt("hbase.client.pause", 50);
    small.setInt("hbase.regionserver.msginterval", 500);
    small.setInt("hbase.server.thread.wakefrequency", 1000);
    small.setInt(HConstants.ZK_SESSION_TIMEOUT, 30_000);
    small.setInt("hbase.master.info.port", -1);
    small.setInt("hbase.regionserver.info.port", -1);
    // Each server takes its shares of the one heap.
    small.set("hbase.regionserver.global.memstore.size", "0.2");
    small.set("hfile.block.cache.size", "0.1");
    return small;
  }

  private void own(Configuration conf) {
    conf.set("hbase.zookeeper.quorum", LOOPBACK);
    conf.set("hbase.zookeeper.property.clientPortAddress", LOOPBACK);
    conf.set("hbase.master.ipc.address", LOOPBACK);
    conf.set("hbase.regionserver.ipc.address", LOOPBACK);
    conf.set("hbase.master.hostname", "localhost");
    conf.set("hbase.unsafe.regionserver.hostname", "localhost");
    conf.set("hbase.master.info.bindAddress", LOOPBACK);
    conf.set("hbase.regionserver.info.bindAddress", LOOPBACK);
    conf.setBoolean("hbase.localcluster.assign.random.ports", true);
  }

  /** Gives the two roots plain names; the test utility would make them random. */
  private static final class Utility extends HBaseTestingUtility {
    Utility(Configuration conf) {
      super(conf);
    }

    @Override
    public org.apache.hadoop.fs.Path getDefaultRootDirPath(boolean create) throws IOException {
      return getTestFileSystem().makeQualified(new org.apache.hadoop.fs.Path("/hbase"));
    }

    @Override
    public org.apache.hadoop.fs.Path createWALRootDir() throws IOException {
      org.apache.hadoop.fs.Path root =
          getTestFileSystem().makeQualified(new org.apache.hadoop.fs.Path("/hbase-wal"));
      CommonFSUtils.setWALRootDir(getConfiguration(), root);
      getTestFileSystem().mkdirs(root);
      return root;
    }
  }

  private void bootHdfs() throws IOException {
    for (String property : BORROWED_PROPERTIES) {
      propertiesBefore.put(property, System.getProperty(property));
    }
    System.setProperty("test.build.data.basedirectory", directory.path().toString());
    System.clearProperty("hadoop.log.dir");
    System.clearProperty("hadoop.tmp.dir");
    // This class deletes; the utility's delete-on-exit would call a NameNode that is gone.
    System.setProperty("hbase.testing.preserve.testdir", "true");
    DefaultMetricsSystem.setMiniClusterMode(true);
    // MiniDFSCluster clears the shutdown hooks when it stops; only an empty cache puts the one back
    // that HBase insists on finding when it next starts in this JVM (ShutdownHook).
    closeFileSystems();

    Configuration conf = HBaseConfiguration.create();
    conf.addResource(smallDefaults());
    for (Path site : spec.sites) {
      conf.addResource(new org.apache.hadoop.fs.Path(site.toUri()));
    }
    spec.conf.forEach(conf::set);
    own(conf);
    String spare =
        conf.get(
            DFSConfigKeys
                .DFS_DATANODE_ROUND_ROBIN_VOLUME_CHOOSING_POLICY_ADDITIONAL_AVAILABLE_SPACE_KEY);
    util = new Utility(conf);

    MiniDFSCluster.Builder builder =
        new MiniDFSCluster.Builder(conf, directory.path().resolve("dfs").toFile());
    conf.set(
        DFSConfigKeys
            .DFS_DATANODE_ROUND_ROBIN_VOLUME_CHOOSING_POLICY_ADDITIONAL_AVAILABLE_SPACE_KEY,
        spare);
    int volumes = spec.storageTypes.size();
    long[] capacities =
        spec.storageTypes.stream()
            .mapToLong(type -> type == StorageType.SSD ? spec.ssdCapacity : spec.diskCapacity)
            .toArray();
    long[][] capacitiesOfAll = new long[spec.dataNodes][];
    Arrays.setAll(capacitiesOfAll, i -> capacities.clone());
    if (spec.twoNameNodes) {
      builder.nnTopology(MiniDFSNNTopology.simpleHATopology());
      // Else each DataNode tries one that is dead for some ten seconds more, as it stops too.
      conf.setInt("ipc.client.connect.max.retries", 1);
    }
    if (!spec.volumes.isEmpty()) {
      Configuration[] overlays = new Configuration[spec.dataNodes];
      Arrays.setAll(overlays, spec::volumesOf);
      builder.manageDataDfsDirs(false).dataNodeConfOverlays(overlays);
    }
    dfs =
        builder
            .numDataNodes(spec.dataNodes)
            .storagesPerDatanode(volumes)
            .storageTypes(spec.storageTypes.toArray(new StorageType[0]))
            .storageCapacities(capacitiesOfAll)
            .build();
    dfs.waitActive();
    if (spec.twoNameNodes) {
      nameBoth(conf);
    } else {
      util.setDFSCluster(dfs);
    }
    // So that rootDir() can be asked, and prepared, before HBase is there.
    CommonFSUtils.setRootDir(conf, util.getDefaultRootDirPath(false));
    if (spec.walDirApart) {
      util.createWALRootDir();
    }
  }

  /** One name for both NameNodes; HBase's utility cannot do that. */
  private void nameBoth(Configuration conf) throws IOException {
    dfs.transitionToActive(0);
    HATestUtil.setFailoverConfigurations(dfs, conf, SERVICE);
    int index = 0;
    for (String id : conf.getTrimmedStrings("dfs.ha.namenodes." + SERVICE)) {
      String web = NetUtils.getHostPortString(dfs.getNameNode(index++).getHttpAddress());
      conf.set("dfs.namenode.http-address." + SERVICE + "." + id, web);
    }
    conf.set("fs.defaultFS", "hdfs://" + SERVICE);
  }

  /** Each call of closeAll ends at the first output that was left broken, and is nearer the end. */
  private static void closeFileSystems() {
    for (int call = 0; call < 100; call++) {
      try {
        FileSystem.closeAll();
        return;
      } catch (IOException | RuntimeException e) {
        LOG.debug("A file system was left in disorder", e);
      }
    }
  }

  // ---- HBase, up and down

  private StartMiniClusterOption option() {
    return StartMiniClusterOption.builder()
        .numMasters(spec.masters)
        .numRegionServers(spec.regionServers)
        .createWALDir(spec.walDirApart)
        .build();
  }

  /** Starts ZooKeeper and HBase on the running HDFS; returns when hbase:meta can be read. */
  public void startHBase() throws Exception {
    if (util.getZkCluster() == null) {
      util.startMiniZKCluster();
    }
    util.startMiniHBaseCluster(option());
    awaitRegionServers();
  }

  /** Stops every master and region server in good order; HDFS and ZooKeeper stay. */
  public void stopHBase() throws IOException {
    util.shutdownMiniHBaseCluster();
  }

  /** Stops HBase in good order and starts it again on the same data. */
  public void restartHBase() throws IOException, InterruptedException {
    stopHBase();
    util.restartHBaseCluster(option());
    awaitRegionServers();
  }

  private void awaitRegionServers() {
    await(
        "all region servers",
        () -> activeMaster().getServerManager().countOfRegionServers() >= spec.regionServers);
    // A master that takes over after a region server died must not wait for the first number.
    relax(hbase().getConfiguration());
    hbase().getLiveMasterThreads().forEach(thread -> relax(thread.getMaster().getConfiguration()));
  }

  private static void relax(Configuration conf) {
    conf.setInt(ServerManager.WAIT_ON_REGIONSERVERS_MINTOSTART, 1);
    conf.setInt(ServerManager.WAIT_ON_REGIONSERVERS_MAXTOSTART, 1);
  }

  /**
   * Kills a region server without farewell; returns when its WALs are split and its regions are
   * open elsewhere. Another region server must be left.
   */
  public void killRegionServer(ServerName server) throws Exception {
    hbase().killRegionServer(server);
    hbase().waitForRegionServerToStop(server, AWAIT_MILLIS);
    awaitRecovery(server);
  }

  /** Stops a region server in good order and starts a new one in its place; answers its name. */
  public ServerName restartRegionServer(ServerName server) throws Exception {
    ServerName successor =
        hbase().startRegionServerAndWait(AWAIT_MILLIS).getRegionServer().getServerName();
    hbase().stopRegionServer(server);
    hbase().waitForRegionServerToStop(server, AWAIT_MILLIS);
    awaitRecovery(server);
    return successor;
  }

  private void awaitRecovery(ServerName server) throws Exception {
    ServerManager servers = activeMaster().getServerManager();
    await(
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
    MiniHBaseCluster hbase = hbase();
    ServerName old = activeMaster().getServerName();
    if (hbase.getLiveMasterThreads().size() < 2) {
      hbase.startMaster();
    }
    hbase.killMaster(old);
    hbase.waitForMasterToStop(old, AWAIT_MILLIS);
    await(
        "another master",
        () -> {
          HMaster master = hbase.getMaster();
          return master != null
              && !master.getServerName().equals(old)
              && master.isActiveMaster()
              && master.isInitialized();
        });
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
    List<LogRoller> rollers = new ArrayList<>();
    for (RegionServerThread thread : hbase().getLiveRegionServerThreads()) {
      rollers.add(thread.getRegionServer().getWalRoller());
    }
    MasterRegion store = activeMaster().getMasterRegion();
    rollers.forEach(LogRoller::requestRollAll);
    store.requestRollAll();
    for (LogRoller roller : rollers) {
      await("roll of " + roller.getName(), roller::walRollFinished);
    }
    store.waitUntilWalRollFinished();
    // AsyncFSWAL closes the file it leaves on another thread.
    await("close of the old WALs", () -> before.stream().noneMatch(this::isOpen));
  }

  /** The WALs that are being written now. */
  public List<org.apache.hadoop.fs.Path> openWals() throws IOException {
    List<org.apache.hadoop.fs.Path> open = new ArrayList<>();
    for (String where : new String[] {"WALs", "MasterData/WALs"}) {
      RemoteIterator<LocatedFileStatus> files =
          fs().listFiles(new org.apache.hadoop.fs.Path(walRoot(), where), true);
      while (files.hasNext()) {
        org.apache.hadoop.fs.Path file = files.next().getPath();
        if (isOpen(file)) {
          open.add(file);
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
        await(
            "major compaction of " + region.getRegionInfo().getEncodedName(),
            () -> {
              if (isCompact(region)) {
                return true;
              }
              try {
                region.compact(true); // files that another compaction held were left out
              } catch (IOException e) {
                throw new IllegalStateException("compaction of " + region, e);
              }
              return isCompact(region);
            });
      }
      for (HStore store : region.getStores()) {
        store.closeAndArchiveCompactedFiles();
      }
    }
  }

  private static boolean isCompact(HRegion region) {
    return region.getStores().stream().allMatch(store -> store.getStorefilesCount() <= 1);
  }

  /**
   * Polls until the condition holds.
   *
   * @throws AssertionError after {@link #AWAIT_MILLIS}
   */
  public void await(String what, BooleanSupplier condition) {
    LOG.debug("Awaiting {}", what);
    if (util.waitFor(AWAIT_MILLIS, POLL_MILLIS, false, condition::getAsBoolean) < 0) {
      throw new AssertionError("waited " + AWAIT_MILLIS + " ms in vain for " + what);
    }
  }

  // ---- what is there

  /** HDFS. */
  public MiniDFSCluster hdfs() {
    return dfs;
  }

  /** The file system as the cluster's superuser; closed with the cluster. */
  public DistributedFileSystem fs() throws IOException {
    return spec.twoNameNodes ? (DistributedFileSystem) FileSystem.get(conf()) : dfs.getFileSystem();
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
  public HBaseTestingUtility util() {
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
    List<Throwable> failures = new ArrayList<>();
    if (util != null) {
      boolean stopped = within("stop of HBase", 90, util::shutdownMiniHBaseCluster, failures);
      if (!stopped) {
        within("kill of HBase", 30, this::killHBase, failures);
      }
      within("stop of ZooKeeper", 30, util::shutdownMiniZKCluster, failures);
    }
    stopHdfs(failures);
    attempt("delete", directory::close, failures);
    propertiesBefore.forEach(TypedCluster::restoreProperty);
    if (!failures.isEmpty()) {
      IOException e = new IOException("the cluster did not close cleanly");
      failures.forEach(e::addSuppressed);
      throw e;
    }
  }

  /**
   * For a shutdown hook: no farewells, the servers end with the JVM. Stops HDFS so that nothing
   * writes any more, and deletes the directory. Safe from any thread, also while the cluster starts
   * or closes.
   */
  public void abandon() {
    closed = true;
    List<Throwable> failures = new ArrayList<>();
    stopHdfs(failures);
    attempt("delete", directory::close, failures);
  }

  private void killHBase() throws IOException {
    MiniHBaseCluster hbase = hbase();
    if (hbase == null) {
      return;
    }
    List<Thread> threads = new ArrayList<>();
    for (MasterThread thread : hbase.getMasterThreads()) {
      threads.add(thread);
    }
    for (RegionServerThread thread : hbase.getRegionServerThreads()) {
      threads.add(thread);
    }
    util.killMiniHBaseCluster();
    threads.forEach(Thread::interrupt);
  }

  private void stopHdfs(List<Throwable> failures) {
    MiniDFSCluster running = dfs;
    if (running != null) {
      within("stop of HDFS", 60, () -> running.shutdown(false), failures);
      dfs = null;
    }
  }

  private static void restoreProperty(String key, String value) {
    if (value == null) {
      System.clearProperty(key);
    } else {
      System.setProperty(key, value);
    }
  }

  /** One step of the teardown. */
  @FunctionalInterface
  private interface Step {
    void run() throws Exception;
  }

  private static boolean attempt(String what, Step step, List<Throwable> failures) {
    try {
      step.run();
      return true;
    } catch (Throwable e) { // an Error as well: the next step must be tried
      LOG.warn("{} failed", what, e);
      failures.add(e);
      return false;
    }
  }

  /** As {@link #attempt}, but a step that hangs does not hang the caller. */
  private static boolean within(String what, int seconds, Step step, List<Throwable> failures) {
    List<Throwable> own = new ArrayList<>();
    Thread thread = new Thread(() -> attempt(what, step, own), what);
    thread.setDaemon(true);
    thread.start();
    boolean interrupted = false;
    try {
      thread.join(TimeUnit.SECONDS.toMillis(seconds));
    } catch (InterruptedException e) {
      interrupted = true;
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    if (thread.isAlive()) {
      IOException hung = new IOException(what + " took more than " + seconds + " s");
      hung.setStackTrace(thread.getStackTrace());
      failures.add(hung);
      thread.interrupt();
      return false;
    }
    failures.addAll(own);
    return own.isEmpty();
  }
}
