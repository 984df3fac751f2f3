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
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.hdfs.SsdSpace;
import io.github.hybridhbase.placement.SpaceSnapshot.ProbeResult;
import io.github.hybridhbase.runtime.Backoff;
import io.github.hybridhbase.runtime.Backoff.Jitter;
import io.github.hybridhbase.runtime.Component;
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.runtime.Watermarks;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SpacePolicyTest {
  private static final long GIB = 1L << 30;
  private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);
  private static final Headroom HEADROOM = new Headroom(GIB, 256 << 20, 3, 0);
  private static final Set<Component> THREE =
      EnumSet.of(Component.META, Component.MASTER, Component.WAL);

  private final SpacePolicy spacePolicy = new SpacePolicy(new Watermarks(12, 20, 60), THREE, 3);

  private static SpaceSnapshot free(int percent) {
    return new SpaceSnapshot(
        Optional.of(new SsdSpace(3000 * GIB, 0, percent * 30 * GIB, 3, List.of())), HEADROOM);
  }

  private static SpaceSnapshot blind() {
    return new SpaceSnapshot(Optional.empty(), HEADROOM);
  }

  @Test
  void componentsLeaveOneAfterTheOtherAsSsdFillsAndTheWalIsLast() {
    assertEquals(Set.of(), spacePolicy.next(DemotedComponents.NONE, free(13), 0).demoted());
    assertEquals(
        Set.of(Component.META), spacePolicy.next(DemotedComponents.NONE, free(11), 0).demoted());
    assertEquals(
        EnumSet.of(Component.META, Component.MASTER),
        spacePolicy.next(DemotedComponents.NONE, free(7), 0).demoted());
    assertEquals(THREE, spacePolicy.next(DemotedComponents.NONE, free(3), 0).demoted());
  }

  @Test
  void theyComeBackInReverseOrderAfterTheDwellAndAProbe() {
    DemotedComponents state = spacePolicy.next(DemotedComponents.NONE, free(1), 0);
    assertEquals(Optional.empty(), spacePolicy.probe(state, free(50), MINUTE - 1));
    assertEquals(Optional.empty(), spacePolicy.probe(state, free(19), MINUTE));
    assertEquals(Optional.of(Component.WAL), spacePolicy.probe(state, free(20), MINUTE));
    assertEquals(THREE, spacePolicy.next(state, free(50), MINUTE).demoted());
    state = spacePolicy.next(state, free(50).with(ProbeResult.GOOD), MINUTE);
    assertEquals(EnumSet.of(Component.META, Component.MASTER), state.demoted());
    state = spacePolicy.next(state, free(50).with(ProbeResult.GOOD), MINUTE);
    assertEquals(EnumSet.of(Component.META), state.demoted());
    state = spacePolicy.next(state, free(50).with(ProbeResult.GOOD), MINUTE);
    assertEquals(Set.of(), state.demoted());
  }

  @Test
  void nothingLeavesWhereThereIsNoDiskToGoTo() {
    SsdSpace full = new SsdSpace(3000 * GIB, 0, 3 * GIB / 2, 3, List.of());
    SpaceSnapshot seen = new SpaceSnapshot(Optional.of(full), HEADROOM);
    assertEquals(THREE, spacePolicy.next(DemotedComponents.NONE, seen, 0).demoted());
    seen = new SpaceSnapshot(Optional.of(full.withoutDisk()), HEADROOM);
    assertEquals(Set.of(), spacePolicy.next(DemotedComponents.NONE, seen, 0).demoted());
    // Only what HDFS takes on DISK and refuses on SSD is a refused probe.
    assertEquals(
        THREE,
        spacePolicy.next(DemotedComponents.NONE, seen.with(ProbeResult.REFUSED), 0).demoted());
  }

  /**
   * Nothing could be written where it is: it waits for no provenance, only for SSD to take a block.
   */
  @Test
  void whatIsAwayWhereThereIsNoDiskComesBackWithoutTheMarks() {
    SsdSpace full = new SsdSpace(3000 * GIB, 0, 3 * GIB / 2, 3, List.of());
    DemotedComponents demoted = DemotedComponents.NONE.demote(Component.WAL, 0);
    SpaceSnapshot seen = new SpaceSnapshot(Optional.of(full), HEADROOM);
    assertEquals(Optional.empty(), spacePolicy.probe(demoted, seen, MINUTE));
    seen = new SpaceSnapshot(Optional.of(full.withoutDisk()), HEADROOM);
    assertEquals(Optional.of(Component.WAL), spacePolicy.probe(demoted, seen, MINUTE));
    assertEquals(
        Set.of(), spacePolicy.next(demoted, seen.with(ProbeResult.GOOD), MINUTE).demoted());
    SpaceSnapshot none =
        new SpaceSnapshot(Optional.of(new SsdSpace(0, 0, 0, 0, List.of()).withoutDisk()), HEADROOM);
    assertEquals(Optional.empty(), spacePolicy.probe(demoted, none, MINUTE));
  }

  @Test
  void whatLiesWithinTheGapOfTheDataNodesIsNoSpace() {
    // 20 GiB SSDs with 2.4 GiB free: 12 percent, but a DataNode may refuse below 2.5 GiB.
    SsdSpace space = new SsdSpace(60 * GIB, 0, 7 * GIB + GIB / 4, 3, List.of());
    SpaceSnapshot seen = new SpaceSnapshot(Optional.of(space), HEADROOM);
    assertEquals(THREE, spacePolicy.next(DemotedComponents.NONE, seen, 0).demoted());
  }

  @Test
  void oneTightDataNodeOfManyDoesNotMatterMostOfThemDo() {
    assertEquals(Set.of(), spacePolicy.next(DemotedComponents.NONE, nodes(9, 1), 0).demoted());
    assertEquals(THREE, spacePolicy.next(DemotedComponents.NONE, nodes(4, 6), 0).demoted());
  }

  private static SpaceSnapshot nodes(int roomy, int tight) {
    List<SsdSpace.Node> each = new java.util.ArrayList<>();
    for (int i = 0; i < roomy + tight; i++) {
      each.add(new SsdSpace.Node("dn" + i, 100 * GIB, 60 * GIB, i < roomy ? 50 * GIB : GIB));
    }
    int all = roomy + tight;
    return new SpaceSnapshot(
        Optional.of(new SsdSpace(all * 100 * GIB, 0, all * 50 * GIB, all, each)), HEADROOM);
  }

  @Test
  void aRefusalTakesAllOffSsdAtOnceWhateverTheSpaceSays() {
    assertEquals(
        THREE,
        spacePolicy.next(DemotedComponents.NONE, free(90).with(ProbeResult.REFUSED), 0).demoted());
  }

  @Test
  void withoutSpaceProbesDecide() {
    assertEquals(Optional.of(Component.WAL), spacePolicy.probe(DemotedComponents.NONE, blind(), 0));
    DemotedComponents demoted =
        spacePolicy.next(DemotedComponents.NONE, blind().with(ProbeResult.REFUSED), 0);
    assertEquals(THREE, demoted.demoted());
    assertEquals(Optional.of(Component.WAL), spacePolicy.probe(demoted, blind(), MINUTE));
    assertEquals(
        EnumSet.of(Component.META, Component.MASTER),
        spacePolicy.next(demoted, blind().with(ProbeResult.GOOD), MINUTE).demoted());
  }

  @Test
  void whereAllSsdIsGoneHdfsGoesToDiskByItselfAndNothingIsDemoted() {
    SpaceSnapshot none =
        new SpaceSnapshot(Optional.of(new SsdSpace(0, 0, 0, 0, List.of())), HEADROOM);
    assertEquals(Set.of(), spacePolicy.next(DemotedComponents.NONE, none, 0).demoted());
    DemotedComponents demoted = DemotedComponents.NONE.demote(Component.WAL, 0);
    assertEquals(Optional.empty(), spacePolicy.probe(demoted, none, MINUTE));
  }

  @Test
  void effectiveIsDeclaredUnlessAwayOrHeld() {
    assertEquals(StoragePolicy.ALL_SSD, StoragePolicy.ALL_SSD.effective(false, false));
    assertEquals(StoragePolicy.HOT, StoragePolicy.ONE_SSD.effective(true, false));
    assertEquals(StoragePolicy.COLD, StoragePolicy.COLD.effective(true, false));
    assertEquals(StoragePolicy.NONE, StoragePolicy.ALL_SSD.effective(true, true));
  }

  @Test
  void aWatermarkThatDoesNotCoverTheWalsSaysWhatToSet() {
    SsdSpace small = new SsdSpace(48 * GIB, 0, 48 * GIB, 3, List.of());
    String text = HEADROOM.finding(new Watermarks(10, 20, 60), small).orElseThrow();
    assertTrue(text.contains("Set hbase.hybrid.ssd.low to 16"), text);
    assertTrue(text.contains("2.5 GiB"), text);
    assertEquals(Optional.empty(), HEADROOM.finding(new Watermarks(16, 20, 60), small));
    SsdSpace tiny = new SsdSpace(6 * GIB, 0, 6 * GIB, 3, List.of());
    assertTrue(
        HEADROOM
            .finding(new Watermarks(10, 20, 60), tiny)
            .orElseThrow()
            .contains("keeps everything off SSD"));
  }

  @Test
  void backOffDoublesUpToItsLimitAndForgetsWhenSsdHeld() {
    Backoff backoff = Backoff.starting(10, Jitter.NONE);
    assertEquals(0, backoff.waitNanos(0));
    long now = 1_000;
    for (long delay : new long[] {10, 20, 40, 80, 160, 160}) {
      backoff = backoff.refused(now);
      assertEquals(delay, backoff.waitNanos(now));
      now += delay;
      assertEquals(0, backoff.waitNanos(now));
    }
    assertEquals(10, backoff.refused(now + 1_000).waitNanos(now + 1_000));
  }
}
