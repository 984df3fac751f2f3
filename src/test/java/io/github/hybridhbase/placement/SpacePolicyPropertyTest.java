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
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.hdfs.SsdSpace;
import io.github.hybridhbase.placement.SpaceSnapshot.ProbeResult;
import io.github.hybridhbase.runtime.Component;
import io.github.hybridhbase.runtime.Watermarks;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Seeded random schedules of SSDs that fill, empty, refuse and cannot be read. */
class SpacePolicyPropertyTest {
  private static final long GIB = 1L << 30;
  private static final int STEPS = 2_000;

  static List<Long> seeds() {
    Long given = Long.getLong("hybrid.seed");
    return given != null
        ? List.of(given)
        : new Random().longs(50).boxed().collect(java.util.stream.Collectors.toList());
  }

  @ParameterizedTest(name = "-Dhybrid.seed={0}")
  @MethodSource("seeds")
  void noScheduleBreaksTheRules(long seed) {
    Random random = new Random(seed);
    int low = random.nextInt(60);
    Watermarks watermarks =
        new Watermarks(low, low + 1 + random.nextInt(35), 1 + random.nextInt(300));
    Set<Component> components = EnumSet.copyOf(SpacePolicy.ORDER);
    components.removeIf(component -> random.nextInt(4) == 0);
    SpacePolicy spacePolicy = new SpacePolicy(watermarks, components, 3);
    Map<Component, Long> left = new EnumMap<>(Component.class);
    DemotedComponents state = DemotedComponents.NONE;
    long now = random.nextLong();
    for (int step = 0; step < STEPS; step++) {
      now += TimeUnit.MILLISECONDS.toNanos(random.nextInt(60_000));
      SpaceSnapshot seen = snapshot(random);
      Optional<Component> wanted = spacePolicy.probe(state, seen, now);
      if (wanted.isPresent()) {
        seen = seen.with(ProbeResult.values()[random.nextInt(4)]);
      }
      DemotedComponents next = spacePolicy.next(state, seen, now);
      check(spacePolicy, watermarks, state, next, seen, left, now);
      state = next;
    }
  }

  private static void check(
      SpacePolicy spacePolicy,
      Watermarks watermarks,
      DemotedComponents before,
      DemotedComponents after,
      SpaceSnapshot seen,
      Map<Component, Long> left,
      long now) {
    int returns = 0;
    for (Component component : spacePolicy.order()) {
      if (!before.isDemoted(component) && after.isDemoted(component)) {
        Long last = left.put(component, now);
        assertTrue(last == null || now - last >= watermarks.dwellNanos(), "flaps: " + component);
      }
      if (before.isDemoted(component) && !after.isDemoted(component)) {
        returns++;
        assertEquals(ProbeResult.GOOD, seen.probe(), "back without a probe");
        assertTrue(now - left.get(component) >= watermarks.dwellNanos(), "back within the dwell");
        seen.space()
            .ifPresent(
                space -> {
                  assertTrue(
                      space.freePercent() >= watermarks.highPercent(), "back below the threshold");
                  assertTrue(space.nodesWithSpace(seen.headroom().bytesToReturn()) > 0);
                });
      }
    }
    assertTrue(returns <= 1, "one at a time");
    // Whoever is away, all that leave before it are away too.
    boolean in = false;
    for (Component component : spacePolicy.order()) {
      assertFalse(in && after.isDemoted(component), "out of order: " + after);
      in |= !after.isDemoted(component);
    }
    if (seen.probe() == ProbeResult.REFUSED) {
      assertEquals(
          Set.copyOf(spacePolicy.order()), after.demoted(), "SSD refuses and something stays");
    }
  }

  private static SpaceSnapshot snapshot(Random random) {
    Headroom headroom = new Headroom(GIB, 256 << 20, 1 + random.nextInt(4), random.nextInt());
    if (random.nextInt(5) == 0) {
      return new SpaceSnapshot(Optional.empty(), headroom);
    }
    int nodes = random.nextInt(8);
    long capacity = nodes * 100 * GIB;
    long remaining = (long) (capacity * Math.pow(random.nextDouble(), 2));
    SsdSpace space = new SsdSpace(capacity, capacity - remaining, remaining, nodes, List.of());
    return new SpaceSnapshot(Optional.of(space), headroom);
  }
}
