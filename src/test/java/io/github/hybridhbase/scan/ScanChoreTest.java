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
package io.github.hybridhbase.scan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.hdfs.FakeNamespace;
import io.github.hybridhbase.hdfs.FileBlocks;
import io.github.hybridhbase.hdfs.Hold;
import io.github.hybridhbase.hdfs.MoveConsent;
import io.github.hybridhbase.hdfs.Namespaces;
import io.github.hybridhbase.hdfs.PolicyProvenance;
import io.github.hybridhbase.runtime.Component;
import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.Layout;
import io.github.hybridhbase.runtime.Metric;
import io.github.hybridhbase.runtime.ScanMetrics;
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.runtime.TestClock;
import io.github.hybridhbase.scan.ScanChore.ScanTurn;
import io.github.hybridhbase.testing.LoggedLines;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

@InterfaceAudience.Private
class ScanChoreTest {
  private static final Path ROOT = new Path("/hbase");
  private static final String DECLARED =
      "wal=ALL_SSD master=ALL_SSD meta=ALL_SSD archive=HOT user=HOT";
  private static final StorageType SSD = StorageType.SSD;
  private static final StorageType DISK = StorageType.DISK;

  private final FakeNamespace hdfs =
      new FakeNamespace()
          .with("/hbase/WALs", StoragePolicy.ALL_SSD.id())
          .with("/hbase/oldWALs", StoragePolicy.HOT.id())
          .with("/hbase/data", StoragePolicy.HOT.id())
          .file("/hbase/WALs/a,1,1/good", 10, SSD, SSD, SSD)
          .file("/hbase/WALs/a,1,1/bad", 10, SSD, DISK, SSD)
          .file("/hbase/oldWALs/left", 10, SSD, SSD, SSD)
          .file("/hbase/data/default/t/r/cf/good", 10, DISK, DISK, DISK)
          .file(
              "/hbase/WALs/a,1,1/open",
              StoragePolicy.UNSPECIFIED,
              true,
              new FileBlocks.Block(10, DISK, DISK, DISK));
  private final Configuration conf = new Configuration(false);
  private boolean stopped;
  private boolean away;

  private Step duringWalk = () -> {};
  private int readsASecond;
  private long nanos;
  private long stopsAfter = Long.MAX_VALUE;
  private ScanChore chore;

  /** Something that happens meanwhile. */
  private interface Step {
    void run() throws IOException;
  }

  private boolean stopped() {
    Step step = duringWalk;
    duringWalk = () -> {}; // once, so that it does not undo what the scan does afterwards
    try {
      step.run();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return stopped;
  }

  private void sleep(long wait) {
    nanos += wait;
    stopped = nanos >= stopsAfter;
  }

  private long turn() throws IOException {
    return chore().doWork();
  }

  /** A turn of a master that may move what was there before. */
  private long agreedTurn() throws IOException {
    conf.setBoolean("hbase.hybrid.move.existing", true);
    chore = null;
    return turn();
  }

  private ScanChore chore() {
    if (chore == null) {
      chore = make();
    }
    return chore;
  }

  private ScanChore make() {
    conf.setInt("hbase.hybrid.move.rate", conf.getInt("hbase.hybrid.move.rate", 1000));
    Namespaces namespaces = FakeNamespace.namespaces(hdfs, ROOT);
    return new ScanChore(
        new Layout(ROOT, ROOT),
        HybridSettings.read(conf),
        namespaces,
        () -> {
          if (away) {
            throw new ConnectException("Connection refused");
          }
          return TierFiles.NONE;
        },
        () -> new TierTotals(0, 0, 0),
        this::stopped,
        new ScanPace(readsASecond, new TestClock(() -> nanos, this::sleep)));
  }

  @Test
  void asksForExactlyTheClosedMisplacedFiles() throws IOException {
    assertEquals(2, agreedTurn());
    assertEquals(
        List.of(new Path("/hbase/WALs/a,1,1/bad"), new Path("/hbase/oldWALs/left")),
        hdfs.satisfied());
  }

  @Test
  void aNameNodeThatIsAwayIsNoErrorOfThePlugin() {
    away = true;
    chore().turn(); // what leaves it counts as a hook's failure
    assertTrue(chore().trouble().startsWith("The last scan failed: "), chore().trouble());
    away = false;
    chore().turn();
    assertEquals("", chore().trouble());
  }

  @Test
  void aScanThatOnlyObservesCountsAndWritesNothing() throws IOException {
    conf.set("hbase.hybrid.mode", "observe");
    List<String> writes = List.copyOf(hdfs.writes());
    assertEquals(0, agreedTurn());
    assertEquals(writes, hdfs.writes());
    assertEquals(List.of(), hdfs.satisfied());
    ScanTurn last = chore().last().orElseThrow();
    assertEquals(10, last.report().closed(Component.WAL).misplacedBytes());
    assertEquals(Optional.empty(), last.waiting());
  }

  private String consent() throws IOException {
    return hdfs.read(MoveConsent.RECORD, ROOT).read().map(MoveConsent::toString).orElse("");
  }

  @Test
  void theFirstMoveOfExistingDataWaitsToBeAskedFor() throws IOException {
    for (int look = 0; look < 3; look++) {
      assertEquals(0, turn());
    }
    assertEquals(List.of(), hdfs.satisfied());
    assertEquals(
        "v1 waiting wal=ALL_SSD master=ALL_SSD meta=ALL_SSD archive=HOT user=HOT;"
            + "1 file with 10 B of replicas to SSD, 1 file with 30 B of replicas to DISK",
        consent());
    assertEquals(1, consents(), "said once");
    hdfs.file("/hbase/oldWALs/more", 10, SSD, SSD, SSD);
    turn();
    assertEquals(1, consents(), "of the same order of magnitude");
    hdfs.file("/hbase/oldWALs/much", 1_000_000, SSD, SSD, SSD);
    turn();
    assertEquals(2, consents());
  }

  private long consents() {
    return hdfs.writes().stream().filter(write -> write.startsWith("consent")).count();
  }

  @Test
  void onceAgreedToItGoesOnUntilTheDeclarationChanges() throws IOException {
    turn();
    assertEquals(2, agreedTurn());
    conf.setBoolean("hbase.hybrid.move.existing", false);
    chore = null;
    assertEquals(0, turn(), "the key alone agrees to nothing that lasts");
    hdfs.write(MoveConsent.RECORD, ROOT, MoveConsent.given(DECLARED));
    assertEquals(2, turn());
    conf.set("hbase.hybrid.archive.policy", "COLD");
    hdfs.with("/hbase/oldWALs", StoragePolicy.COLD.id());
    chore = null;
    assertEquals(0, turn(), "another declaration asks again");
    assertTrue(
        hdfs.read(MoveConsent.RECORD, ROOT)
            .read()
            .orElseThrow()
            .waiting()
            .orElseThrow()
            .contains("ARCHIVE"));
  }

  @Test
  void whereNothingIsMisplacedMovesAreUpkeepFromThenOn() throws IOException {
    hdfs.delete("/hbase/WALs/a,1,1/bad");
    hdfs.delete("/hbase/oldWALs/left");
    assertEquals(0, turn());
    hdfs.file("/hbase/oldWALs/left", 10, SSD, SSD, SSD);
    assertEquals(1, turn());
  }

  /** What HDFS would not move yet, since its directory has no policy yet, waits as well. */
  @Test
  void whatIsMisplacedAndNotMovableIsNotWell() throws IOException {
    hdfs.delete("/hbase/oldWALs/left");
    hdfs.with("/hbase/WALs", StoragePolicy.UNSPECIFIED);
    turn();
    assertEquals("", consent());
    hdfs.with("/hbase/WALs", StoragePolicy.ALL_SSD.id());
    assertEquals(0, turn());
    assertEquals(List.of(), hdfs.satisfied());
  }

  /** While the space monitor keeps a component on DISK, being on DISK is no proof of being well. */
  @Test
  void whatTheGuardKeepsAwayIsNotWell() throws IOException {
    hdfs.delete("/hbase/oldWALs/left");
    hdfs.delete("/hbase/WALs/a,1,1/bad");
    hdfs.delete("/hbase/WALs/a,1,1/good");
    hdfs.with("/hbase/WALs", StoragePolicy.HOT.id());
    hdfs.withProvenance(
        "/hbase/WALs",
        PolicyProvenance.first(StoragePolicy.UNSPECIFIED, StoragePolicy.ALL_SSD)
            .change(StoragePolicy.HOT)
            .asDemoted());
    turn();
    assertEquals("", consent());
  }

  /** An operator's apply while a scan is on its way is not written over by what it found. */
  @Test
  void applyDuringACensusStands() throws IOException {
    MoveConsent given =
        MoveConsent.given("wal=ALL_SSD master=ALL_SSD meta=ALL_SSD archive=HOT user=HOT");
    duringWalk = () -> hdfs.write(MoveConsent.RECORD, ROOT, given);
    assertEquals(0, turn());
    assertEquals(given.toString(), consent());
    duringWalk = () -> {};
    assertEquals(2, turn());
  }

  /** An admin puts a policy above HBase's root while a scan is on its way, and applies. */
  @Test
  void applyUnderAnotherDeclarationDuringAScanStands() throws IOException {
    MoveConsent given = MoveConsent.given(DECLARED + " not archive /hbase/oldWALs");
    duringWalk =
        () -> {
          hdfs.with("/hbase", StoragePolicy.ALL_SSD.id());
          hdfs.with("/hbase/oldWALs", StoragePolicy.UNSPECIFIED);
          hdfs.write(MoveConsent.RECORD, ROOT, given);
        };
    turn();
    assertEquals(given.toString(), consent());
  }

  /** Applied with a configuration that this master does not have yet. */
  @Test
  void applyOfAnotherConfigurationDuringAScanStandsUntilTheNext() throws IOException {
    MoveConsent given = MoveConsent.given(DECLARED.replace("archive=HOT", "archive=COLD"));
    duringWalk = () -> hdfs.write(MoveConsent.RECORD, ROOT, given);
    turn();
    assertEquals(given.toString(), consent());
    duringWalk = () -> {};
    turn();
    assertTrue(consent().startsWith("v1 waiting " + DECLARED), consent());
  }

  /** What a scan found says nothing of a declaration that came on its way. */
  @Test
  void aScanAgreesToNothingForADeclarationThatIsGone() throws IOException {
    hdfs.delete("/hbase/WALs/a,1,1/bad");
    hdfs.delete("/hbase/oldWALs/left");
    duringWalk =
        () ->
            hdfs.with("/hbase", StoragePolicy.ALL_SSD.id())
                .with("/hbase/oldWALs", StoragePolicy.UNSPECIFIED);
    turn();
    assertEquals("", consent());
  }

  @Test
  void whatWaitsNoMoreIsTakenBack() throws IOException {
    turn();
    hdfs.delete("/hbase/oldWALs/left");
    hdfs.with("/hbase/WALs", StoragePolicy.HOT.id());
    turn();
    assertEquals("", consent(), "misplaced, but HDFS would not move it");
  }

  @Test
  void withoutXattrsOnlyTheKeyCounts() throws IOException {
    hdfs.hasNoXattrs();
    assertEquals(0, turn());
    assertEquals(0, turn());
    assertEquals(2, agreedTurn());
  }

  @Test
  void doesNothingWhileAHoldStands() throws IOException {
    hdfs.write(Hold.RECORD, ROOT, new Hold("a test"));
    assertEquals(0, agreedTurn());
    assertEquals(List.of(), hdfs.satisfied());
  }

  @Test
  void aRateOfZeroOnlyLooks() throws IOException {
    conf.setInt("hbase.hybrid.move.rate", 0);
    assertEquals(0, agreedTurn());
    assertEquals(List.of(), hdfs.satisfied());
  }

  @Test
  void endsAsSoonAsItIsStopped() throws IOException {
    stopped = true;
    assertEquals(0, agreedTurn());
    assertEquals(List.of(), hdfs.satisfied());
  }

  @Test
  void aFileThatHdfsWouldMoveElsewhereIsLeftAlone() throws IOException {
    hdfs.with("/hbase/WALs", StoragePolicy.HOT.id());
    assertEquals(1, agreedTurn());
    assertEquals(List.of(new Path("/hbase/oldWALs/left")), hdfs.satisfied());
  }

  /** Agreed to, then moved by an admin under a policy above, which goes again. */
  @Test
  void whatWasAgreedToBeforeAnAdminsPolicyAboveIsForgotten() throws IOException {
    hdfs.delete("/hbase/WALs/a,1,1/bad");
    hdfs.delete("/hbase/oldWALs/left");
    turn();
    assertEquals("v1 given " + DECLARED + ";", consent());
    hdfs.with("/hbase", StoragePolicy.ALL_SSD.id())
        .with("/hbase/data", StoragePolicy.UNSPECIFIED)
        .with("/hbase/oldWALs", StoragePolicy.UNSPECIFIED)
        .file("/hbase/data/default/t/r/cf/moved", 10, SSD, SSD, SSD);
    // Misplaced, not to be moved, so the scan is neither settled nor has it anything to ask for.
    hdfs.with("/hbase/WALs", StoragePolicy.HOT.id())
        .file("/hbase/WALs/a,1,1/disk", 10, DISK, DISK, DISK);
    assertEquals(0, turn());
    assertEquals("", consent());
    hdfs.with("/hbase", StoragePolicy.UNSPECIFIED)
        .with("/hbase/data", StoragePolicy.HOT.id())
        .with("/hbase/oldWALs", StoragePolicy.HOT.id());
    assertEquals(0, turn());
    assertEquals(List.of(), hdfs.satisfied());
    assertTrue(consent().startsWith("v1 waiting " + DECLARED), consent());
  }

  @Test
  void theKeyIsAskedEachTimeAndAgreesToNothingThatLasts() throws IOException {
    assertEquals(2, agreedTurn());
    assertEquals("", consent());
    conf.setInt("hbase.hybrid.move.rate", 0);
    assertEquals(0, agreedTurn());
    assertEquals("", consent());
  }

  /** Replicas that are not seen may lie anywhere. */
  @Test
  void whereReplicasAreMissingNotAllIsInPlace() throws IOException {
    hdfs.delete("/hbase/WALs/a,1,1/bad");
    hdfs.delete("/hbase/oldWALs/left");
    hdfs.file("/hbase/data/default/t/r/cf/short", 10, DISK);
    turn();
    assertEquals("", consent());
    hdfs.delete("/hbase/data/default/t/r/cf/short");
    turn();
    assertEquals("v1 given " + DECLARED + ";", consent());
  }

  @Test
  void aListingThatFailsIsAskedForAgainForAMinute() throws IOException {
    hdfs.failsToList("/hbase/oldWALs", ScanPace.RETRIES);
    assertEquals(2, agreedTurn());
    assertEquals(TimeUnit.MINUTES.toNanos(1), nanos);
    assertEquals("", chore().trouble());
  }

  @Test
  void whereTheNameNodeIsAwayForLongerTheScanHasFailed() throws IOException {
    final long failed = count(Metric.SCANS_FAILED);
    hdfs.failsToList("/hbase/oldWALs", ScanPace.RETRIES + 1);
    assertThrows(IOException.class, this::agreedTurn);
    assertEquals(failed + 1, count(Metric.SCANS_FAILED));
    assertTrue(chore().trouble().contains("failed"), chore().trouble());
    turn();
    assertEquals("", chore().trouble());
  }

  @Test
  void aScanThatIsStoppedWaitsForNoNameNode() {
    stopsAfter = TimeUnit.SECONDS.toNanos(3);
    hdfs.failsToList("/hbase/oldWALs", Integer.MAX_VALUE);
    assertThrows(IOException.class, this::agreedTurn);
    assertEquals(stopsAfter, nanos);
  }

  /** The SSD tier waits for it. The consent that waits from then on is about its declaration. */
  @Test
  void theFirstScanOfADeclarationKeepsToNoPace() throws IOException {
    for (int server = 0; server < 100; server++) {
      hdfs.file("/hbase/WALs/b" + server + ",1,1/good", 10, SSD, SSD, SSD);
    }
    readsASecond = 1;
    turn();
    assertEquals(0, nanos);
    turn();
    long second = nanos;
    assertTrue(second > TimeUnit.SECONDS.toNanos(90), () -> second + " ns");
    chore = null;
    turn();
    assertTrue(nanos > second + TimeUnit.SECONDS.toNanos(80), "with another master as well");
  }

  private static long count(Metric metric) {
    return HybridMetrics.get().value(metric);
  }

  /** Each cause once, and its metric; what it told ends with it. */
  @Test
  void everyMetricOfItMovesAndItsGaugesEndWithIt() throws IOException {
    final ScanMetrics gauges = HybridMetrics.get().scans();
    final long scans = count(Metric.SCANS);
    final long reads = count(Metric.SCAN_READS);
    final long requested = count(Metric.MOVES_REQUESTED);
    final long failed = count(Metric.MOVES_FAILED);
    final long done = count(Metric.MOVES_DONE);
    final long misplaced = gauges.value("misplacedBytes");
    final long underWay = gauges.value("movesUnderWay");
    final long ended = gauges.value("scanEndedSeconds");
    agreedTurn();
    assertEquals(scans + 1, count(Metric.SCANS));
    assertTrue(count(Metric.SCAN_READS) > reads);
    assertEquals(requested + 2, count(Metric.MOVES_REQUESTED));
    assertEquals(misplaced + 40, gauges.value("misplacedBytes"));
    assertEquals(underWay + 2, gauges.value("movesUnderWay"));
    assertTrue(gauges.value("scanEndedSeconds") > ended);
    assertTrue(gauges.value("bytesWalMisplaced") >= 10 && gauges.value("bytesArchiveSsd") >= 30);

    hdfs.file("/hbase/oldWALs/left", 10, DISK, DISK, DISK);
    hdfs.movesNothing();
    turn();
    assertEquals(done + 1, count(Metric.MOVES_DONE));
    assertTrue(count(Metric.MOVES_FAILED) > failed);

    chore().close();
    assertEquals(misplaced, gauges.value("misplacedBytes"));
    assertEquals(underWay, gauges.value("movesUnderWay"));
    assertEquals(ended, gauges.value("scanEndedSeconds"));
  }

  private void demoteWals() {
    hdfs.with("/hbase/WALs", StoragePolicy.HOT.id())
        .withProvenance(
            "/hbase/WALs",
            PolicyProvenance.first(StoragePolicy.UNSPECIFIED, StoragePolicy.ALL_SSD)
                .settled()
                .change(StoragePolicy.HOT)
                .asDemoted());
  }

  @Test
  void misplacedBytes_ofADemotedComponent_areNone() throws IOException {
    final ScanMetrics gauges = HybridMetrics.get().scans();
    final long misplaced = gauges.value("misplacedBytes");
    demoteWals();
    turn();
    assertEquals(misplaced + 30, gauges.value("misplacedBytes")); // of oldWALs alone
    chore().close();
  }

  /** They stay on SSD while new ones go to DISK, also if moves are consented to. */
  @Test
  void filesOfADemotedComponent_areNotMoved() throws IOException {
    demoteWals();
    assertEquals(1, agreedTurn());
    assertEquals(List.of(new Path("/hbase/oldWALs/left")), hdfs.satisfied());
  }

  /** Any user with CREATE may make one, for a secure bulk load. */
  @Test
  void whatOtherUsersHaveBelowStagingIsNobodysBusiness() throws IOException {
    hdfs.delete("/hbase/WALs/a,1,1/bad");
    hdfs.delete("/hbase/oldWALs/left");
    hdfs.with("/hbase/staging", 0)
        .with("/hbase/staging/mallory__t__x", 0)
        .with("/hbase/staging/mallory__t__x/private", StoragePolicy.ALL_SSD.id())
        .ownedBy("/hbase/staging/mallory__t__x/private", "mallory")
        .unreadable("/hbase/staging/mallory__t__x/private")
        .file("/hbase/staging/mallory__t__x/hers", 10, SSD, SSD, SSD)
        .ownedBy("/hbase/staging/mallory__t__x/hers", "mallory");
    assertEquals(0, turn());
    assertEquals("v1 given " + DECLARED + ";", consent());
    hdfs.file("/hbase/staging/mallory__t__x/hbases", 10, SSD, SSD, SSD);
    assertEquals(1, turn(), "what is HBase's own there is judged");
  }

  @Test
  void whatKeepsTheConsentBackIsSaidOnce() throws IOException {
    hdfs.delete("/hbase/WALs/a,1,1/bad");
    hdfs.delete("/hbase/oldWALs/left");
    hdfs.with("/hbase/data/default/t/closed", 0).unreadable("/hbase/data/default/t/closed");
    try (LoggedLines logged = LoggedLines.of(ScanConsent.class)) {
      turn();
      turn();
      assertEquals(1, logged.lines().size(), logged.lines()::toString);
      assertTrue(
          logged.lines().get(0).contains("1 unreadable, such as /hbase/data/default/t/closed"),
          logged.lines().get(0));
    }
    assertEquals("", consent());
  }
}
