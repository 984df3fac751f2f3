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
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SettlingTest {
  private static final long GIB = 1L << 30;

  private Settling settling = Settling.within(TimeUnit.SECONDS.toNanos(60));
  private long seconds = -1_000_000;

  private static Optional<SsdSpace> nodes(int nodes) {
    return Optional.of(
        new SsdSpace(nodes * 100 * GIB, nodes * 78 * GIB, nodes * 22 * GIB, nodes, List.of()));
  }

  /** A look every ten seconds. */
  private Optional<SsdSpace> look(Optional<SsdSpace> read) {
    seconds += 10;
    settling = settling.next(read, TimeUnit.SECONDS.toNanos(seconds));
    assertTrue(settling.settled() || settling.certain().isEmpty());
    return settling.certain();
  }

  private void settleOn(int nodes) {
    for (int i = 0; i < 6; i++) {
      assertEquals(Optional.empty(), look(nodes(nodes)), "look " + i);
    }
    assertEquals(nodes, look(nodes(nodes)).orElseThrow().nodes());
  }

  @Test
  void aReadingCountsOnceItHasStood() {
    settleOn(3);
  }

  @Test
  void dataNodesThatRegisterOneByOneAreNotCertain() {
    settleOn(30);
    for (int nodes = 1; nodes < 27; nodes += 4) {
      assertEquals(Optional.empty(), look(nodes(nodes)));
      assertFalse(settling.settled());
    }
    settleOn(30);
  }

  @Test
  void aLookThatFailsUnsettlesNothing() {
    settleOn(3);
    assertEquals(Optional.empty(), look(Optional.empty()));
    assertFalse(settling.settled());
    assertEquals(3, look(nodes(3)).orElseThrow().nodes());
  }

  @Test
  void thatNothingCanBeReadIsCertainAfterAWhile() {
    for (int i = 0; i < 6; i++) {
      look(Optional.empty());
      assertFalse(settling.settled());
    }
    look(Optional.empty());
    assertTrue(settling.settled());
    look(nodes(3));
    assertFalse(settling.settled());
  }

  @Test
  void amongManyDataNodesSomeComeAndGoAndItStaysCertain() {
    settleOn(1_000);
    Random random = new Random(10);
    for (int i = 0; i < 1_000; i++) {
      int nodes = 950 + random.nextInt(100);
      assertEquals(nodes, look(nodes(nodes)).orElseThrow().nodes());
    }
  }

  @Test
  void manySmallChangesInARowAreALargeOne() {
    settleOn(1_000);
    int unsettled = 0;
    for (int nodes = 1_000; nodes > 500; nodes -= 50) {
      unsettled += look(nodes(nodes)).isPresent() ? 0 : 1;
    }
    assertTrue(unsettled > 5, "unsettled " + unsettled);
  }

  @Test
  void whatNeverStandsStillCountsAllTheSameAfterTenMinutes() {
    settleOn(3);
    int looks = 0;
    while (look(nodes(2 + looks % 2)).isEmpty()) {
      looks++;
    }
    assertTrue(looks >= 55 && looks <= 65, "looks " + looks);
  }

  @Test
  void ofWhatNeverStandsStillTheRoomiestReadingCounts() {
    settleOn(3);
    SsdSpace full = new SsdSpace(50 * GIB, 50 * GIB, 0, 1, List.of());
    for (int first = 0; first < 2; first++) {
      Optional<SsdSpace> counts = Optional.empty();
      for (int look = first; counts.isEmpty(); look++) {
        counts = look(look % 2 == 0 ? Optional.of(full) : nodes(3));
      }
      assertEquals(22, counts.get().freePercent(), 0.001);
    }
  }
}
