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
package io.github.hybridhbase.tier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.hdfs.SsdSpace;
import io.github.hybridhbase.hdfs.TierState;
import io.github.hybridhbase.placement.TierGrant;
import io.github.hybridhbase.runtime.HybridSettings;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.IntToDoubleFunction;
import org.apache.hadoop.conf.Configuration;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

/**
 * Four hours of 300 servers that fill their shares while others fill SSD: the tier must neither
 * open and close in turns nor push SSD below the mark.
 */
@InterfaceAudience.Private
class TierShareSimulationTest {
  private static final int SERVERS = 300;
  private static final int TURN_SECONDS = 10;
  private static final int TURNS = 4 * 3_600 / TURN_SECONDS;
  private static final long CAPACITY = 1_000_000_000_000L;
  private static final int LOW = 10;
  private static final int HIGH = 20;
  private static final long BUDGET = CAPACITY / 5;

  /** One RegionServer: its writes fill what it may have, its files die and leave. */
  private static final class Server {
    private final long writes;
    private final int lifeTurns;
    private final int phase;
    private TierShare share = TierShare.NONE;
    private TierState heard;
    private long used;
    private long written;
    private long placed;

    Server(Random random) {
      // Some write much, most write little; SSD is full within minutes to hours.
      this.writes = (long) (BUDGET / SERVERS * Math.pow(random.nextDouble(), 3) / 10);
      this.lifeTurns = 20 + random.nextInt(340);
      this.phase = random.nextInt(2);
    }

    /**
     * @param budget that it may have whatever the grant has; 0 for none
     */
    void turn(int turn, TierState grant, boolean follows, long budget) {
      used -= used / lifeTurns;
      if ((turn + phase) % 2 == 0 && !grant.equals(heard)) {
        heard = grant;
        long room = follows ? grant.room() : CAPACITY;
        share =
            grant.open()
                ? TierShare.of(Math.max(grant.share(), budget), room, used)
                : TierShare.NONE;
      }
      if (used > share.threshold()) {
        // By compaction, at the pace of a disk.
        used -= Math.min(used - share.threshold(), BUDGET / SERVERS / 20);
      }
      long placing = Math.max(0, Math.min(writes, share.bytes() - used));
      used += placing;
      placed += placing;
      written += writes;
    }
  }

  private static final class Result {
    private int flips;
    private int words;
    private double leastFree = 100;
    private long held;
    private long mostHeld;
    private double placed;
  }

  private static Result run(IntToDoubleFunction others, Random random) {
    return run(others, random, true, 0);
  }

  /**
   * Runs four hours.
   *
   * @param others tells which percentage of SSD others use in a turn
   * @param follows whether shares follow the room; else they are the budget's
   * @param budget of each server, above its equal part; 0 for none
   */
  private static Result run(
      IntToDoubleFunction others, Random random, boolean follows, long budget) {
    TierGrant grants =
        new TierGrant(HybridSettings.read(new Configuration(false)).tier().budget(), "m");
    Server[] servers = new Server[SERVERS];
    for (int i = 0; i < SERVERS; i++) {
      servers[i] = new Server(random);
    }
    TierState grant = TierState.paused("not known yet");
    Result result = new Result();
    for (int turn = 0; turn < TURNS; turn++) {
      long held = 0;
      for (Server server : servers) {
        server.turn(turn, grant, follows, budget);
        held += server.used;
      }
      long foreign = (long) (CAPACITY / 100 * others.applyAsDouble(turn));
      long free = Math.max(0, CAPACITY - foreign - held);
      SsdSpace space = new SsdSpace(CAPACITY, CAPACITY - free, free, 10, List.of());
      TierState next =
          grants.next(
              Optional.of(grant),
              space,
              SERVERS,
              TimeUnit.SECONDS.toMillis((long) turn * TURN_SECONDS));
      result.flips += turn > 0 && next.open() != grant.open() ? 1 : 0;
      result.words += next.equals(grant) ? 0 : 1;
      grant = next;
      result.held = held;
      result.mostHeld = Math.max(result.mostHeld, held);
      result.leastFree = Math.min(result.leastFree, 100.0 * free / CAPACITY);
    }
    long written = 0;
    long placed = 0;
    for (Server server : servers) {
      written += server.written;
      placed += server.placed;
    }
    result.placed = (double) placed / written;
    return result;
  }

  @Test
  void atNoLevelOfForeignUseDoesTheTierFlip() {
    Random random = new Random(20);
    for (int level = 0; level <= 100; level += 4) {
      int percent = level;
      Result result = run(turn -> percent, random);
      String what = percent + " % used by others, ";
      assertEquals(0, result.flips, () -> what + result.flips + " flips");
      assertTrue(result.words < 600, () -> what + result.words + " words");
      double free = 100 - percent;
      double least = Math.min(free, HIGH - 2.0);
      assertTrue(
          result.leastFree >= least - 0.01, () -> what + result.leastFree + " % free at least");
      if (free > HIGH + 2) {
        assertTrue(result.held > 0, () -> what + "nothing is on SSD");
      }
    }
  }

  /**
   * What equal parts cost against the best level, known in advance, up to which each server may
   * fill: a third of what is held, and 3 of 100 bytes written.
   */
  @Test
  void equalPartsPlaceNearlyAsMuchAsTheBestLevel() {
    Result equal = run(turn -> 20, new Random(24));
    Result best = equal;
    for (int percent = 110; best.mostHeld <= BUDGET && percent < 400; percent += 10) {
      Result level = run(turn -> 20, new Random(24), true, BUDGET / SERVERS / 100 * percent);
      if (level.mostHeld > BUDGET) {
        break;
      }
      best = level;
    }
    String what =
        String.format(
            "equal parts place %.3f of what is written and hold %d GB, the best level %.3f and %d",
            equal.placed, equal.held >> 30, best.placed, best.held >> 30);
    System.out.println(what);
    assertEquals(0, equal.flips);
    assertTrue(equal.mostHeld <= BUDGET, what);
    assertTrue(best.held > equal.held, what);
    assertTrue(equal.placed > best.placed - 0.03, what);
    assertTrue(equal.held > 0.6 * best.held, what);
  }

  /** That the simulation would show it. */
  @Test
  void theWholeBudgetWhateverIsFreeDoesFlip() {
    assertTrue(run(turn -> 75, new Random(19), false, 0).flips > 10);
  }

  @Test
  void otherUsersNoiseFlipsNothing() {
    Random random = new Random(21);
    for (double level = 60; level <= 82; level += 0.5) {
      double percent = level;
      Result result = run(turn -> percent + random.nextDouble(), random);
      assertEquals(0, result.flips, () -> percent + " % and 1 % of noise");
    }
  }

  @Test
  void othersGrowthShrinksTheTierSmoothlyAndClosesItOnce() {
    Result result = run(turn -> Math.min(98, 40 + 60.0 * turn / TURNS), new Random(22));
    assertEquals(1, result.flips);
    assertEquals(0, result.held);
    Result wave = run(turn -> 70 + 8 * Math.sin(2 * Math.PI * turn / 360), new Random(23));
    assertEquals(0, wave.flips);
    assertTrue(wave.leastFree > 15, () -> wave.leastFree + " % free at least");
  }
}
