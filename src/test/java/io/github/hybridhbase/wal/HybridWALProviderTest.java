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
package io.github.hybridhbase.wal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.Mockito.CALLS_REAL_METHODS;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.mockStatic;
import static org.mockito.Mockito.mockingDetails;

import io.github.hybridhbase.placement.StartCheck;
import io.github.hybridhbase.testing.LoggedLines;
import io.github.hybridhbase.tier.HybridStoreEngine;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Abortable;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.io.crypto.KeyProviderForTesting;
import org.apache.hadoop.hbase.metrics.Gauge;
import org.apache.hadoop.hbase.metrics.MetricRegistries;
import org.apache.hadoop.hbase.metrics.MetricRegistry;
import org.apache.hadoop.hbase.regionserver.StoreEngine;
import org.apache.hadoop.hbase.regionserver.wal.AsyncFSWAL;
import org.apache.hadoop.hbase.regionserver.wal.AsyncProtobufLogWriter;
import org.apache.hadoop.hbase.regionserver.wal.FSHLog;
import org.apache.hadoop.hbase.regionserver.wal.ProtobufLogWriter;
import org.apache.hadoop.hbase.wal.FSHLogProvider;
import org.apache.hadoop.hbase.wal.WAL;
import org.apache.hadoop.hbase.wal.WALFactory;
import org.apache.hbase.thirdparty.io.netty.channel.Channel;
import org.apache.hbase.thirdparty.io.netty.channel.EventLoopGroup;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mockito.MockedStatic;

/** On a local file system, which has no storage policies: everything must be as stock. */
class HybridWALProviderTest {
  /** Whoever makes a factory without one is a tool, for which nothing is placed. */
  private static final Abortable SERVER = mock(Abortable.class);

  private static final RegionInfo REGION =
      RegionInfoBuilder.newBuilder(TableName.valueOf("t")).build();
  private static final RegionInfo META = RegionInfoBuilder.FIRST_META_REGIONINFO;

  @TempDir private Path root;
  private Configuration conf;

  @BeforeEach
  void onALocalFileSystem() {
    conf = HBaseConfiguration.create();
    conf.set("hbase.rootdir", root.toUri().toString());
    conf.set("fs.defaultFS", root.toUri().toString());
    conf.setBoolean("hbase.unsafe.stream.capability.enforce", false);
    conf.set(WALFactory.WAL_PROVIDER, HybridWALProvider.class.getName());
  }

  private static WAL open(WALFactory factory, RegionInfo region) throws IOException {
    WAL wal = factory.getWAL(region);
    assertSame(wal, factory.getWAL(region));
    return wal;
  }

  @ParameterizedTest
  @CsvSource({"asyncfs", "filesystem", "multiwal"})
  void theWalHandedOutIsHBasesOwnObject(String delegate) throws IOException {
    conf.set("hbase.hybrid.wal.delegate", delegate);
    conf.set("hbase.wal.regiongrouping.delegate.provider", "filesystem");
    Class<?> stock = delegate.equals("asyncfs") ? AsyncFSWAL.class : FSHLog.class;
    WALFactory factory = new WALFactory(conf, "rs.example.org,16020,1", SERVER);
    try {
      assertSame(stock, open(factory, REGION).getClass());
      assertSame(stock, open(factory, META).getClass());
      assertTrue(factory.getWALProvider().getNumLogFiles() >= 1);
    } finally {
      factory.close();
    }
  }

  /** HBaseConfiguration.create reads all defaults again, which is a part of a start's time. */
  @ParameterizedTest
  @CsvSource({"asyncfs", "multiwal"})
  void aStartReadsHBasesDefaultsAsOftenAsStock(String delegate) throws IOException {
    conf.set("hbase.hybrid.wal.delegate", delegate);
    long withPlugin = defaultsReadByAStart();
    conf.set(WALFactory.WAL_PROVIDER, delegate);
    assertEquals(defaultsReadByAStart(), withPlugin);
  }

  private long defaultsReadByAStart() throws IOException {
    try (MockedStatic<HBaseConfiguration> reads =
        mockStatic(HBaseConfiguration.class, CALLS_REAL_METHODS)) {
      WALFactory factory = new WALFactory(conf, "rs.example.org,16020,1", SERVER);
      try {
        open(factory, REGION);
        open(factory, META);
      } finally {
        factory.close();
      }
      return mockingDetails(HBaseConfiguration.class).getInvocations().stream()
          .filter(call -> call.getMethod().getName().equals("create"))
          .filter(call -> call.getArguments().length == 0)
          .count();
    }
  }

  /** What dead servers left is split on other threads, as soon as the start goes on. */
  @Test
  void onlyTheFirstWalWaitsForANameNodeThatHangs() throws Exception {
    try (ServerSocket hangs = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      String hdfs = "hdfs://127.0.0.1:" + hangs.getLocalPort();
      conf.set("fs.defaultFS", hdfs);
      conf.set("hbase.rootdir", hdfs + "/hbase");
      WALFactory factory =
          assertTimeoutPreemptively(
              Duration.ofSeconds(30),
              () -> new WALFactory(conf, "rs.example.org,16020,1", SERVER),
              "the start waits for the NameNode");
      try {
        Thread.currentThread().interrupt();
        assertThrows(IOException.class, () -> factory.getWAL(META));
        Thread.interrupted();
      } finally {
        factory.close();
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"prefer, , , 1000", "prefer, 4000, , 4000", "off, , , ", "prefer, , /MasterData, "})
  void aDeadServersWalsAreSplitAsSoonAsHdfsAllows(
      String mode, String set, String directory, String pause) throws IOException {
    conf.set("hbase.hybrid.mode", mode);
    if (set != null) {
      conf.set("hbase.lease.recovery.first.pause", set);
    }
    if (directory != null) {
      conf.set("hbase.rootdir", root.toUri() + directory);
    }
    WALFactory factory = new WALFactory(conf, "rs.example.org,16020,1", SERVER);
    factory.close();
    assertEquals(pause, conf.get("hbase.lease.recovery.first.pause"));
    assertEquals(
        pause != null,
        RecoveredEditsWriter.class
            .getName()
            .equals(conf.get("hbase.regionserver.wal.writer.impl")));
  }

  @Test
  void aToolKeepsHBasesPause() throws IOException {
    new WALFactory(conf, "tool,1,1", null).close();
    assertNull(conf.get("hbase.lease.recovery.first.pause"));
  }

  @Test
  void noDirectoryIsMadeBeforeTheFirstWalIs() throws IOException {
    WALFactory factory = new WALFactory(conf, "rs.example.org,16020,1", SERVER);
    try {
      assertFalse(Files.exists(root.resolve("WALs")), "HBase takes its absence for proof");
      open(factory, REGION);
      assertTrue(Files.exists(root.resolve("WALs").resolve("rs.example.org,16020,1")));
    } finally {
      factory.close();
    }
  }

  @Test
  void requireRefusesAFileSystemWithoutPoliciesAndSaysWhatToDo() {
    conf.set("hbase.hybrid.mode", "require");
    IOException e =
        assertThrows(
            IOException.class, () -> new WALFactory(conf, "rs.example.org,16020,1", SERVER));
    String message = e.getCause().getMessage();
    assertTrue(message.contains("hbase.hybrid.mode=require"), message);
    assertTrue(message.contains("no storage policies"), message);
    assertTrue(message.contains("hbase.hybrid.mode=prefer"), message);
  }

  @Test
  void requireRefusesAConfigurationThatIsNotUnderstood() {
    conf.set("hbase.hybrid.mode", "require");
    conf.set("hbase.hybrid.wal.polcy", "HOT");
    IOException e =
        assertThrows(
            IOException.class, () -> new WALFactory(conf, "rs.example.org,16020,1", SERVER));
    assertTrue(e.getCause().getMessage().contains("hbase.hybrid.wal.polcy"));
  }

  @Test
  void preferWritesOnWhateverIsWrong() throws IOException {
    conf.set("hbase.hybrid.wal.policy", "WHATEVER");
    conf.set("hbase.hybrid.no.such.key", "1");
    WALFactory factory = new WALFactory(conf, "rs.example.org,16020,1", SERVER);
    try {
      open(factory, REGION);
    } finally {
      factory.close();
    }
  }

  /** By a RegionServer; a master's observer logs them too. */
  @ParameterizedTest
  @CsvSource({"of", "prefer"})
  void everyServerLogsOnceWhatIsWrong(String mode) throws IOException {
    conf.set("hbase.hybrid.mode", mode);
    conf.set("hbase.hybrid.wal.polcy", "HOT");
    try (LoggedLines logged = LoggedLines.of(StartCheck.class)) {
      WALFactory factory = new WALFactory(conf, "rs.example.org,16020,1", SERVER);
      open(factory, META);
      factory.close();
      for (String wrong : mode.equals("of") ? List.of("polcy", "mode") : List.of("polcy")) {
        assertEquals(
            1,
            logged.lines().stream()
                .filter(line -> line.startsWith("ERROR hbase.hybrid.") && line.contains(wrong))
                .count(),
            logged.lines()::toString);
      }
    }
  }

  @Test
  void groupsThatNameThePluginAgainDoNotRecurForEver() throws IOException {
    conf.set("hbase.hybrid.wal.delegate", "multiwal");
    conf.set("hbase.wal.regiongrouping.delegate.provider", HybridWALProvider.class.getName());
    WALFactory factory = new WALFactory(conf, "rs.example.org,16020,1", SERVER);
    try {
      assertSame(AsyncFSWAL.class, open(factory, REGION).getClass());
    } finally {
      factory.close();
    }
  }

  @Test
  void thePluginServesTheGroupsOfAStockMultiwal() throws IOException {
    conf.set(WALFactory.WAL_PROVIDER, "multiwal");
    conf.set("hbase.wal.regiongrouping.delegate.provider", HybridWALProvider.class.getName());
    WALFactory factory = new WALFactory(conf, "rs.example.org,16020,1", SERVER);
    try {
      assertSame(AsyncFSWAL.class, open(factory, REGION).getClass());
      assertEquals(1, factory.getWALs().size());
    } finally {
      factory.close();
    }
  }

  /** What a gauge of the plugin shows now. */
  private static Object gauge(String name) {
    MetricRegistry registry =
        MetricRegistries.global().getMetricRegistries().stream()
            .filter(any -> any.getMetricRegistryInfo().getMetricsName().equals("Hybrid"))
            .findAny()
            .orElseThrow();
    return ((Gauge<?>) registry.get(name).orElseThrow()).getValue();
  }

  /** Opens a server's WAL and asserts whether its writers lack anything then. */
  private void assertLacks(boolean something) throws IOException {
    WALFactory factory = new WALFactory(conf, "rs.example.org,16020,1", SERVER);
    try {
      open(factory, REGION);
      open(factory, META);
      assertEquals(something ? 1L : 0L, gauge("walWritersNotInForce"));
    } finally {
      factory.close();
    }
    assertEquals(0L, gauge("walWritersNotInForce"), "a server that ended lacks nothing");
  }

  @ParameterizedTest
  @CsvSource({"asyncfs", "filesystem", "multiwal"})
  void nothingIsLackingWithThePluginsWriters(String delegate) throws IOException {
    conf.set("hbase.hybrid.wal.delegate", delegate);
    assertLacks(false);
  }

  @ParameterizedTest
  @CsvSource({"asyncfs", "filesystem", "multiwal"})
  void anOutputThatDoesNotTellItsMediaKeepsAutoFromBeingInForce(String delegate)
      throws IOException {
    conf.set("hbase.hybrid.wal.delegate", delegate);
    conf.set("hbase.hybrid.wal.hsync", "auto");
    assertLacks(true);
  }

  /** A site's, as one that encrypts. */
  public static final class OtherAsyncWriter extends AsyncProtobufLogWriter {
    public OtherAsyncWriter(EventLoopGroup events, Class<? extends Channel> channel) {
      super(events, channel);
    }
  }

  /** Likewise. */
  public static final class OtherWriter extends ProtobufLogWriter {}

  @Test
  void anotherAsyncWriterIsNotSilent() throws IOException {
    conf.set("hbase.regionserver.wal.async.writer.impl", OtherAsyncWriter.class.getName());
    assertLacks(true);
    conf.set("hbase.hybrid.mode", "off");
    assertLacks(false);
  }

  @Test
  void anotherStreamWriterIsNotSilent() throws IOException {
    conf.set("hbase.hybrid.wal.delegate", "filesystem");
    conf.set("hbase.regionserver.wal.writer.impl", OtherWriter.class.getName());
    assertLacks(true);
  }

  @Test
  void hbasesOwnWriterNamedBySiteIsReplaced() throws IOException {
    conf.set("hbase.regionserver.wal.async.writer.impl", AsyncProtobufLogWriter.class.getName());
    assertLacks(false);
  }

  /** HBase makes hbase:meta's WAL with another provider then, and that one with its own writer. */
  @ParameterizedTest
  @CsvSource({"asyncfs", "filesystem", "multiwal", "org.apache.hadoop.hbase.wal.FSHLogProvider"})
  void anotherProviderForMetaIsNotSilent(String provider) throws IOException {
    conf.set(WALFactory.META_WAL_PROVIDER, provider);
    assertLacks(true);
    conf.set("hbase.hybrid.wal.policy", "HOT");
    assertLacks(false);
  }

  @Test
  void thePluginForMetaLacksNothing() throws IOException {
    conf.set(WALFactory.META_WAL_PROVIDER, HybridWALProvider.class.getName());
    assertLacks(false);
    conf.set(WALFactory.META_WAL_PROVIDER, "multiwal");
    conf.set("hbase.wal.regiongrouping.delegate.provider", HybridWALProvider.class.getName());
    assertLacks(false);
  }

  /** No policy is asked for, so that placement refuses nothing here. */
  @Test
  void requireRefusesTheFirstWalsWhoseOutputDoesNotTellItsMedia() throws IOException {
    conf.set("hbase.hybrid.mode", "require");
    for (String part : new String[] {"wal", "meta", "master"}) {
      conf.set("hbase.hybrid." + part + ".policy", "NONE");
    }
    WALFactory fine = new WALFactory(conf, "rs.example.org,16020,1", SERVER);
    try {
      open(fine, REGION);
    } finally {
      fine.close();
    }
    conf.set("hbase.hybrid.wal.hsync", "auto");
    WALFactory factory = new WALFactory(conf, "rs.example.org,16020,2", SERVER);
    try {
      for (RegionInfo region : new RegionInfo[] {REGION, META, REGION}) {
        IOException e = assertThrows(IOException.class, () -> factory.getWAL(region));
        assertTrue(e.getMessage().contains("hbase.hybrid.mode=require"), e.getMessage());
        assertTrue(e.getMessage().contains("does not tell on what media"), e.getMessage());
      }
    } finally {
      factory.close();
    }
  }

  /** Groups of a provider that the plugin knows nothing of. */
  @Test
  void groupsThatKeepHBasesWritersAreFoundOutByTheirFirstWal() throws IOException {
    conf.set("hbase.hybrid.wal.delegate", "multiwal");
    conf.set("hbase.hybrid.wal.hsync", "auto");
    conf.set("hbase.wal.regiongrouping.delegate.provider", Stubborn.class.getName());
    assertLacks(true);
  }

  /** Opens WALs with HBase's own writer whatever the configuration says. */
  public static class Stubborn extends FSHLogProvider {
    @Override
    protected void doInit(Configuration given) throws IOException {
      conf = HBaseConfiguration.create(given);
      conf.unset(FSHLogProvider.WRITER_IMPL);
      super.doInit(conf);
    }
  }

  /** HBase 2.6 encrypts in the writers' common superclass: no other class is needed for it. */
  @ParameterizedTest
  @CsvSource({"asyncfs", "filesystem"})
  void anEncryptedWalHasThePluginsWriter(String delegate) throws IOException {
    conf.set("hbase.hybrid.wal.delegate", delegate);
    conf.set(HConstants.CRYPTO_KEYPROVIDER_CONF_KEY, KeyProviderForTesting.class.getName());
    conf.set(HConstants.CRYPTO_MASTERKEY_NAME_CONF_KEY, "hbase");
    conf.setBoolean(HConstants.ENABLE_WAL_ENCRYPTION, true);
    assertLacks(false);
    try (Stream<Path> files = Files.walk(root)) {
      Path wal = files.filter(file -> file.toString().endsWith(".meta")).findAny().orElseThrow();
      String bytes = Files.readString(wal, StandardCharsets.ISO_8859_1);
      assertTrue(bytes.contains("SecureProtobufLogWriter"), "the header says how to read it");
    }
  }

  @Test
  void initTwiceIsRefusedAsTheStockProvidersDo() throws IOException {
    WALFactory factory = new WALFactory(conf, "rs.example.org,16020,1", SERVER);
    try {
      assertThrows(
          IllegalStateException.class,
          () -> factory.getWALProvider().init(factory, conf, null, null));
    } finally {
      factory.close();
    }
  }

  /** By name, since the package knows no tier. */
  @Test
  void itNamesTheStoreEngineOfThePluginByHBasesKey() {
    assertEquals(HybridStoreEngine.class.getName(), HybridWALProvider.ENGINE);
    assertEquals(StoreEngine.STORE_ENGINE_CLASS_KEY, HybridWALProvider.ENGINE_KEY);
  }
}
