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
package io.github.hybridhbase.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.guard.Sighting.ProbeResult;
import io.github.hybridhbase.placement.Component;
import io.github.hybridhbase.placement.StoragePolicy;
import io.github.hybridhbase.placement.WaterMarks;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class GuardTest {
  private static final long GIB = 1L << 30;
  private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);
  private static final Headroom HEADROOM = new Headroom(GIB, 256 << 20, 3, 0);
  private static final Set<Component> THREE =
      EnumSet.of(Component.META, Component.MASTER, Component.WAL);

  private final Guard guard = new Guard(new WaterMarks(12, 20, 60), THREE, 3);

  private static Sighting free(int percent) {
    return new Sighting(
        Optional.of(new SsdSpace(3000 * GIB, 0, percent * 30 * GIB, 3, List.of())), HEADROOM, 0);
  }

  private static Sighting blind() {
    return new Sighting(Optional.empty(), HEADROOM, 0);
  }

  @Test
  void componentsLeaveOneAfterTheOtherAsSsdFillsAndTheWalIsLast() {
    assertEquals(Set.of(), guard.next(GuardState.ALL_IN, free(13), 0).away());
    assertEquals(Set.of(Component.META), guard.next(GuardState.ALL_IN, free(11), 0).away());
    assertEquals(
        EnumSet.of(Component.META, Component.MASTER),
        guard.next(GuardState.ALL_IN, free(7), 0).away());
    assertEquals(THREE, guard.next(GuardState.ALL_IN, free(3), 0).away());
  }

  @Test
  void theyComeBackInReverseOrderAfterTheDwellAndAProbe() {
    GuardState state = guard.next(GuardState.ALL_IN, free(1), 0);
    assertEquals(Optional.empty(), guard.probe(state, free(50), MINUTE - 1));
    assertEquals(Optional.empty(), guard.probe(state, free(19), MINUTE));
    assertEquals(Optional.of(Component.WAL), guard.probe(state, free(20), MINUTE));
    assertEquals(THREE, guard.next(state, free(50), MINUTE).away());
    state = guard.next(state, free(50).with(ProbeResult.GOOD), MINUTE);
    assertEquals(EnumSet.of(Component.META, Component.MASTER), state.away());
    state = guard.next(state, free(50).with(ProbeResult.GOOD), MINUTE);
    assertEquals(EnumSet.of(Component.META), state.away());
    state = guard.next(state, free(50).with(ProbeResult.GOOD), MINUTE);
    assertEquals(Set.of(), state.away());
  }

  @Test
  void nothingLeavesWhereThereIsNoDiskToGoTo() {
    SsdSpace full = new SsdSpace(3000 * GIB, 0, 3 * GIB / 2, 3, List.of());
    Sighting seen = new Sighting(Optional.of(full), HEADROOM, 0);
    assertEquals(THREE, guard.next(GuardState.ALL_IN, seen, 0).away());
    seen = new Sighting(Optional.of(full.withoutDisk()), HEADROOM, 0);
    assertEquals(Set.of(), guard.next(GuardState.ALL_IN, seen, 0).away());
    // Only what HDFS takes on DISK and refuses on SSD is a refused probe.
    assertEquals(THREE, guard.next(GuardState.ALL_IN, seen.with(ProbeResult.REFUSED), 0).away());
  }

  /** Nothing could be born where it is: it waits for no mark, only for SSD to take a block. */
  @Test
  void whatIsAwayWhereThereIsNoDiskComesBackWithoutTheMarks() {
    SsdSpace full = new SsdSpace(3000 * GIB, 0, 3 * GIB / 2, 3, List.of());
    GuardState away = GuardState.ALL_IN.leave(Component.WAL, 0);
    Sighting seen = new Sighting(Optional.of(full), HEADROOM, 0);
    assertEquals(Optional.empty(), guard.probe(away, seen, MINUTE));
    seen = new Sighting(Optional.of(full.withoutDisk()), HEADROOM, 0);
    assertEquals(Optional.of(Component.WAL), guard.probe(away, seen, MINUTE));
    assertEquals(Set.of(), guard.next(away, seen.with(ProbeResult.GOOD), MINUTE).away());
    Sighting none =
        new Sighting(Optional.of(new SsdSpace(0, 0, 0, 0, List.of()).withoutDisk()), HEADROOM, 0);
    assertEquals(Optional.empty(), guard.probe(away, none, MINUTE));
  }

  @Test
  void whatLiesWithinTheGapOfTheDataNodesIsNoRoom() {
    // 20 GiB SSDs with 2.4 GiB free: 12 percent, but a DataNode may refuse below 2.5 GiB.
    SsdSpace space = new SsdSpace(60 * GIB, 0, 7 * GIB + GIB / 4, 3, List.of());
    Sighting seen = new Sighting(Optional.of(space), HEADROOM, 0);
    assertEquals(THREE, guard.next(GuardState.ALL_IN, seen, 0).away());
  }

  @Test
  void oneTightDataNodeOfManyDoesNotMatterMostOfThemDo() {
    assertEquals(Set.of(), guard.next(GuardState.ALL_IN, nodes(9, 1), 0).away());
    assertEquals(THREE, guard.next(GuardState.ALL_IN, nodes(4, 6), 0).away());
  }

  private static Sighting nodes(int roomy, int tight) {
    List<SsdSpace.Node> each = new java.util.ArrayList<>();
    for (int i = 0; i < roomy + tight; i++) {
      each.add(new SsdSpace.Node("dn" + i, 100 * GIB, i < roomy ? 50 * GIB : GIB));
    }
    int all = roomy + tight;
    return new Sighting(
        Optional.of(new SsdSpace(all * 100 * GIB, 0, all * 50 * GIB, all, each)), HEADROOM, 0);
  }

  @Test
  void aRefusalTakesAllOffSsdAtOnceWhateverTheSpaceSays() {
    assertEquals(
        THREE, guard.next(GuardState.ALL_IN, free(90).with(ProbeResult.REFUSED), 0).away());
  }

  @Test
  void withoutSpaceProbesDecide() {
    assertEquals(Optional.of(Component.WAL), guard.probe(GuardState.ALL_IN, blind(), 0));
    GuardState away = guard.next(GuardState.ALL_IN, blind().with(ProbeResult.REFUSED), 0);
    assertEquals(THREE, away.away());
    assertEquals(Optional.of(Component.WAL), guard.probe(away, blind(), MINUTE));
    assertEquals(
        EnumSet.of(Component.META, Component.MASTER),
        guard.next(away, blind().with(ProbeResult.GOOD), MINUTE).away());
  }

  @Test
  void aServerInTroubleIsWorthAProbe() {
    assertEquals(Optional.empty(), guard.probe(GuardState.ALL_IN, free(50), 0));
    Sighting trouble = new Sighting(free(50).space(), HEADROOM, 1);
    assertEquals(Optional.of(Component.WAL), guard.probe(GuardState.ALL_IN, trouble, 0));
  }

  @Test
  void whereAllSsdIsGoneHdfsGoesToDiskByItselfAndNothingIsTurned() {
    Sighting none = new Sighting(Optional.of(new SsdSpace(0, 0, 0, 0, List.of())), HEADROOM, 0);
    assertEquals(Set.of(), guard.next(GuardState.ALL_IN, none, 0).away());
    GuardState away = GuardState.ALL_IN.leave(Component.WAL, 0);
    assertEquals(Optional.empty(), guard.probe(away, none, MINUTE));
  }

  @Test
  void effectiveIsDeclaredUnlessAwayOrHeld() {
    assertEquals(StoragePolicy.ALL_SSD, EffectivePolicy.of(StoragePolicy.ALL_SSD, false, false));
    assertEquals(StoragePolicy.HOT, EffectivePolicy.of(StoragePolicy.ONE_SSD, true, false));
    assertEquals(StoragePolicy.COLD, EffectivePolicy.of(StoragePolicy.COLD, true, false));
    assertEquals(StoragePolicy.NONE, EffectivePolicy.of(StoragePolicy.ALL_SSD, true, true));
  }

  @Test
  void aMarkThatDoesNotCoverTheWalsSaysWhatToSet() {
    SsdSpace small = new SsdSpace(48 * GIB, 0, 48 * GIB, 3, List.of());
    String text = MarksCheck.finding(new WaterMarks(10, 20, 60), small, HEADROOM).orElseThrow();
    assertTrue(text.contains("Set hbase.hybrid.ssd.low to 16"), text);
    assertTrue(text.contains("2.5 GiB"), text);
    assertEquals(Optional.empty(), MarksCheck.finding(new WaterMarks(16, 20, 60), small, HEADROOM));
    SsdSpace tiny = new SsdSpace(6 * GIB, 0, 6 * GIB, 3, List.of());
    assertTrue(
        MarksCheck.finding(new WaterMarks(10, 20, 60), tiny, HEADROOM)
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
