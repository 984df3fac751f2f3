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
package io.github.hybridhbase.it;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.github.hybridhbase.coprocessor.HybridMasterObserver;
import io.github.hybridhbase.hdfs.ProbeFile;
import io.github.hybridhbase.placement.StartCheck;
import io.github.hybridhbase.runtime.Component;
import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.testing.ClusterSpec;
import io.github.hybridhbase.testing.HungSsd;
import io.github.hybridhbase.testing.Ssds;
import io.github.hybridhbase.testing.TypedCluster;
import io.github.hybridhbase.wal.HybridWALProvider;
import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hbase.Abortable;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.coprocessor.MasterCoprocessorEnvironment;
import org.apache.hadoop.hbase.io.crypto.KeyProviderForTesting;
import org.apache.hadoop.hbase.regionserver.wal.AsyncProtobufLogWriter;
import org.apache.hadoop.hbase.wal.WALFactory;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.functional.RemoteIterators;
import org.apache.hbase.thirdparty.io.netty.channel.Channel;
import org.apache.hbase.thirdparty.io.netty.channel.EventLoopGroup;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;

/**
 * {@code hbase.hybrid.mode=require} against each thing that can be missing, at the two doors by
 * which HBase lets the plugin in: the WAL provider and the master observer. HDFS only, no HBase.
 */
class RequireIT {
  /** Whoever makes a factory without one is a tool, for which nothing is placed. */
  private static final Abortable SERVER = mock(Abortable.class);

  private static final List<String> DIRECTORIES = List.of("WALs", "data", "oldWALs");

  private static final RegionInfo REGION =
      RegionInfoBuilder.newBuilder(TableName.valueOf("t")).build();

  private static final UserGroupInformation HBASE =
      UserGroupInformation.createUserForTesting("hbase", new String[] {"hbase"});

  /** Opens both doors as HBase's user; both must refuse with this in the message, or neither. */
  private static void assertRefused(TypedCluster cluster, String... words) throws Exception {
    IOException e = assertThrows(IOException.class, () -> openProvider(cluster, "require"));
    assertSays(e.getCause().getMessage(), words);
    assertDoesNotThrow(() -> openProvider(cluster, "prefer"));
    e = assertThrows(IOException.class, () -> startObserver(cluster, "require"));
    assertSays(e.getMessage(), words);
    assertSays(e.getMessage(), "hbase.hybrid.mode=prefer");
    assertDoesNotThrow(() -> startObserver(cluster, "prefer"));
  }

  private static void assertSays(String message, String... words) {
    for (String word : words) {
      assertTrue(message.contains(word), word + " is not in: " + message);
    }
  }

  private static Configuration conf(TypedCluster cluster, String mode) {
    Configuration conf = new Configuration(cluster.conf());
    conf.set("hbase.hybrid.mode", mode);
    return conf;
  }

  private static <T> T asHBase(PrivilegedExceptionAction<T> action) throws Exception {
    try {
      return HBASE.doAs(action);
    } catch (java.lang.reflect.UndeclaredThrowableException e) {
      throw (Exception) e.getCause();
    }
  }

  /** What is done with a server's WALs. */
  private interface Use {
    void of(WALFactory wals) throws Exception;
  }

  private static void open(Configuration conf, Use use) throws Exception {
    conf.set(WALFactory.WAL_PROVIDER, HybridWALProvider.class.getName());
    asHBase(
        () -> {
          WALFactory wals =
              new WALFactory(conf, "rs.example.org,16020," + System.nanoTime(), SERVER);
          try {
            use.of(wals);
          } finally {
            wals.close();
          }
          return null;
        });
  }

  private static void openProvider(TypedCluster cluster, String mode) throws Exception {
    open(conf(cluster, mode), wals -> {});
  }

  /** Writers are judged by the first WAL. */
  private static void assertFirstWalRefused(TypedCluster cluster, String... words)
      throws Exception {
    IOException e = assertThrows(IOException.class, () -> openWal(cluster, "require"));
    assertSays(e.getMessage(), words);
    assertDoesNotThrow(() -> openWal(cluster, "prefer"));
  }

  private static void openWal(TypedCluster cluster, String mode) throws Exception {
    open(conf(cluster, mode), wals -> wals.getWAL(REGION));
  }

  private static void startObserver(TypedCluster cluster, String mode) throws Exception {
    MasterCoprocessorEnvironment env = mock(MasterCoprocessorEnvironment.class);
    when(env.getConfiguration()).thenReturn(conf(cluster, mode));
    HybridMasterObserver observer = new HybridMasterObserver();
    asHBase(
        () -> {
          observer.start(env);
          observer.stop(env);
          return null;
        });
  }

  /**
   * HDFS with the directories that a master makes, owned by HBase's user. A slow disk gets all the
   * time there is, or a start gives up on its probe.
   */
  private static TypedCluster hdfs(ClusterSpec spec) throws Exception {
    TypedCluster cluster =
        spec.plugin().conf("hbase.hybrid.ssd.fallback.timeout", "20000ms").startHdfs();
    for (String name : DIRECTORIES) {
      cluster.fs().mkdirs(new Path(cluster.rootDir(), name));
      cluster.fs().setOwner(new Path(cluster.rootDir(), name), "hbase", "hbase");
    }
    cluster.fs().setOwner(cluster.rootDir(), "hbase", "hbase");
    return cluster;
  }

  /**
   * Or refused probes, which count as scheduled, would soon make the SSDs full for the NameNode.
   */
  private static ClusterSpec smallBlocks() {
    return TypedCluster.spec()
        .conf("dfs.blocksize", 8L << 20)
        .conf("hbase.regionserver.hlog.blocksize", 8L << 20);
  }

  @Test
  void startsWhereAllIsThere() throws Exception {
    try (TypedCluster cluster = hdfs(TypedCluster.spec())) {
      openProvider(cluster, "require");
      startObserver(cluster, "require");
      for (String name : DIRECTORIES) {
        Path path = new Path(cluster.rootDir(), name);
        assertEquals("HOT", cluster.fs().getStoragePolicy(path).getName(), name);
      }
      Path store = new Path(cluster.rootDir(), "MasterData");
      Configuration ofStore = conf(cluster, "require");
      ofStore.set(HConstants.HBASE_DIR, store.toString());
      ofStore.set("hbase.wal.dir", store.toString());
      open(ofStore, wals -> {});
      assertFalse(cluster.fs().exists(store), "left to HBase, whose first start it is");
      assertTrue(
          files(cluster).stream()
              .noneMatch(file -> file.getPath().getName().startsWith(ProbeFile.PREFIX)),
          "probe files must be gone");

      cluster.fs().setStoragePolicy(cluster.rootDir(), "COLD");
      assertRefused(cluster, "-unsetStoragePolicy -path /hbase");
      IOException e = assertThrows(IOException.class, () -> open(ofStore, wals -> {}));
      assertSays(e.getCause().getMessage(), "-unsetStoragePolicy -path " + store.toUri().getPath());
      cluster.fs().unsetStoragePolicy(cluster.rootDir());

      cluster.fs().setOwner(cluster.rootDir(), "root", "root");
      cluster.fs().setPermission(cluster.rootDir(), new FsPermission("755"));
      assertRefused(cluster, "-chown");
    }
  }

  private static List<LocatedFileStatus> files(TypedCluster cluster) throws Exception {
    return RemoteIterators.toList(cluster.fs().listFiles(cluster.rootDir(), true));
  }

  @Test
  void refusesWithoutAnySsd() throws Exception {
    try (TypedCluster cluster =
        hdfs(TypedCluster.spec().storageTypes(StorageType.DISK, StorageType.DISK))) {
      assertRefused(cluster, "SSD takes no block for");
    }
  }

  @Test
  void refusesWherePoliciesAreDisabled() throws Exception {
    try (TypedCluster cluster =
        hdfs(TypedCluster.spec().dataNodes(1).conf("dfs.storage.policy.enabled", "false"))) {
      assertRefused(cluster, "dfs.storage.policy.enabled=false");
    }
  }

  /** That is for set and unset: create needs no superuser. */
  @Test
  void startsAndPlacesWherePoliciesAreTheSuperusers() throws Exception {
    try (TypedCluster cluster =
        hdfs(TypedCluster.spec().conf("dfs.storage.policy.permissions.superuser-only", "true"))) {
      startObserver(cluster, "require");
      openWal(cluster, "require");
      int wals = 0;
      for (LocatedFileStatus file : files(cluster)) {
        for (BlockLocation block : file.getBlockLocations()) {
          assertEquals(
              Collections.nCopies(3, StorageType.SSD), List.of(block.getStorageTypes()), "" + file);
          wals++;
        }
      }
      assertTrue(wals > 0);
    }
  }

  /** HDFS's own 1 GiB rule: the SSD looks empty to the NameNode, and its DataNode refuses. */
  @Test
  @DisabledIfSystemProperty(
      named = "hbase.line",
      matches = "2\\.6\\.1.*",
      disabledReason =
          "Hadoop 3.3 uses an SSD to its last byte: nothing is refused in the gap made here")
  void ssdRefuses_namesRemedy() throws Exception {
    try (TypedCluster cluster = hdfs(smallBlocks())) {
      openProvider(cluster, "require");
      new Ssds(cluster).capacity(900L << 20);
      assertRefused(cluster, "could only be written to 0", "hdfs dfsadmin -report");
    }
  }

  /** A site's, as one that encrypts. */
  public static final class OtherAsyncWriter extends AsyncProtobufLogWriter {
    public OtherAsyncWriter(EventLoopGroup events, Class<? extends Channel> channel) {
      super(events, channel);
    }
  }

  /** Writers and providers are keys of HBase's alone. */
  @Test
  @DisabledIfSystemProperty(
      named = "hbase.line",
      matches = "2\\.5\\.13.*",
      disabledReason = "HBase 2.5 names its own writers in hbase-default.xml, as if a site had")
  void refusesAWriterOrAProviderForMetaThatIsNotThePlugins() throws Exception {
    String key = "hbase.regionserver.wal.async.writer.impl";
    try (TypedCluster cluster = hdfs(TypedCluster.spec())) {
      cluster.conf().set("hbase.wal.meta_provider", "asyncfs");
      assertFirstWalRefused(cluster, "hbase.wal.meta_provider=asyncfs");
      cluster.conf().unset("hbase.wal.meta_provider");

      cluster.conf().set(key, OtherAsyncWriter.class.getName());
      assertFirstWalRefused(cluster, "fall-back");
      cluster.conf().unset(key);
      for (String delegate : new String[] {"filesystem", "asyncfs", "multiwal"}) {
        Configuration conf = conf(cluster, "require");
        conf.set("hbase.hybrid.wal.delegate", delegate);
        conf.set("hbase.hybrid.wal.hsync", "auto");
        assertNothingIsLacking(conf);
        conf.set(HConstants.CRYPTO_KEYPROVIDER_CONF_KEY, KeyProviderForTesting.class.getName());
        conf.set(HConstants.CRYPTO_MASTERKEY_NAME_CONF_KEY, "hbase");
        conf.setBoolean(HConstants.ENABLE_WAL_ENCRYPTION, true);
        assertNothingIsLacking(conf);
      }
    }
  }

  /** Opens WALs on HDFS, where every output tells its pipeline. */
  private static void assertNothingIsLacking(Configuration conf) throws Exception {
    open(
        conf,
        wals -> {
          wals.getWAL(REGION);
          wals.getWAL(RegionInfoBuilder.FIRST_META_REGIONINFO);
          assertEquals(List.of(), HybridMetrics.get().shortfalls());
        });
  }

  private static List<Thread> probing() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("hybrid-start-probe"))
        .collect(Collectors.toList());
  }

  /** HDFS itself waits for a DataNode that hangs for 16 s. */
  @Test
  void aDataNodeThatHangsIsNoReasonToRefuseNorToWait() throws Exception {
    try (TypedCluster cluster = hdfs(TypedCluster.spec())) {
      Configuration conf = conf(cluster, "require");
      conf.set("hbase.hybrid.ssd.fallback.timeout", "1000ms");
      StartCheck check = new StartCheck(conf, HybridSettings.read(conf));
      check.require(Component.WAL, cluster.fs(), cluster.rootDir());
      try (HungSsd hung = HungSsd.forNewFiles(cluster.hdfs().getDataNodes().get(0))) {
        check.require(Component.WAL, cluster.fs(), cluster.rootDir());
        assertFalse(probing().isEmpty(), () -> "the start has waited for its probe; " + hung);
      }
      for (Thread thread : probing()) {
        thread.join();
      }
    }
  }
}
