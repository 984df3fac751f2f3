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
import io.github.hybridhbase.runtime.Component;
import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.Layout;
import io.github.hybridhbase.runtime.Metric;
import io.github.hybridhbase.runtime.MetricDeclaration.GaugeGroup;
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.runtime.TestClock;
import io.github.hybridhbase.scan.ScanReport.Anomaly;
import java.io.IOException;
import java.net.ConnectException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.security.AccessControlException;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@InterfaceAudience.Private
class ScanChoreTest {
  private static final Path ROOT = new Path("/hbase");
  private static final StorageType SSD = StorageType.SSD;
  private static final StorageType DISK = StorageType.DISK;
  private static final byte ALL_SSD = StoragePolicy.ALL_SSD.id();
  private static final String HELD = "/hbase/oldWALs/held";
  private static final long NOW = System.currentTimeMillis();
  private static final long OLD = NOW - TimeUnit.HOURS.toMillis(3);

  private final FakeNamespace hdfs =
      new FakeNamespace()
          .with("/hbase", StoragePolicy.UNSPECIFIED)
          .at(OLD)
          .file("/hbase/WALs/a,1,1/good", ALL_SSD, false, block(SSD, SSD, SSD))
          .file("/hbase/WALs/a,1,1/bad", 10, DISK, DISK, DISK)
          .file("/hbase/WALs/a,1,1/open", ALL_SSD, true, block(DISK, DISK, DISK))
          .file(HELD, ALL_SSD, false, block(SSD, SSD, SSD))
          .at(NOW)
          .file("/hbase/oldWALs/young", ALL_SSD, false, block(SSD, SSD, SSD))
          .file("/hbase/data/default/t/r/cf/good", 10, DISK, DISK, DISK);
  private final Configuration conf = new Configuration(false);
  private boolean stopped;
  private boolean away;
  private long nanos;
  private long stopsAfter = Long.MAX_VALUE;
  private final ScanChore chore =
      new ScanChore(
          new Layout(ROOT, ROOT),
          HybridSettings.read(conf),
          FakeNamespace.namespaces(hdfs),
          () -> {
            if (away) {
              throw new ConnectException("Connection refused");
            }
            return TierFiles.now(
                FakeNamespace.namespaces(hdfs),
                new Layout(ROOT, ROOT),
                HybridSettings.read(conf),
                conf);
          },
          () -> new TierTotals(0, 0, 0),
          () -> stopped,
          new ScanPace(0, new TestClock(() -> nanos, this::sleep)));

  @AfterEach
  void close() {
    chore.close();
  }

  private static FileBlocks.Block block(StorageType... replicas) {
    return new FileBlocks.Block(10, replicas);
  }

  private void sleep(long wait) {
    nanos += wait;
    stopped = nanos >= stopsAfter;
  }

  private ScanReport report() {
    return chore.last().orElseThrow().report();
  }

  private static long count(Metric metric) {
    return HybridMetrics.get().value(metric);
  }

  private List<String> unset() {
    return hdfs.writes().stream()
        .filter(write -> write.startsWith("unset "))
        .collect(Collectors.toList());
  }

  @Test
  void takesThePolicyOnlyFromWhatIsHeldLongerThanHBaseKeepsIt() throws IOException {
    long released = count(Metric.POLICIES_RELEASED);
    chore.doWork();
    assertEquals(List.of("unset " + HELD), unset());
    assertEquals(released + 1, count(Metric.POLICIES_RELEASED));
    chore.doWork();
    assertEquals(1, unset().size(), "once");
  }

  @Test
  void namesWhatItMayNotRelease() throws IOException {
    hdfs.refusesUnset(new AccessControlException("Superuser privilege is required"));
    chore.doWork();
    assertEquals(List.of(HELD + " (ALL_SSD)"), report().anomaly(Anomaly.HELD_ON_SSD).examples());
    assertEquals("", chore.trouble());
  }

  @Test
  void countsWhatIsMisplaced() throws IOException {
    chore.doWork();
    assertEquals(
        List.of("/hbase/WALs/a,1,1/bad", "/hbase/WALs/a,1,1/open"),
        report().misplaced(Component.WAL).examples());
    assertEquals(30, report().closed(Component.WAL).misplacedBytes());
    assertEquals(1, report().open(Component.WAL).misplacedFiles());
    assertEquals(1, report().misplacedFiles());
  }

  @Test
  void aPolicyThatWinsIsNamedOnce() throws IOException {
    hdfs.with("/hbase/WALs", StoragePolicy.COLD.id()).with("/hbase/data/hbase", ALL_SSD);
    chore.doWork();
    assertEquals(List.of("/hbase/WALs (COLD)"), report().anomaly(Anomaly.POLICY_ABOVE).examples());
    hdfs.with("/hbase", StoragePolicy.COLD.id()).with("/hbase/WALs", 0);
    chore.doWork();
    assertEquals(List.of("/hbase (COLD)"), report().anomaly(Anomaly.POLICY_ABOVE).examples());
  }

  @Test
  void aNameNodeThatIsAwayIsNoErrorOfThePlugin() {
    away = true;
    chore.turn(); // what leaves it counts as a hook's failure
    assertTrue(chore.trouble().startsWith("The last scan failed: "), chore.trouble());
    away = false;
    chore.turn();
    assertEquals("", chore.trouble());
  }

  @Test
  void endsAsSoonAsItIsStopped() throws IOException {
    stopped = true;
    chore.doWork();
    assertEquals(List.of(), unset());
  }

  @Test
  void aListingThatFailsIsAskedForAgainForAMinute() throws IOException {
    hdfs.failsToList("/hbase/oldWALs", ScanPace.RETRIES);
    chore.doWork();
    assertEquals(TimeUnit.MINUTES.toNanos(1), nanos);
    assertEquals("", chore.trouble());
  }

  @Test
  void whereTheNameNodeIsAwayForLongerTheScanHasFailed() throws IOException {
    final long failed = count(Metric.SCANS_FAILED);
    hdfs.failsToList("/hbase/oldWALs", ScanPace.RETRIES + 1);
    assertThrows(IOException.class, chore::doWork);
    assertEquals(failed + 1, count(Metric.SCANS_FAILED));
    assertTrue(chore.trouble().contains("failed"), chore.trouble());
    chore.doWork();
    assertEquals("", chore.trouble());
  }

  @Test
  void aScanThatIsStoppedWaitsForNoNameNode() {
    stopsAfter = TimeUnit.SECONDS.toNanos(3);
    hdfs.failsToList("/hbase/oldWALs", Integer.MAX_VALUE);
    assertThrows(IOException.class, chore::doWork);
    assertEquals(stopsAfter, nanos);
  }

  /** What it told ends with it. */
  @Test
  void everyMetricOfItMovesAndItsGaugesEndWithIt() throws IOException {
    final GaugeGroup gauges = HybridMetrics.get().scans;
    final long scans = count(Metric.SCANS);
    final long reads = count(Metric.SCAN_READS);
    final long misplaced = gauges.value("misplacedBytes");
    final long ended = gauges.value("scanEndedSeconds");
    chore.doWork();
    assertEquals(scans + 1, count(Metric.SCANS));
    assertTrue(count(Metric.SCAN_READS) > reads);
    assertEquals(misplaced + 30, gauges.value("misplacedBytes"));
    assertTrue(gauges.value("scanEndedSeconds") > ended);
    assertTrue(gauges.value("bytesWalMisplaced") >= 30 && gauges.value("bytesArchiveSsd") >= 60);
    chore.close();
    assertEquals(misplaced, gauges.value("misplacedBytes"));
    assertEquals(ended, gauges.value("scanEndedSeconds"));
  }

  /** Any user with CREATE may make one, for a secure bulk load. */
  @Test
  void whatOtherUsersHaveBelowStagingIsNobodysBusiness() throws IOException {
    hdfs.with("/hbase/staging", 0)
        .with("/hbase/staging/mallory__t__x", 0)
        .with("/hbase/staging/mallory__t__x/private", ALL_SSD)
        .ownedBy("/hbase/staging/mallory__t__x/private", "mallory")
        .unreadable("/hbase/staging/mallory__t__x/private")
        .file("/hbase/staging/mallory__t__x/hers", 10, SSD, SSD, SSD)
        .ownedBy("/hbase/staging/mallory__t__x/hers", "mallory");
    chore.doWork();
    assertEquals(0, report().misplaced(Component.USER).count());
    assertEquals(0, report().anomaly(Anomaly.UNREADABLE).count());
    hdfs.file("/hbase/staging/mallory__t__x/hbases", 10, SSD, SSD, SSD);
    chore.doWork();
    assertEquals(1, report().misplaced(Component.USER).count(), "what is HBase's own is judged");
  }
}
