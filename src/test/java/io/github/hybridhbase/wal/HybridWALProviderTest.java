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
import static org.junit.jupiter.params.provider.Arguments.arguments;
import static org.mockito.Mockito.CALLS_REAL_METHODS;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.mockStatic;
import static org.mockito.Mockito.mockingDetails;

import io.github.hybridhbase.placement.StartCheck;
import io.github.hybridhbase.testing.LoggedLines;
import io.github.hybridhbase.testing.MetricNames;
import io.github.hybridhbase.tier.HybridStoreEngine;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.mockito.MockedStatic;

/** On a local file system, which has no storage policies: everything must be as stock. */
class HybridWALProviderTest {
  /** Whoever makes a factory without one is a tool, for which nothing is placed. */
  private static final Abortable SERVER = mock(Abortable.class);

  private static final RegionInfo REGION =
      RegionInfoBuilder.newBuilder(TableName.valueOf("t")).build();
  private static final RegionInfo META = RegionInfoBuilder.FIRST_META_REGIONINFO;

  private static final String SERVER_NAME = "rs.example.org,16020,1";
  private static final String PLUGIN = HybridWALProvider.class.getName();
  private static final String DELEGATE = "hbase.hybrid.wal.delegate";
  private static final String GROUPS = "hbase.wal.regiongrouping.delegate.provider";

  @TempDir private Path root;
  private final List<WALFactory> factories = new ArrayList<>();
  private Configuration conf;

  @BeforeEach
  void onALocalFileSystem() {
    conf = HBaseConfiguration.create();
    conf.set("hbase.rootdir", root.toUri().toString());
    conf.set("fs.defaultFS", root.toUri().toString());
    conf.setBoolean("hbase.unsafe.stream.capability.enforce", false);
    conf.set(WALFactory.WAL_PROVIDER, PLUGIN);
  }

  @AfterEach
  void close() throws IOException {
    for (WALFactory factory : factories) {
      factory.close();
    }
    factories.clear();
  }

  /** Of a server; closed after the test. */
  private WALFactory factory() throws IOException {
    WALFactory factory = new WALFactory(conf, SERVER_NAME, SERVER);
    factories.add(factory);
    return factory;
  }

  private static WAL open(WALFactory factory, RegionInfo region) throws IOException {
    WAL wal = factory.getWAL(region);
    assertSame(wal, factory.getWAL(region));
    return wal;
  }

  /** Also in groups that name the plugin again, which must not recur for ever. */
  @ParameterizedTest
  @CsvSource({
    "plugin, asyncfs, filesystem, asyncfs",
    "plugin, filesystem, filesystem, filesystem",
    "plugin, multiwal, filesystem, filesystem",
    "plugin, multiwal, plugin, asyncfs",
    "multiwal, asyncfs, plugin, asyncfs"
  })
  void theWalHandedOutIsHBasesOwnObject(
      String provider, String delegate, String groups, String stock) throws IOException {
    conf.set(WALFactory.WAL_PROVIDER, provider.replace("plugin", PLUGIN));
    conf.set(DELEGATE, delegate);
    conf.set(GROUPS, groups.replace("plugin", PLUGIN));
    Class<?> wal = stock.equals("asyncfs") ? AsyncFSWAL.class : FSHLog.class;
    WALFactory factory = factory();
    assertSame(wal, open(factory, REGION).getClass());
    assertSame(wal, open(factory, META).getClass());
    assertEquals(1, factory.getWALs().size());
    assertTrue(factory.getWALProvider().getNumLogFiles() >= 1);
  }

  /** HBaseConfiguration.create reads all defaults again, which is a part of a start's time. */
  @ParameterizedTest
  @CsvSource({"asyncfs", "multiwal"})
  void aStartReadsHBasesDefaultsAsOftenAsStock(String delegate) throws IOException {
    conf.set(DELEGATE, delegate);
    long withPlugin = defaultsReadByAStart();
    conf.set(WALFactory.WAL_PROVIDER, delegate);
    assertEquals(defaultsReadByAStart(), withPlugin);
  }

  private long defaultsReadByAStart() throws IOException {
    try (MockedStatic<HBaseConfiguration> reads =
        mockStatic(HBaseConfiguration.class, CALLS_REAL_METHODS)) {
      WALFactory factory = factory();
      open(factory, REGION);
      open(factory, META);
      close();
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
              Duration.ofSeconds(30), this::factory, "the start waits for the NameNode");
      Thread.currentThread().interrupt();
      assertThrows(IOException.class, () -> factory.getWAL(META));
      Thread.interrupted();
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
    factory();
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
    WALFactory factory = factory();
    assertFalse(Files.exists(root.resolve("WALs")), "HBase takes its absence for proof");
    open(factory, REGION);
    assertTrue(Files.exists(root.resolve("WALs").resolve(SERVER_NAME)));
  }

  @ParameterizedTest
  @CsvSource({
    "hbase.hybrid.wal.policy, ALL_SSD, no storage policies",
    "hbase.hybrid.wal.polcy, HOT, polcy"
  })
  void requireRefusesAFileSystemWithoutPolicies_andAnUnknownKey(
      String key, String value, String why) {
    conf.set("hbase.hybrid.mode", "require");
    conf.set(key, value);
    IOException e = assertThrows(IOException.class, this::factory);
    assertTrue(e.getCause().getMessage().contains(why), e.getCause()::getMessage);
  }

  /** By a RegionServer; a master's observer logs them too. */
  @ParameterizedTest
  @CsvSource({"of", "prefer"})
  void everyServerLogsOnceWhatIsWrong(String mode) throws IOException {
    conf.set("hbase.hybrid.mode", mode);
    conf.set("hbase.hybrid.wal.polcy", "HOT");
    conf.set("hbase.hybrid.wal.policy", "WHATEVER");
    try (LoggedLines logged = LoggedLines.of(StartCheck.class)) {
      open(factory(), META); // on whatever is wrong
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

  /** What a gauge of the plugin shows now. */
  private static Object gauge(String name) {
    return ((Gauge<?>) MetricNames.registry().get(name).orElseThrow()).getValue();
  }

  /** Opens a server's WALs and asserts whether their writers lack anything then. */
  private void assertLacks(boolean something) throws IOException {
    WALFactory factory = new WALFactory(conf, SERVER_NAME, SERVER);
    try {
      open(factory, REGION);
      open(factory, META);
      assertEquals(something ? 1L : 0L, gauge("walWritersNotInForce"));
    } finally {
      factory.close();
    }
    assertEquals(0L, gauge("walWritersNotInForce"), "a server that ended lacks nothing");
  }

  /** A site's, as one that encrypts. */
  public static final class OtherAsyncWriter extends AsyncProtobufLogWriter {
    public OtherAsyncWriter(EventLoopGroup events, Class<? extends Channel> channel) {
      super(events, channel);
    }
  }

  /** Likewise. */
  public static final class OtherWriter extends ProtobufLogWriter {}

  /** Opens WALs with HBase's own writer whatever the configuration says. */
  public static class Stubborn extends FSHLogProvider {
    @Override
    protected void doInit(Configuration given) throws IOException {
      conf = HBaseConfiguration.create(given);
      conf.unset(FSHLogProvider.WRITER_IMPL);
      super.doInit(conf);
    }
  }

  static List<Arguments> settings() {
    String auto = "hbase.hybrid.wal.hsync";
    String writer = "hbase.regionserver.wal.writer.impl";
    String asyncWriter = "hbase.regionserver.wal.async.writer.impl";
    String meta = WALFactory.META_WAL_PROVIDER;
    List<Arguments> all = new ArrayList<>();
    for (String delegate : List.of("asyncfs", "filesystem", "multiwal")) {
      all.add(arguments(false, Map.of(DELEGATE, delegate)));
      // The output does not tell its media.
      all.add(arguments(true, Map.of(DELEGATE, delegate, auto, "auto")));
    }
    // HBase makes hbase:meta's WAL with that one then, and its own writer.
    for (String other :
        List.of("asyncfs", "filesystem", "multiwal", FSHLogProvider.class.getName())) {
      all.add(arguments(true, Map.of(meta, other)));
      all.add(arguments(false, Map.of(meta, other, "hbase.hybrid.wal.policy", "HOT")));
    }
    all.add(arguments(false, Map.of(meta, PLUGIN)));
    all.add(arguments(false, Map.of(meta, "multiwal", GROUPS, PLUGIN)));
    String other = OtherAsyncWriter.class.getName();
    all.add(arguments(true, Map.of(asyncWriter, other)));
    all.add(arguments(false, Map.of(asyncWriter, other, "hbase.hybrid.mode", "off")));
    all.add(arguments(false, Map.of(asyncWriter, AsyncProtobufLogWriter.class.getName())));
    all.add(arguments(true, Map.of(DELEGATE, "filesystem", writer, OtherWriter.class.getName())));
    String stubborn = Stubborn.class.getName();
    all.add(arguments(true, Map.of(DELEGATE, "multiwal", auto, "auto", GROUPS, stubborn)));
    return all;
  }

  @ParameterizedTest
  @MethodSource("settings")
  void whatAWriterLacksIsFoundByItsFirstWal(boolean lacking, Map<String, String> settings)
      throws IOException {
    settings.forEach(conf::set);
    assertLacks(lacking);
  }

  /** No policy is asked for, so that placement refuses nothing here. */
  @Test
  void requireRefusesTheFirstWalsWhoseOutputDoesNotTellItsMedia() throws IOException {
    conf.set("hbase.hybrid.mode", "require");
    for (String part : new String[] {"wal", "meta", "master"}) {
      conf.set("hbase.hybrid." + part + ".policy", "NONE");
    }
    open(factory(), REGION);
    conf.set("hbase.hybrid.wal.hsync", "auto");
    WALFactory factory = new WALFactory(conf, "rs.example.org,16020,2", SERVER);
    factories.add(factory);
    for (RegionInfo region : new RegionInfo[] {REGION, META, REGION}) {
      IOException e = assertThrows(IOException.class, () -> factory.getWAL(region));
      assertTrue(e.getMessage().contains("hbase.hybrid.mode=require"), e.getMessage());
      assertTrue(e.getMessage().contains("does not tell on what media"), e.getMessage());
    }
  }

  /** HBase 2.6 encrypts in the writers' common superclass: no other class is needed for it. */
  @ParameterizedTest
  @CsvSource({"asyncfs", "filesystem"})
  void anEncryptedWalHasThePluginsWriter(String delegate) throws IOException {
    conf.set(DELEGATE, delegate);
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
    WALFactory factory = factory();
    assertThrows(
        IllegalStateException.class,
        () -> factory.getWALProvider().init(factory, conf, null, null));
  }

  /** By name, since the package knows no tier. */
  @Test
  void itNamesTheStoreEngineOfThePluginByHBasesKey() {
    assertEquals(HybridStoreEngine.class.getName(), HybridWALProvider.ENGINE);
    assertEquals(StoreEngine.STORE_ENGINE_CLASS_KEY, HybridWALProvider.ENGINE_KEY);
  }
}
