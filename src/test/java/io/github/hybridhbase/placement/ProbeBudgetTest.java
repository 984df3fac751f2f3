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
package io.github.hybridhbase.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.hdfs.FakeNamespace;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.Layout;
import io.github.hybridhbase.runtime.Layout.DirectoryRule;
import io.github.hybridhbase.runtime.LogOnChange;
import io.github.hybridhbase.runtime.StoragePolicy;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A start beside a DataNode that takes a block and never answers. */
class ProbeBudgetTest {
  private static final int UNSET = StoragePolicy.UNSPECIFIED;
  private static final byte ALL_SSD = StoragePolicy.ALL_SSD.id();
  private static final String[] PARTS = {"/hbase/WALs", "/hbase/data/hbase", "/hbase/MasterData"};

  /** Ends a test that hangs; no result depends on it. */
  private static final Duration FOR_EVER = Duration.ofMinutes(2);

  private final CountDownLatch end = new CountDownLatch(1);
  private final Configuration conf = new Configuration(false);
  private final Layout layout =
      new Layout(new Path("file:///nowhere/hbase"), new Path("file:///nowhere/hbase"));
  private FakeNamespace hdfs = namespace(ALL_SSD);

  @AfterEach
  void letGo() {
    end.countDown();
  }

  private static FakeNamespace namespace(int policy) {
    FakeNamespace made = new FakeNamespace().with("/hbase", UNSET).with("/hbase/data", UNSET);
    for (String part : PARTS) {
      made.with(part, policy);
    }
    return made;
  }

  private List<DirectoryRule> rules() {
    return new Layout(new Path("/hbase"), new Path("/hbase")).rules(HybridSettings.read(conf));
  }

  private ServerPlacement placement(String mode) {
    conf.set("hbase.hybrid.mode", mode);
    conf.set("hbase.hybrid.ssd.fallback.timeout", "500ms");
    return new ServerPlacement(
        HybridSettings.read(conf), layout, rule -> Optional.of(hdfs), conf, new LogOnChange());
  }

  private void start(String mode) throws IOException {
    ServerPlacement placement = placement(mode);
    assertTimeoutPreemptively(FOR_EVER, () -> placement.startMaster(rules()));
  }

  private void assertEach(int policy) {
    for (String part : PARTS) {
      assertEquals(policy, hdfs.own(part), part);
    }
  }

  private void assertEachMediumOnce() {
    List<String> media = mediaOf(hdfs.probes());
    assertEquals(new HashSet<>(media).size(), media.size(), media::toString);
  }

  private static List<String> mediaOf(List<String> probes) {
    return probes.stream()
        .map(probe -> probe.substring(probe.indexOf(' ') + 1))
        .collect(java.util.stream.Collectors.toList());
  }

  @Test
  void asksEachMediumOnce() throws IOException {
    start("prefer");
    assertEquals(2, hdfs.probes().size(), hdfs.probes()::toString);
    assertEachMediumOnce();
    hdfs = namespace(UNSET);
    start("require");
    assertEquals(2, hdfs.probes().size(), hdfs.probes()::toString);
    assertEach(ALL_SSD);
  }

  @Test
  void aRefusalIsOneDirectorysAndTheNextOneAsksAnew() throws IOException {
    hdfs = namespace(UNSET).refusesProbesOnce("The quota of SSD is exceeded");
    start("prefer");
    long pinned = java.util.Arrays.stream(PARTS).filter(part -> hdfs.own(part) == ALL_SSD).count();
    assertEquals(2, pinned, hdfs.probes()::toString);
  }

  @Test
  void whatStandsOnSsdStaysWhereAProbeHangs() throws IOException {
    hdfs.hangsProbes(end);
    start("prefer");
    assertEach(ALL_SSD);
    assertEachMediumOnce();
  }

  @Test
  void aFirstPlacementIsNotYetAndIsLookedAtAgain() throws IOException {
    hdfs = namespace(UNSET).hangsProbes(end);
    start("prefer");
    assertEach(UNSET);
    assertEachMediumOnce();
    end.countDown();
    placement("prefer").place(rules());
    assertEach(ALL_SSD);
  }

  @Test
  void requireRefusesAFirstPlacementThatCannotBeProvenAndNoOther() throws IOException {
    hdfs.hangsProbes(end);
    start("require");
    hdfs = namespace(UNSET).hangsProbes(end);
    IOException refused = assertThrows(IOException.class, () -> start("require"));
    assertTrue(refused.getMessage().contains("/hbase/WALs"), refused.getMessage());
    assertTrue(refused.getMessage().contains("not known within 500 ms"), refused.getMessage());
    assertEach(UNSET);
  }

  @Test
  void aWebServerThatHangsDelaysNoStartAndTakesNoTimeFromTheProbes() throws IOException {
    hdfs = namespace(UNSET);
    ServerPlacement placement = placement("require");
    assertTimeoutPreemptively(
        FOR_EVER,
        () ->
            placement.startMaster(
                rules(),
                () -> {
                  end.await();
                  return Optional.of("too small");
                }));
    assertEach(ALL_SSD);
  }

  @Test
  void requireRefusesSsdsThatAreTooSmall() {
    IOException refused =
        assertThrows(
            IOException.class,
            () -> placement("require").startMaster(rules(), () -> Optional.of("too small")));
    assertTrue(refused.getMessage().contains("too small"), refused.getMessage());
  }

  /** What WALs may write says nothing of a directory with a quota of its own. */
  @Test
  void aGoodAnswerIsNoAnswerForADirectoryWithAQuota() throws IOException {
    for (String part : PARTS) {
      hdfs = namespace(ALL_SSD).ssdQuotaIsUsedUp(part);
      start("prefer");
      for (String each : PARTS) {
        assertEquals(each.equals(part) ? StoragePolicy.HOT.id() : ALL_SSD, hdfs.own(each), each);
      }
    }
  }

  /** Nothing would restore it. */
  @Test
  void userDataForSsdIsNotDemotedAtAStartAndReturnsIfItWas() throws IOException {
    conf.set("hbase.hybrid.user.policy", "ALL_SSD");
    hdfs = namespace(ALL_SSD).with("/hbase/data", ALL_SSD).ssdQuotaIsUsedUp("/hbase/data");
    start("prefer");
    assertEquals(ALL_SSD, hdfs.own("/hbase/data"));
    hdfs = namespace(ALL_SSD);
    new SsdDemoter(rule -> Optional.of(hdfs.with("/hbase/data", ALL_SSD)), 0)
        .demote(
            rules().stream()
                .filter(rule -> rule.path().equals(new Path("/hbase/data")))
                .findFirst()
                .orElseThrow());
    assertEquals(StoragePolicy.HOT.id(), hdfs.own("/hbase/data"));
    placement("prefer").place(rules());
    assertEquals(ALL_SSD, hdfs.own("/hbase/data"));
  }

  @Test
  void eachRootIsAskedForItself() throws IOException {
    hdfs.with("/wals", UNSET).with("/wals/WALs", ALL_SSD);
    List<DirectoryRule> rules =
        new Layout(new Path("/hbase"), new Path("/wals")).rules(HybridSettings.read(conf));
    placement("prefer").startMaster(rules);
    List<String> media = mediaOf(hdfs.probes());
    assertEquals(3, media.size(), media::toString);
    assertEquals(2, new HashSet<>(media).size(), media::toString);
  }

  private boolean lastCall() {
    ServerPlacement placement = placement("prefer");
    boolean turned = false;
    for (DirectoryRule rule : rules()) {
      turned |= assertTimeoutPreemptively(FOR_EVER, () -> placement.demote(rule, true));
    }
    return turned;
  }

  /** HBase is about to give up: no answer is no refusal, and is not waited for. */
  @Test
  void aLastCallDoesNotWaitForADataNodeThatHangs() {
    hdfs.hangsProbes(end);
    assertTrue(lastCall());
    assertEach(StoragePolicy.HOT.id());
  }

  @Test
  void aLastCallTurnsNothingToHotWhereThereIsNoDisk() {
    hdfs.hasNoDisk();
    assertFalse(lastCall());
    assertEach(ALL_SSD);
  }

  @Test
  void itsThreadsEndWithTheirProbes() throws Exception {
    hdfs.hangsProbes(end);
    start("prefer");
    end.countDown();
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().startsWith("hybrid-start-probe")) {
        thread.join();
        assertFalse(thread.isAlive());
      }
    }
  }

  @Test
  void aDataNodeThatComesBetweenTwoProbesIsNoRefusalOfSsd() throws IOException {
    // The NameNode has just restarted: none is there for the first probe, some for the second.
    hdfs.refusesProbesOnce("could only be written to 0 of the 1 minReplication nodes");
    start("prefer");
    assertEach(ALL_SSD);
  }

  /** What SSD gives one directory says nothing of one whose quota is used up. */
  @Test
  void aDirectoryWithAQuotaIsAskedForByItself() throws IOException {
    for (String full : PARTS) {
      hdfs = namespace(UNSET).ssdQuotaIsUsedUp(full);
      start("prefer");
      for (String part : PARTS) {
        int wanted = part.equals(full) ? UNSET : ALL_SSD;
        assertEquals(wanted, hdfs.own(part), part + ": " + hdfs.probes());
      }
    }
  }

  /** A router has one authority for all its nameservices. */
  @Test
  void eachRootIsAskedForByItself() throws IOException {
    try (ProbeBudget probes = new ProbeBudget(60_000)) {
      for (String root : List.of("hdfs://router/a", "hdfs://router/b")) {
        Path base = new Path(root);
        for (DirectoryRule rule : new Layout(base, base).rules(HybridSettings.read(conf))) {
          if (rule.policy().wantsSsd()) {
            probes.probe(rule, hdfs.with(rule.path().toString(), UNSET), rule.policy(), 1, 0);
          }
        }
      }
    }
    assertEquals(2, hdfs.probes().size(), hdfs.probes()::toString);
  }
}
