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
package io.github.hybridhbase.wal.fallback;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doReturn;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.spy;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import io.github.hybridhbase.hdfs.FailFastClient;
import io.github.hybridhbase.hdfs.FakeNamespace;
import io.github.hybridhbase.hdfs.HdfsError;
import io.github.hybridhbase.runtime.Clock;
import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.Metric;
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.runtime.TestClock;
import io.github.hybridhbase.wal.failover.OpenLog;
import java.io.IOException;
import java.net.ConnectException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hbase.exceptions.TimeoutIOException;
import org.apache.hadoop.hbase.io.asyncfs.monitor.ExcludeDatanodeManager;
import org.apache.hadoop.hbase.io.asyncfs.monitor.StreamSlowMonitor;
import org.apache.hadoop.hdfs.protocol.DSQuotaExceededException;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mockito.ArgumentCaptor;

class WalOpenerTest {
  private static final String HOME = "/hbase/WALs/server";
  private static final Path WAL = new Path(HOME, "server.1");

  private final Configuration conf = new Configuration(false);
  private final FakeNamespace hdfs =
      new FakeNamespace()
          .with("/hbase", StoragePolicy.UNSPECIFIED)
          .with("/hbase/WALs", StoragePolicy.UNSPECIFIED)
          .with(HOME, StoragePolicy.UNSPECIFIED);
  private final ExcludeDatanodeManager excludes = new ExcludeDatanodeManager(conf);
  private final StreamSlowMonitor stock = new StreamSlowMonitor(conf, "stock", excludes);
  private final Script script = new Script();
  private long now;
  private final Clock clock = new TestClock(() -> now, nanos -> now += nanos);

  /** Of looks that are to come. */
  private final ScheduledThreadPoolExecutor timer = mock(ScheduledThreadPoolExecutor.class);

  private final HybridServer server;
  private final OpenLog log;
  private Predicate<OpenLog> rolled = log -> false;
  private WalFallback fallback = fallback(StoragePolicy.ALL_SSD);

  private WalFallback fallback(StoragePolicy declared) {
    conf.set("hbase.hybrid.ssd.retry", "3600s");
    return new WalFallback(
        conf, new Path(HOME), hdfs, declared, clock, timer, logs -> rolled = logs);
  }

  WalOpenerTest() throws IOException {
    conf.set("hbase.rootdir", "file:///hbase");
    server = spy(HybridServer.of(conf, FileSystem.getLocal(conf), WAL));
    log = server.log(WAL);
  }

  private boolean isRolled(OpenLog one) {
    return rolled.test(one);
  }

  private WalOpener opener() {
    script.asked.clear();
    script.pipeline = new DatanodeInfo[0];
    doReturn(fallback).when(server).fallback(any(), any());
    WalOpener opener =
        new WalOpener(server, conf, null, WAL, script.namesRefusals) {
          @Override
          protected void create(FileSystem client, boolean overwrite, StreamSlowMonitor monitor)
              throws IOException {
            script.create(overwrite, monitor);
          }

          @Override
          protected DatanodeInfo[] pipeline() {
            return script.pipeline;
          }

          @Override
          protected void discard(FailFastClient.Use client) {
            script.discard();
          }
        };
    script.state = opener.state;
    return opener;
  }

  /** Opens a WAL; what HDFS was asked for. */
  private List<String> open(String answers) throws Exception {
    script.answer(answers);
    opener().open(false, stock);
    return script.asked;
  }

  /** What HDFS answers to one create after the other, and what it was asked. */
  private final class Script {
    /** Media of the block, or a failure. */
    private final Deque<Object> answers = new ArrayDeque<>();

    final List<String> asked = new ArrayList<>();

    /** Failures of one header after the other; those after the last are written. */
    final Deque<Supplier<IOException>> headers = new ArrayDeque<>();

    Supplier<Object> otherwise = () -> new IllegalStateException("nobody expected this try");
    boolean namesRefusals = true;
    StreamSlowMonitor last;
    OpenState state;
    private DatanodeInfo[] pipeline = {};

    /**
     * @param text media, as {@code SSD2+DISK1}, with a failure of the header after an exclamation
     *     mark, or the name of a {@link #failure}; one after the other
     */
    void answer(String text) {
      for (String answer : text.split(" ")) {
        String[] parts = answer.split("!");
        answers.add(parts[0].matches(".*\\d") ? media(parts[0]) : failure(parts[0]));
        if (parts.length > 1) {
          headers.add(() -> failure(parts[1]));
        }
      }
    }

    void create(boolean overwrite, StreamSlowMonitor monitor) throws IOException {
      last = monitor;
      boolean onDisk = state.onDisk();
      asked.add(
          (onDisk ? "disk" : "ssd")
              + (overwrite ? " over" : "")
              + (onDisk && !excluded().isEmpty() ? " without " + excluded().size() : ""));
      Object answer = answers.isEmpty() ? otherwise.get() : answers.remove();
      if (answer instanceof IOException) {
        // As the fan-out output does on a refused connect.
        exclude(monitor.getExcludeDatanodeManager(), "u" + asked.size());
        throw (IOException) answer;
      }
      if (answer instanceof RuntimeException) {
        throw (RuntimeException) answer;
      }
      pipeline = WalOpenerTest.pipeline((StorageType[]) answer);
      if (!headers.isEmpty()) {
        throw headers.remove().get();
      }
    }

    /** By the last try. */
    Set<DatanodeInfo> excluded() {
      return last.getExcludeDatanodeManager().getExcludeDNs().keySet();
    }

    void discard() {
      if (pipeline.length > 0) {
        asked.add("discard");
        pipeline = new DatanodeInfo[0];
      }
    }
  }

  private static StorageType[] media(String text) {
    List<StorageType> media = new ArrayList<>();
    for (String part : text.split("\\+")) {
      int last = part.length() - 1;
      StorageType type = StorageType.valueOf(part.substring(0, last));
      media.addAll(Collections.nCopies(part.charAt(last) - '0', type));
    }
    return media.toArray(new StorageType[0]);
  }

  private static DatanodeInfo[] pipeline(StorageType... media) {
    DatanodeInfo[] pipeline = new DatanodeInfo[media.length];
    for (int replica = 0; replica < media.length; replica++) {
      pipeline[replica] =
          new DatanodeInfoWithStorage(node("r" + replica), "s" + replica, media[replica]);
    }
    return pipeline;
  }

  static DatanodeInfo node(String uuid) {
    return new DatanodeInfo.DatanodeInfoBuilder()
        .setNodeID(new DatanodeID("1.1.1.1", "h", uuid, 1, 2, 3, 4))
        .build();
  }

  private static void exclude(ExcludeDatanodeManager from, String node) {
    from.tryAddExcludeDN(node(node), "connect error");
  }

  private static IOException failure(String name) {
    switch (name) {
      case "node":
        return new IOException("connection to 127.0.0.1 is closed");
      case "silent":
        return new IOException("Timeout(2500ms) waiting for response");
      case "connect":
        return new ConnectException("Connection refused");
      case "namenode":
        return new RemoteException(
            IOException.class.getName(),
            "could only be written to 0 of the 1 minReplication nodes");
      case "safemode":
        return new RemoteException(
            "org.apache.hadoop.hdfs.server.namenode.SafeModeException", "Cannot create file");
      case "quota":
        return new RemoteException(DSQuotaExceededException.class.getName(), "quota exceeded");
      case "forbidden": // by this process itself, say
        return new AccessControlException("not allowed");
      case "hbase":
        return new IOException("wrapped", new TimeoutIOException("of HBase's"));
      case "unanswered":
        return new TimeoutIOException(new TimeoutException());
      case "broken":
        return new IOException("stream already broken");
      default:
        throw new IllegalArgumentException(name);
    }
  }

  /**
   * An opening.
   *
   * @param given {@code -N}: N DataNodes have stalled; {@code hbase}: HBase excludes one; {@code
   *     stream}: the output continues without DataNodes that refuse; or the policy declared
   * @param tries which medium is tried next
   */
  @ParameterizedTest
  @CsvSource({
    "'',      SSD3,                       ssd,                                              ssd",
    "'',      node SSD3,                  'ssd, ssd over',                                  ssd",
    "'',      node node namenode DISK3,   'ssd, ssd over, ssd over, disk over',             disk",
    "'',      namenode namenode namenode, 'ssd, disk over, disk over, thrown',              ssd",
    // Fewer replicas than usual count as a refusal, unless silent DataNodes owe them.
    "'',      node SSD2 DISK3,            'ssd, ssd over, discard, disk over',              disk",
    "'',      silent SSD2,                'ssd, ssd over',                                  ssd",
    "'',      silent node SSD2 DISK3,"
        + " 'ssd, ssd over, ssd over, discard, disk over without 1', disk",
    // HDFS gives DISK under ALL_SSD if SSD has no space: what is missing has no DataNode.
    "'',      SSD2,                       ssd,                                              ssd",
    "'',      connect SSD2,               'ssd, ssd over',                                  ssd",
    "ONE_SSD, SSD1 DISK3,                 'ssd, discard, disk over',                        disk",
    "stream,  SSD2 DISK3,                 'ssd, discard, disk over',                        disk",
    "hbase,   SSD2 SSD2,                  'ssd, discard, ssd over',                         ssd",
    // One that stalled is excluded unless too few are left; SSD is not blamed.
    "-1,      SSD2,                       ssd,                                              ssd",
    "-1,      SSD2+DISK1,                 ssd,                                              ssd",
    "-1,      namenode SSD3,              'ssd, ssd over',                                  ssd",
    "-2,      SSD1 SSD2,                  'ssd, discard, ssd over',                         ssd",
    // What nobody of HDFS answered is tried on DISK too: giving up costs the server.
    "'',      safemode SSD3,              'ssd, ssd over',                                  ssd",
    "'',      quota,                      'ssd, thrown',                                    ssd",
    "'',      forbidden forbidden forbidden forbidden DISK3,"
        + " 'ssd, ssd over, ssd over, ssd over, disk over', disk",
    "'',      hbase hbase hbase hbase DISK3,"
        + " 'ssd, ssd over, ssd over, ssd over, disk over', disk",
    // Headers.
    "'',      SSD3!broken DISK3,          'ssd, discard, disk over',                        disk",
    "'',      SSD3!broken DISK3!broken DISK3!broken,"
        + " 'ssd, discard, disk over, discard, disk over, discard, thrown', ssd",
    "'',      SSD3!broken DISK3!unanswered DISK3,"
        + " 'ssd, discard, disk over, discard, disk over', disk",
  })
  void wal_isOpenedOnSsdElseOnDisk(String given, String answers, String asked, String tries)
      throws Exception {
    if (given.startsWith("-")) {
      for (int node = given.equals("-2") ? 0 : 1; node < 2; node++) {
        fallback.stalled.leave(List.of(node("stalled" + node)), 1);
      }
    } else if (given.equals("hbase")) {
      exclude(excludes, "met by another file");
    } else if (given.endsWith("SSD")) {
      fallback = fallback(StoragePolicy.valueOf(given));
    }
    script.namesRefusals = !given.equals("stream");
    final Set<DatanodeInfo> ofHBase = Set.copyOf(excludes.getExcludeDNs().keySet());
    final long fallbacks = HybridMetrics.get().value(Metric.WAL_FALLBACKS);
    final long missing = HybridMetrics.get().value(Metric.WAL_UNDER_REPLICATED);
    List<String> found = script.asked;
    try {
      open(answers);
    } catch (IOException e) {
      found.add("thrown");
      assertEquals(failure(answers.replaceAll(".*[ !]", "")).getMessage(), e.getMessage());
    }
    assertEquals(asked, String.join(", ", found));
    assertEquals(tries.equals("ssd"), fallback.triesSsd());
    long moved = HybridMetrics.get().value(Metric.WAL_FALLBACKS) - fallbacks;
    assertEquals(asked.contains("disk") ? 1 : 0, moved);
    moved = HybridMetrics.get().value(Metric.WAL_UNDER_REPLICATED) - missing;
    assertEquals(script.pipeline.length == 2 ? 1 : 0, moved);
    assertEquals(List.of(), hdfs.writes(), "nothing stands on the directory");
    assertEquals(ofHBase, excludes.getExcludeDNs().keySet());
    // Once needed, one that stalled is not excluded; of two the last one is.
    List<DatanodeInfo> stalled = fallback.stalled.excluded();
    boolean needed = answers.startsWith("namenode");
    assertEquals(given.startsWith("-") && !needed ? List.of(node("stalled1")) : List.of(), stalled);
    if (given.startsWith("-")) {
      Set<DatanodeInfo> excluded = new HashSet<>(script.excluded());
      excluded.removeIf(node -> node.getDatanodeUuid().startsWith("u"));
      assertEquals(Set.copyOf(stalled), excluded);
    }
    if (tries.equals("disk")) {
      script.headers.clear();
      assertEquals(List.of("disk"), open("DISK3"));
    }
  }

  @Test
  void whereDiskHasNoMoreReplicasEitherThatIsUsualFromThenOn() throws Exception {
    open("node SSD2 DISK2");
    assertEquals(2, fallback.usualReplicas());
  }

  @Test
  void triesOnSsdEndWithTheTimeGivenToThem() throws Exception {
    script.otherwise =
        () -> {
          now += TimeUnit.SECONDS.toNanos(6);
          script.answer("DISK3");
          return failure("node");
        };
    opener().open(false, stock);
    assertEquals(List.of("ssd", "disk over"), script.asked);
  }

  /** A NameNode in safe mode until then: each answer comes after this long. */
  private void safeMode(long untilSeconds, long answersAfterSeconds, String answers) {
    script.otherwise =
        () -> {
          now += TimeUnit.SECONDS.toNanos(answersAfterSeconds);
          if (now >= TimeUnit.SECONDS.toNanos(untilSeconds)) {
            script.answer(answers);
          }
          return failure("safemode");
        };
  }

  @Test
  void aNameNodeInSafeModeIsWaitedForOnceAndSsdIsNotBlamed() {
    safeMode(1_000, 3, "");
    IOException e = assertThrows(IOException.class, () -> opener().open(false, stock));
    assertTrue(e.getMessage().contains("NameNode"), e.getMessage());
    assertTrue(e.getMessage().contains("logroll.wait.timeout.ms"), e.getMessage());
    long waited = TimeUnit.NANOSECONDS.toSeconds(now);
    assertTrue(waited >= 30 && waited <= 33, "waited " + waited + " s");
    assertTrue(fallback.triesSsd());
  }

  @ParameterizedTest
  @CsvSource({"node SSD3, true", "namenode DISK3, false"})
  void aNameNodeThatComesBackLateLeavesTimeForSsdAndForDisk(String answers, boolean onSsd)
      throws Exception {
    safeMode(27, 1, answers);
    opener().open(false, stock);
    assertEquals(onSsd, fallback.triesSsd());
  }

  private void moves(Metric metric, HdfsError.Kind cause) {
    final long all = HybridMetrics.get().value(Metric.WAL_FALLBACKS);
    final long before = HybridMetrics.get().value(metric);
    fallback.leaveSsd(WAL, "planted", cause);
    assertEquals(before + 1, HybridMetrics.get().value(metric));
    assertEquals(all + 1, HybridMetrics.get().value(Metric.WAL_FALLBACKS));
  }

  @Test
  void eachCauseOfAFallBackHasItsMetric() {
    moves(Metric.WAL_FALLBACKS_NO_SPACE, HdfsError.Kind.NO_TARGET);
    moves(Metric.WAL_FALLBACKS_SILENT, HdfsError.Kind.NODE_SILENT);
    moves(Metric.WAL_FALLBACKS_UNDER_REPLICATED, HdfsError.Kind.UNDER_REPLICATED);
    moves(Metric.WAL_FALLBACKS_REFUSED, HdfsError.Kind.NODE_REFUSED);
    moves(Metric.WAL_FALLBACKS_REFUSED, HdfsError.Kind.CONNECTION_LOST);
    final long returns = HybridMetrics.get().value(Metric.WAL_RETURNS);
    fallback.look();
    assertEquals(returns, HybridMetrics.get().value(Metric.WAL_RETURNS), "not asked yet");
    opened(log, "SSD3");
    opened(log, "SSD3");
    assertEquals(returns + 1, HybridMetrics.get().value(Metric.WAL_RETURNS));
  }

  private void opened(OpenLog of, String media) {
    fallback.opened(of, WAL, List.of(media(media)));
  }

  @Test
  void afterTheDelayTheWalsOnDiskAreRolledAndAskSsdAgain() throws Exception {
    open("namenode DISK3");
    assertFalse(isRolled(log));
    fallback.look();
    assertTrue(isRolled(log));
    assertTrue(fallback.triesSsd());
    assertEquals(List.of("ssd", "disk over"), open("namenode DISK3"));
    assertFalse(fallback.triesSsd());
  }

  /**
   * By HDFS without an error, as by the NameNode's load check.
   *
   * @param inForce of the WAL: an admin's wins
   */
  @ParameterizedTest
  @CsvSource({
    "ALL_SSD, ALL_SSD, SSD3,       false, 0",
    "ALL_SSD, ALL_SSD, SSD2+DISK1, true,  1",
    "ALL_SSD, ALL_SSD, DISK3,      true,  1",
    "ALL_SSD, ALL_SSD, SSD2,       true,  0",
    "ONE_SSD, ALL_SSD, SSD3,       false, 0",
    "ONE_SSD, ALL_SSD, SSD1+DISK2, true,  1",
    "ALL_SSD, WARM,    DISK3,      false, 0",
    "ALL_SSD,        , DISK3,      true,  1"
  })
  void wal_withAReplicaElsewhere_isCountedAndRolledAfterTheDelay(
      StoragePolicy declared, StoragePolicy inForce, String media, boolean rolls, int counted) {
    final long elsewhere = HybridMetrics.get().value(Metric.WAL_NOT_ON_SSD);
    fallback = fallback(declared);
    if (inForce != null) {
      fallback.created(inForce);
    }
    opened(log, media);
    assertEquals(elsewhere + counted, HybridMetrics.get().value(Metric.WAL_NOT_ON_SSD));
    fallback.look();
    assertEquals(rolls, isRolled(log));
    assertTrue(fallback.triesSsd(), "SSD did not refuse it");
  }

  /** HDFS's streams take their next block by the policy of the file. */
  @Test
  void aStreamThatSsdRefusesHasTheOtherWalsRolledAtOnce() throws Exception {
    script.namesRefusals = false;
    open("namenode DISK3");
    assertFalse(isRolled(log));
    assertTrue(isRolled(new OpenLog("meta")));
  }

  @Test
  void aWalHasTheDeclaredPolicyUnlessSsdRefusedOneOrAnAdminsStands() {
    assertEquals(StoragePolicy.ALL_SSD, fallback.policy(false));
    assertEquals(StoragePolicy.NONE, fallback.policy(true));
    assertEquals(1, hdfs.policyReads(HOME), "a minute");
    hdfs.with("/hbase/WALs", StoragePolicy.ONE_SSD.id());
    WalFallback admins = fallback(StoragePolicy.ALL_SSD);
    assertEquals(StoragePolicy.NONE, admins.policy(false));
    assertEquals(StoragePolicy.HOT, admins.policy(true), "whatever stands on the directory");
  }

  @Test
  void dataNodeStalledLately_anOpeningWaitsForNoScan() {
    assertTrue(opener().searchMillis() > 0);
    fallback.stalled.leave(List.of(node("s")), 1);
    assertEquals(0, opener().searchMillis());
  }

  @Test
  void onlyWalsThatLackAReplicaAreRolled() {
    OpenLog meta = new OpenLog("meta");
    opened(log, "SSD2");
    opened(meta, "SSD3");
    fallback.look();
    assertTrue(isRolled(log));
    assertFalse(isRolled(meta));
    assertFalse(isRolled(new OpenLog("unknown")));
    opened(log, "SSD3"); // rolled by others
    assertFalse(isRolled(log));
  }

  @Test
  void aHeaderThatOneDataNodeDoesNotAnswerStaysOnSsdWithoutIt() throws Exception {
    script.answer("SSD3");
    script.headers.add(
        () -> {
          script.last.checkProcessTimeAndSpeed(node("r0"), 1, 1, 0, 2);
          script.last.checkProcessTimeAndSpeed(node("r1"), 1, 1, 0, 1);
          script.answer("SSD2");
          now += TimeUnit.SECONDS.toNanos(20); // no time is left for SSD
          return failure("silent");
        });
    script.headers.add(
        () -> {
          assertEquals(List.of("ssd", "discard", "ssd over"), script.asked);
          assertEquals(Set.of(node("r2")), script.excluded());
          assertTrue(fallback.triesSsd());
          now += TimeUnit.SECONDS.toNanos(6); // no time is left for SSD
          script.answer("DISK3");
          return failure("silent");
        });
    opener().open(false, stock);
    assertEquals(List.of(), List.copyOf(script.headers));
    assertFalse(fallback.triesSsd());
  }

  /** Delays of the looks, which are this many. */
  private List<Long> looks(int count) {
    ArgumentCaptor<Long> delays = ArgumentCaptor.forClass(Long.class);
    verify(timer, times(count)).schedule(any(Runnable.class), delays.capture(), any());
    assertTrue(delays.getAllValues().stream().allMatch(nanos -> nanos > 0), delays::toString);
    return delays.getAllValues();
  }

  @Test
  void severalWalsThatOpenBadlyDoubleTheWaitOnce() {
    for (int group = 0; group < 5; group++) {
      opened(new OpenLog("g" + group), "SSD2");
    }
    fallback.look();
    opened(log, "SSD2");
    assertTrue(looks(2).get(1) <= TimeUnit.HOURS.toNanos(2));
  }

  /** WALs opened meanwhile double no wait: the next connect error meets the first one. */
  @Test
  void aReplicaThatAStalledDataNodeOwesIsLookedForAtItsReturn() {
    fallback.stalled.leave(List.of(node("s")), 1);
    for (int stop = 0; stop < 5; stop++) {
      opened(log, "SSD2");
      opened(log, "SSD2");
      fallback.look();
    }
    assertEquals(Set.of(fallback.stalled.untilBack()), Set.copyOf(looks(5)));
    fallback.stalled.reuse(List.of(node("s")));
    opened(log, "SSD2");
    assertTrue(looks(6).get(5) <= TimeUnit.HOURS.toNanos(1));
  }

  @Test
  void withoutAThreadForALaterLookAWalOpensNonetheless() {
    when(timer.prestartCoreThread())
        .thenThrow(new OutOfMemoryError("unable to create native thread"))
        .thenReturn(true);
    opened(log, "SSD2");
    looks(0);
    opened(log, "SSD2");
    opened(log, "SSD2");
    looks(1);
  }

  @ParameterizedTest
  @CsvSource({"ALL_SSD, true", "ONE_SSD, false", "HOT, false", "NONE, false"})
  void editsAreOnSsd_ifEveryReplicaOfWalsIs(StoragePolicy policy, boolean onSsd) {
    assertEquals(onSsd, fallback(policy).takesEdits());
  }

  @Test
  void anAdminsPolicyOnTheDirectoryOfWalsDecides() {
    hdfs.with(HOME, StoragePolicy.ONE_SSD.id());
    assertFalse(fallback.takesEdits());
  }

  @Test
  void editsLeaveSsdForTenMinutesAfterItFailed() {
    fallback.edits(false);
    assertFalse(fallback.takesEdits());
    now = TimeUnit.SECONDS.toNanos(599);
    assertFalse(fallback.takesEdits());
    now = TimeUnit.SECONDS.toNanos(600);
    assertTrue(fallback.takesEdits());
  }

  @Test
  void editsLeaveSsdWhileItRefusesWals_orADataNodeIsExcluded() {
    fallback.leaveSsd(WAL, "planted", HdfsError.Kind.NO_TARGET);
    assertFalse(fallback.takesEdits());
    fallback.look();
    assertTrue(fallback.takesEdits());
    fallback.stalled.leave(List.of(node("s")), 1);
    assertFalse(fallback.takesEdits());
  }

  @Test
  void aBlockProvesSsdForTenSeconds() {
    assertNotEquals(true, fallback.edits());
    fallback.edits(true);
    assertEquals(true, fallback.edits());
    now = TimeUnit.SECONDS.toNanos(10);
    assertNotEquals(true, fallback.edits());
    fallback.edits(true);
    fallback.edits(false);
    assertNotEquals(true, fallback.edits());
  }
}
