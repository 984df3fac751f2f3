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
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import io.github.hybridhbase.hdfs.FailFastClient;
import io.github.hybridhbase.hdfs.FakeNamespace;
import io.github.hybridhbase.hdfs.HdfsError;
import io.github.hybridhbase.runtime.Clock;
import io.github.hybridhbase.runtime.DaemonThreads;
import io.github.hybridhbase.runtime.HybridKeys;
import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.Metric;
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.runtime.TestClock;
import io.github.hybridhbase.wal.failover.OpenLog;
import io.github.hybridhbase.wal.failover.StalledNodes;
import java.io.IOException;
import java.net.ConnectException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
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
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.ArgumentCaptor;

class WalOpenerTest {
  private static final String HOME = "/hbase/WALs/server";
  private static final Path WAL = new Path(HOME, "server.1");
  private static final long HEADER = 42;
  private static final StorageType[] TWO_SSDS = {StorageType.SSD, StorageType.SSD};
  private static final StorageType[] SSD = nCopies(3, StorageType.SSD);
  private static final StorageType[] DISK = nCopies(3, StorageType.DISK);

  private final Configuration conf = new Configuration(false);
  private final FakeNamespace hdfs =
      new FakeNamespace()
          .with("/hbase", StoragePolicy.UNSPECIFIED)
          .with("/hbase/WALs", StoragePolicy.UNSPECIFIED)
          .with(HOME, StoragePolicy.UNSPECIFIED);
  private final ExcludeDatanodeManager excludes = new ExcludeDatanodeManager(conf);
  private final StreamSlowMonitor stock = new StreamSlowMonitor(conf, "stock", excludes);
  private final FailFastClient clients = new FailFastClient();
  private final Script script = new Script();
  private long now;
  private final Clock clock = new TestClock(() -> now, nanos -> now += nanos);
  private final WalFallback fallback = fallback();
  private final StalledNodes stalled = fallback.stalled;
  private final OpenLog log = new OpenLog("rs");
  private Predicate<OpenLog> rolled = log -> false;

  private static StorageType[] nCopies(int n, StorageType type) {
    return Collections.nCopies(n, type).toArray(new StorageType[0]);
  }

  private WalFallback fallback() {
    return fallback(StoragePolicy.ALL_SSD);
  }

  private WalFallback fallback(StoragePolicy declared) {
    return fallback(declared, DaemonThreads.timer("look"));
  }

  private WalFallback fallback(StoragePolicy declared, ScheduledThreadPoolExecutor timer) {
    conf.set("hbase.hybrid.ssd.retry", "3600s");
    return new WalFallback(
        new Path(HOME),
        hdfs,
        declared,
        3,
        HybridSettings.read(conf),
        clock,
        timer,
        logs -> rolled = logs);
  }

  private boolean isRolled(OpenLog one) {
    return rolled.test(one);
  }

  private WalOpener opener() {
    return opener(fallback);
  }

  private WalOpener opener(WalFallback of) {
    script.pipeline = new DatanodeInfo[0];
    NewWal wal = new NewWal(null, WAL, false, (short) 3, stock);
    int millis = (int) HybridSettings.read(conf).get(HybridKeys.SSD_FALLBACK_TIMEOUT).toMillis();
    WalOpener opener = new WalOpener(conf, wal, log, of, millis, clients, script);
    script.state = opener.state;
    return opener;
  }

  /** What HDFS answers to one create after the other, and what it was asked. */
  private final class Script implements WalOutput {
    final Deque<Object> answers = new ArrayDeque<>();
    final List<String> asked = new ArrayList<>();

    /** Failures of one header after the other; those after the last are written. */
    final Deque<Supplier<IOException>> headers = new ArrayDeque<>();

    final Deque<Object> afterwards = new ArrayDeque<>();
    Supplier<Object> otherwise = () -> new IllegalStateException("nobody expected this try");
    boolean namesRefusals = true;
    StreamSlowMonitor last;
    OpenState state;
    private DatanodeInfo[] pipeline = {};

    private Set<DatanodeInfo> excluded(StreamSlowMonitor monitor) {
      return monitor.getExcludeDatanodeManager().getExcludeDNs().keySet();
    }

    @Override
    public long create(FileSystem client, boolean overwrite, StreamSlowMonitor monitor)
        throws IOException {
      last = monitor;
      boolean onDisk = state.step.onDisk();
      asked.add(
          (onDisk ? "disk" : "ssd")
              + (overwrite ? " over" : "")
              + (onDisk && !excluded(monitor).isEmpty()
                  ? " without " + excluded(monitor).size()
                  : ""));
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
      return HEADER;
    }

    @Override
    public DatanodeInfo[] pipeline() {
      return pipeline;
    }

    @Override
    public boolean namesRefusals() {
      return namesRefusals;
    }

    @Override
    public void discard(FailFastClient.Use client) {
      if (pipeline.length > 0) {
        asked.add("discard");
        pipeline = new DatanodeInfo[0];
      }
    }
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

  private static IOException refusedByDataNode() {
    return new IOException("connection to 127.0.0.1 is closed");
  }

  private static IOException refusedByNameNode() {
    return new RemoteException(
        IOException.class.getName(), "could only be written to 0 of the 1 minReplication nodes");
  }

  private Set<DatanodeInfo> left() {
    return script.last.getExcludeDatanodeManager().getExcludeDNs().keySet();
  }

  @Test
  void aDataNodeThatStalledIsLeftOutAndHBasesListNeverLearnsOfIt() throws Exception {
    stalled.leave(List.of(node("s")), 1);
    script.answers.add(TWO_SSDS);
    opener().open();
    assertEquals(List.of("ssd"), script.asked);
    assertEquals(Set.of(node("s")), left());
    assertEquals(Set.of(), excludes.getExcludeDNs().keySet());
    assertTrue(fallback.triesSsd(), "SSD is not blamed");
  }

  @Test
  void severalStalled_walTooShort_excludesOnlyTheLast() throws Exception {
    stalled.leave(List.of(node("first")), 1);
    stalled.leave(List.of(node("last")), 1);
    script.answers.add(new StorageType[] {StorageType.SSD});
    script.answers.add(TWO_SSDS);
    opener().open();
    assertEquals(List.of("ssd", "discard", "ssd over"), script.asked);
    assertEquals(Set.of(node("last")), left());
    assertEquals(List.of(node("last")), stalled.excluded());
  }

  @Test
  void whereNoWalCanBeOpenedWithoutItItIsUsedAfterAll() throws Exception {
    stalled.leave(List.of(node("s")), 1);
    script.answers.add(refusedByNameNode());
    script.answers.add(SSD);
    opener().open();
    assertEquals(List.of("ssd", "ssd over"), script.asked);
    assertEquals(Set.of(), left());
    assertEquals(List.of(), stalled.excluded());
    assertTrue(fallback.triesSsd(), "SSD is not blamed");
  }

  @Test
  void aReplicaOnDiskInPlaceOfOneThatStalledIsTaken() throws Exception {
    stalled.leave(List.of(node("s")), 1);
    StorageType[] mixed = {StorageType.SSD, StorageType.SSD, StorageType.DISK};
    script.answers.add(mixed);
    opener().open();
    assertEquals(List.of("ssd"), script.asked);
  }

  @Test
  void whatSsdTakesIsOpenedWithoutAWrite() throws Exception {
    script.answers.add(SSD);
    opener().open();
    assertEquals(List.of("ssd"), script.asked);
    assertEquals(List.of(), hdfs.writes());
  }

  @Test
  void oneDataNodeThatRefusesIsLeftOutAndSsdKept() throws Exception {
    script.answers.add(refusedByDataNode());
    script.answers.add(SSD);
    opener().open();
    assertEquals(List.of("ssd", "ssd over"), script.asked);
    assertEquals(List.of(), hdfs.writes());
  }

  @Test
  void refusal_opensOnDiskAtOnce_andExcludesNoDataNodeInHBase() throws Exception {
    script.answers.add(refusedByDataNode());
    script.answers.add(refusedByDataNode());
    script.answers.add(refusedByNameNode());
    script.answers.add(DISK);
    opener().open();
    assertEquals(List.of("ssd", "ssd over", "ssd over", "disk over"), script.asked);
    assertEquals(List.of(), hdfs.writes(), "nothing stands on the directory");
    assertTrue(excludes.getExcludeDNs().isEmpty());
    // The next roll does not ask SSD.
    script.asked.clear();
    script.answers.add(DISK);
    opener().open();
    assertEquals(List.of("disk"), script.asked);
  }

  @Test
  void whereDiskRefusesAsWellSsdIsAskedAgain() throws Exception {
    script.answers.add(refusedByNameNode());
    script.answers.add(refusedByNameNode());
    script.answers.add(refusedByNameNode());
    assertThrows(IOException.class, () -> opener().open());
    // An SSD that refused for a moment has the next one again.
    script.asked.clear();
    script.answers.add(SSD);
    opener().open();
    assertEquals(List.of("ssd"), script.asked);
  }

  @Test
  void fewerReplicasThanUsualCountAsARefusal() throws Exception {
    script.answers.add(refusedByDataNode());
    script.answers.add(nCopies(2, StorageType.SSD));
    script.answers.add(DISK);
    opener().open();
    assertEquals(List.of("ssd", "ssd over", "discard", "disk over"), script.asked);
    assertFalse(fallback.triesSsd());
  }

  @Test
  void whereDiskHasNoMoreReplicasEitherThatIsUsualFromThenOn() throws Exception {
    script.answers.add(refusedByDataNode());
    script.answers.add(nCopies(2, StorageType.SSD));
    script.answers.add(nCopies(2, StorageType.DISK));
    opener().open();
    assertEquals(2, fallback.usualReplicas());
  }

  @Test
  void triesOnSsdEndWithTheTimeGivenToThem() throws Exception {
    IOException slow =
        new IOException("planted") {
          @Override
          public String getMessage() {
            now += TimeUnit.SECONDS.toNanos(6);
            return "slow";
          }
        };
    script.answers.add(slow);
    script.answers.add(DISK);
    opener().open();
    assertEquals(List.of("ssd", "disk over"), script.asked);
  }

  @Test
  void aNameNodeInSafeModeIsWaitedForAndIsNoRefusal() throws Exception {
    script.answers.add(
        new RemoteException(
            "org.apache.hadoop.hdfs.server.namenode.SafeModeException", "Cannot create file"));
    script.answers.add(SSD);
    opener().open();
    assertTrue(fallback.triesSsd());
    assertEquals(List.of(), hdfs.writes());
  }

  /** A NameNode in safe mode: each answer comes after this long. */
  private void safeMode(long answersAfterSeconds) {
    script.otherwise =
        () -> {
          now += TimeUnit.SECONDS.toNanos(answersAfterSeconds);
          return new RemoteException(
              "org.apache.hadoop.hdfs.server.namenode.SafeModeException", "Cannot create file");
        };
  }

  @Test
  void aNameNodeInSafeModeIsWaitedForOnceAndSsdIsNotBlamed() {
    long fallbacks = HybridMetrics.get().value(Metric.WAL_FALLBACKS);
    safeMode(3);
    IOException e = assertThrows(IOException.class, () -> opener().open());
    assertTrue(e.getMessage().contains("NameNode"), e.getMessage());
    assertTrue(e.getMessage().contains("logroll.wait.timeout.ms"), e.getMessage());
    long waited = TimeUnit.NANOSECONDS.toSeconds(now);
    assertTrue(waited >= 30 && waited <= 33, "waited " + waited + " s");
    assertEquals(fallbacks, HybridMetrics.get().value(Metric.WAL_FALLBACKS));
    assertEquals(List.of(), hdfs.writes());
    assertTrue(fallback.triesSsd());
  }

  @Test
  void aNameNodeThatComesBackLateLeavesTimeForSsdAndForDisk() throws Exception {
    safeMode(1);
    Supplier<Object> away = script.otherwise;
    script.otherwise =
        () -> now < TimeUnit.SECONDS.toNanos(28) ? away.get() : script.afterwards.remove();
    script.afterwards.add(refusedByDataNode());
    script.afterwards.add(SSD);
    opener().open();
    assertTrue(fallback.triesSsd());
    assertEquals(List.of(), hdfs.writes());
    now = 0;
    script.afterwards.add(refusedByNameNode());
    script.afterwards.add(DISK);
    opener().open();
    assertFalse(fallback.triesSsd());
  }

  @Test
  void aReplicaThatASilentNodeOwesIsNoReasonToLeaveSsd() throws Exception {
    long fallbacks = HybridMetrics.get().value(Metric.WAL_FALLBACKS);
    long missing = HybridMetrics.get().value(Metric.WAL_UNDER_REPLICATED);
    script.answers.add(silence());
    script.answers.add(nCopies(2, StorageType.SSD));
    opener().open();
    assertEquals(List.of("ssd", "ssd over"), script.asked);
    assertTrue(fallback.triesSsd());
    assertEquals(List.of(), hdfs.writes());
    assertEquals(fallbacks, HybridMetrics.get().value(Metric.WAL_FALLBACKS));
    assertEquals(missing + 1, HybridMetrics.get().value(Metric.WAL_UNDER_REPLICATED));
  }

  @Test
  void aReplicaThatARefusingNodeOwesIsAReasonAlsoBesideASilentOne() throws Exception {
    script.answers.add(silence());
    script.answers.add(refusedByDataNode());
    script.answers.add(nCopies(2, StorageType.SSD));
    script.answers.add(DISK);
    opener().open();
    assertEquals(
        List.of("ssd", "ssd over", "ssd over", "discard", "disk over without 1"), script.asked);
    assertFalse(fallback.triesSsd());
  }

  private void moves(Metric metric, HdfsError.Kind cause) throws IOException {
    final long all = HybridMetrics.get().value(Metric.WAL_FALLBACKS);
    final long before = HybridMetrics.get().value(metric);
    fallback.leaveSsd(WAL, "planted", cause);
    assertEquals(before + 1, HybridMetrics.get().value(metric));
    assertEquals(all + 1, HybridMetrics.get().value(Metric.WAL_FALLBACKS));
  }

  @Test
  void eachCauseOfAFallBackHasItsMetric() throws IOException {
    moves(Metric.WAL_FALLBACKS_NO_SPACE, HdfsError.Kind.NO_TARGET);
    moves(Metric.WAL_FALLBACKS_SILENT, HdfsError.Kind.NODE_SILENT);
    moves(Metric.WAL_FALLBACKS_UNDER_REPLICATED, HdfsError.Kind.UNDER_REPLICATED);
    moves(Metric.WAL_FALLBACKS_REFUSED, HdfsError.Kind.NODE_REFUSED);
    moves(Metric.WAL_FALLBACKS_REFUSED, HdfsError.Kind.CONNECTION_LOST);
    final long returns = HybridMetrics.get().value(Metric.WAL_RETURNS);
    fallback.look();
    assertEquals(returns, HybridMetrics.get().value(Metric.WAL_RETURNS), "not asked yet");
    fallback.opened(log, WAL, List.of(SSD), "");
    fallback.opened(log, WAL, List.of(SSD), "");
    assertEquals(returns + 1, HybridMetrics.get().value(Metric.WAL_RETURNS));
  }

  @Test
  void afterTheDelayTheWalsOnDiskAreRolledAndAskSsdAgain() throws Exception {
    script.answers.add(refusedByNameNode());
    script.answers.add(DISK);
    opener().open();
    assertFalse(fallback.triesSsd());
    assertFalse(isRolled(log));
    fallback.look();
    assertTrue(isRolled(log));
    assertTrue(fallback.triesSsd());
    script.asked.clear();
    script.answers.add(refusedByNameNode());
    script.answers.add(DISK);
    opener().open();
    assertEquals(List.of("ssd", "disk over"), script.asked);
    assertFalse(fallback.triesSsd());
  }

  /** As by the NameNode's load check, where few DataNodes have SSD. */
  @Test
  void aReplicaOffSsdIsCountedAndTheWalRolledAfterTheDelay() {
    final long elsewhere = HybridMetrics.get().value(Metric.WAL_NOT_ON_SSD);
    fallback.opened(
        log, WAL, List.of(StorageType.SSD, StorageType.SSD, StorageType.DISK), "planted");
    assertEquals(elsewhere + 1, HybridMetrics.get().value(Metric.WAL_NOT_ON_SSD));
    fallback.look();
    assertTrue(isRolled(log));
    assertTrue(fallback.triesSsd(), "SSD did not refuse it");
    fallback.opened(log, WAL, List.of(SSD), "");
    assertEquals(elsewhere + 1, HybridMetrics.get().value(Metric.WAL_NOT_ON_SSD));
  }

  /** HDFS's streams take their next block by the policy of the file. */
  @Test
  void aStreamThatSsdRefusesHasTheOtherWalsRolledAtOnce() throws Exception {
    script.namesRefusals = false;
    script.answers.add(refusedByNameNode());
    script.answers.add(DISK);
    opener().open();
    assertFalse(isRolled(log));
    assertTrue(isRolled(new OpenLog("meta")));
  }

  @Test
  void aWalHasTheDeclaredPolicyUnlessSsdRefusedOneOrAnAdminsStands() {
    assertEquals(StoragePolicy.ALL_SSD, fallback.policy(false));
    assertEquals(StoragePolicy.NONE, fallback.policy(true));
    assertEquals(1, hdfs.policyReads(HOME), "a minute");
    hdfs.with("/hbase/WALs", StoragePolicy.ONE_SSD.id());
    WalFallback admins = fallback();
    assertEquals(StoragePolicy.NONE, admins.policy(false));
    assertEquals(StoragePolicy.HOT, admins.policy(true), "whatever stands on the directory");
  }

  /** An admin's ALL_SSD under a declared ONE_SSD, say: WALs that follow it are right. */
  @Test
  void mediaAreJudgedByThePolicyOfTheWalIfThatIsForSsd() {
    WalFallback declaresOne = fallback(StoragePolicy.ONE_SSD);
    declaresOne.created(StoragePolicy.ALL_SSD);
    declaresOne.opened(log, WAL, List.of(SSD), "");
    declaresOne.look();
    assertFalse(isRolled(log));
    declaresOne.opened(log, WAL, List.of(StorageType.SSD, StorageType.DISK, StorageType.DISK), "");
    declaresOne.look();
    assertTrue(isRolled(log));
  }

  @Test
  void aWalThatAnAdminsPolicySendsElsewhereIsNotRolledForIt() {
    final long elsewhere = HybridMetrics.get().value(Metric.WAL_NOT_ON_SSD);
    fallback.created(StoragePolicy.WARM);
    fallback.opened(log, WAL, List.of(DISK), "");
    fallback.look();
    assertFalse(isRolled(log));
    assertEquals(elsewhere, HybridMetrics.get().value(Metric.WAL_NOT_ON_SSD));
  }

  @Test
  void aWalThatHdfsPutElsewhereWithoutAnErrorHasItsMetric() {
    final long elsewhere = HybridMetrics.get().value(Metric.WAL_NOT_ON_SSD);
    fallback.opened(log, WAL, List.of(DISK), "");
    assertEquals(elsewhere + 1, HybridMetrics.get().value(Metric.WAL_NOT_ON_SSD));
  }

  @Test
  void dataNodeStalledLately_anOpeningWaitsForNoScan() {
    assertTrue(opener().searchMillis() > 0);
    stalled.leave(List.of(node("s")), 1);
    assertEquals(0, opener().searchMillis());
  }

  @Test
  void shortWal_rolledByOthers_isWatchedNoLonger() {
    fallback.opened(log, WAL, List.of(TWO_SSDS), "");
    fallback.opened(log, WAL, List.of(SSD), "");
    fallback.look();
    assertFalse(isRolled(log));
  }

  /** HDFS gives DISK under ALL_SSD where SSD has no space: what is missing has no DataNode. */
  @Test
  void aReplicaThatHdfsHasNoDataNodeForIsNoReasonToLeaveSsd() throws Exception {
    long fallbacks = HybridMetrics.get().value(Metric.WAL_FALLBACKS);
    long missing = HybridMetrics.get().value(Metric.WAL_UNDER_REPLICATED);
    script.answers.add(nCopies(2, StorageType.SSD));
    opener().open();
    script.answers.add(new ConnectException("Connection refused"));
    script.answers.add(nCopies(2, StorageType.SSD));
    opener().open();
    assertEquals(List.of("ssd", "ssd", "ssd over"), script.asked);
    assertTrue(fallback.triesSsd());
    assertEquals(List.of(), hdfs.writes());
    assertEquals(fallbacks, HybridMetrics.get().value(Metric.WAL_FALLBACKS));
    assertEquals(missing + 2, HybridMetrics.get().value(Metric.WAL_UNDER_REPLICATED));
  }

  @Test
  void whatHBasesListKeepsFromAWalIsAskedForFirst() throws Exception {
    exclude(excludes, "met by another file");
    script.answers.add(nCopies(2, StorageType.SSD));
    script.answers.add(nCopies(2, StorageType.SSD));
    opener().open();
    assertEquals(List.of("ssd", "discard", "ssd over"), script.asked);
    assertTrue(fallback.triesSsd());
  }

  @Test
  void aShortWalIsNotKeptWhereSsdMayBeWhyItIsShort() throws Exception {
    script.namesRefusals = false;
    script.answers.add(nCopies(2, StorageType.SSD));
    script.answers.add(DISK);
    opener().open();
    assertEquals(List.of("ssd", "discard", "disk over"), script.asked);
    script.namesRefusals = true;
    script.asked.clear();
    script.answers.add(nCopies(1, StorageType.SSD));
    script.answers.add(DISK);
    opener(fallback(StoragePolicy.ONE_SSD)).open();
    assertEquals(List.of("ssd", "discard", "disk over"), script.asked);
  }

  @Test
  void whatIsForbiddenOnEveryMediumIsGivenUpAndSsdIsNotBlamed() {
    script.answers.add(
        new RemoteException(DSQuotaExceededException.class.getName(), "quota exceeded"));
    assertThrows(RemoteException.class, () -> opener().open());
    assertEquals(List.of("ssd"), script.asked);
    assertEquals(List.of(), hdfs.writes());
    assertTrue(fallback.triesSsd());
  }

  /** By this process itself, say: a try too many costs seconds, giving up costs the server. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatNobodyOfHdfsAnsweredIsTriedOnDiskAsWell(boolean forbidden) throws Exception {
    for (int i = 0; i < 4; i++) {
      script.answers.add(
          forbidden
              ? new AccessControlException("not allowed")
              : new IOException("wrapped", new TimeoutIOException("of HBase's")));
    }
    script.answers.add(DISK);
    opener().open();
    assertEquals("ssd", script.asked.get(1).substring(0, 3), script.asked::toString);
    assertTrue(script.asked.get(4).startsWith("disk"), script.asked::toString);
  }

  @Test
  void aHeaderThatOneDataNodeDoesNotAnswerStaysOnSsdWithoutIt() throws Exception {
    script.answers.add(SSD);
    script.headers.add(
        () -> {
          script.last.checkProcessTimeAndSpeed(node("r0"), 1, 1, 0, 2);
          script.last.checkProcessTimeAndSpeed(node("r1"), 1, 1, 0, 1);
          script.answers.add(nCopies(2, StorageType.SSD));
          now += TimeUnit.SECONDS.toNanos(20); // no time is left for SSD
          return silence();
        });
    script.headers.add(
        () -> {
          assertEquals(List.of("ssd", "discard", "ssd over"), script.asked);
          assertEquals(Set.of(node("r2")), script.excluded(script.last));
          assertTrue(fallback.triesSsd());
          now += TimeUnit.SECONDS.toNanos(6); // no time is left for SSD
          script.answers.add(DISK);
          return silence();
        });
    assertEquals(HEADER, opener().open());
    assertEquals(List.of(), List.copyOf(script.headers));
    assertFalse(fallback.triesSsd());
  }

  private static IOException silence() {
    return new IOException("Timeout(2500ms) waiting for response");
  }

  @Test
  void aDataNodeThatCannotBeReachedIsNoNameNodeTrouble() {
    assertFalse(HdfsError.of(new ConnectException("refused")).kind.isNameNodes());
    assertFalse(HdfsError.of(new IOException(new ConnectException("refused"))).kind.isNameNodes());
  }

  @Test
  void severalWalsThatOpenBadlyDoubleTheWaitOnce() {
    ScheduledThreadPoolExecutor executor = mock(ScheduledThreadPoolExecutor.class);
    WalFallback watched = fallback(StoragePolicy.ALL_SSD, executor);
    for (int group = 0; group < 5; group++) {
      watched.opened(new OpenLog("g" + group), WAL, List.of(TWO_SSDS), "");
    }
    watched.look();
    watched.opened(log, WAL, List.of(TWO_SSDS), "");
    ArgumentCaptor<Long> delays = ArgumentCaptor.forClass(Long.class);
    verify(executor, times(2)).schedule(any(Runnable.class), delays.capture(), any());
    assertTrue(delays.getValue() <= TimeUnit.SECONDS.toNanos(2 * 3600), delays::toString);
  }

  /** WALs opened meanwhile double no wait: the next connect error meets the first one. */
  @Test
  void aReplicaThatAStalledDataNodeOwesIsLookedForAtItsReturn() {
    ScheduledThreadPoolExecutor executor = mock(ScheduledThreadPoolExecutor.class);
    WalFallback watched = fallback(StoragePolicy.ALL_SSD, executor);
    watched.stalled.leave(List.of(node("s")), 1);
    for (int stop = 0; stop < 5; stop++) {
      watched.opened(log, WAL, List.of(TWO_SSDS), "");
      watched.opened(log, WAL, List.of(TWO_SSDS), "");
      watched.look();
    }
    ArgumentCaptor<Long> delays = ArgumentCaptor.forClass(Long.class);
    verify(executor, times(5)).schedule(any(Runnable.class), delays.capture(), any());
    long back = watched.stalled.untilBack();
    assertEquals(Set.of(back), Set.copyOf(delays.getAllValues()));
    watched.stalled.reuse(List.of(node("s")));
    watched.opened(log, WAL, List.of(TWO_SSDS), "");
    verify(executor, times(6)).schedule(any(Runnable.class), delays.capture(), any());
    assertTrue(delays.getValue() <= TimeUnit.HOURS.toNanos(1), delays::toString);
  }

  @Test
  void withoutAThreadForALaterLookAWalOpensNonetheless() {
    ScheduledThreadPoolExecutor executor = mock(ScheduledThreadPoolExecutor.class);
    when(executor.prestartCoreThread())
        .thenThrow(new OutOfMemoryError("unable to create native thread"))
        .thenReturn(true);
    WalFallback watched = fallback(StoragePolicy.ALL_SSD, executor);
    watched.opened(log, WAL, List.of(TWO_SSDS), "");
    verify(executor, never()).schedule(any(Runnable.class), anyLong(), any());
    watched.opened(log, WAL, List.of(TWO_SSDS), "");
    watched.opened(log, WAL, List.of(TWO_SSDS), "");
    verify(executor, times(1)).schedule(any(Runnable.class), anyLong(), any());
  }

  @Test
  void whenADataNodeIsBackOnlyWalsThatLackAReplicaAreRolled() throws Exception {
    OpenLog meta = new OpenLog("meta");
    fallback.opened(log, WAL, List.of(nCopies(2, StorageType.SSD)), "");
    fallback.opened(meta, WAL, List.of(SSD), "");
    fallback.look();
    assertTrue(isRolled(log));
    assertFalse(isRolled(meta));
    assertFalse(isRolled(new OpenLog("unknown")));
  }

  @Test
  void aHeaderThatFailsOnSsdIsWrittenOnDisk() throws Exception {
    script.answers.add(SSD);
    script.answers.add(DISK);
    script.headers.add(() -> new IOException("stream already broken"));
    script.headers.add(
        () -> {
          assertEquals(List.of("ssd", "discard", "disk over"), script.asked);
          script.answers.add(DISK);
          return new IOException("on DISK too");
        });
    script.headers.add(() -> new IOException("and again"));
    IOException e = assertThrows(IOException.class, () -> opener().open());
    assertEquals("and again", e.getMessage());
  }

  /** All DataNodes went away as the header was flushed: HBase's output answers nobody then. */
  @Test
  void aHeaderThatNobodyAnswersOnDiskIsWrittenOnceMore() throws Exception {
    script.answers.add(refusedByNameNode());
    script.answers.add(DISK);
    script.headers.add(
        () -> {
          script.asked.clear();
          now += TimeUnit.SECONDS.toNanos(30);
          script.answers.add(DISK);
          return new TimeoutIOException(new TimeoutException());
        });
    script.headers.add(
        () -> {
          assertEquals(List.of("discard", "disk over"), script.asked);
          return new TimeoutIOException(new TimeoutException());
        });
    assertThrows(TimeoutIOException.class, () -> opener().open());
    assertEquals(List.of("discard", "disk over", "discard"), script.asked);
  }
}
