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
import io.github.hybridhbase.placement.DemotedComponents;
import io.github.hybridhbase.placement.Headroom;
import io.github.hybridhbase.placement.SpacePolicy;
import io.github.hybridhbase.placement.SpaceSnapshot;
import io.github.hybridhbase.placement.SpaceSnapshot.ProbeResult;
import io.github.hybridhbase.placement.TierGrant;
import io.github.hybridhbase.runtime.Component;
import io.github.hybridhbase.runtime.Watermarks;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.IntToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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
  private static final long RENEW_TURNS = 30;
  private static final int LEVEL_TURNS = 6;

  /** One RegionServer: its writes fill what it may have, its files die and leave. */
  private static final class Server {
    private final long writes;
    private final int lifeTurns;
    private final int phase;
    private TierShare share = TierShare.NONE;
    private Object heard;
    private long used;
    private int reports;
    private long told = -1;
    private int toldTurn;

    Server(Random random) {
      // Some write much, most write little; SSD is full within minutes to hours.
      this.writes = (long) (BUDGET / SERVERS * Math.pow(random.nextDouble(), 3) / 10);
      this.lifeTurns = 20 + random.nextInt(340);
      this.phase = random.nextInt(2);
    }

    void turn(int turn, Word word, boolean follows) {
      used -= used / lifeTurns;
      if ((turn + phase) % 2 == 0 && word != heard) {
        heard = word;
        long room = follows ? word.room.room() : CAPACITY;
        share = word.open ? TierShare.of(word.room.budget(), room, used) : TierShare.NONE;
      }
      if (used > share.threshold()) {
        // By compaction, at the pace of a disk.
        used -= Math.min(used - share.threshold(), BUDGET / SERVERS / 20);
      }
      used += Math.max(0, Math.min(writes, share.bytes() - used));
      long pause = TimeUnit.SECONDS.toNanos((long) (turn - toldTurn) * TURN_SECONDS);
      if (TierService.UseReport.isWorthTelling(told, used, share.bytes(), pause)) {
        told = used;
        toldTurn = turn;
        reports++;
      }
    }
  }

  private static final class Word {
    private final boolean open;
    private final TierGrant room;
    private final int turn;

    Word(boolean open, TierGrant room, int turn) {
      this.open = open;
      this.room = room;
      this.turn = turn;
    }
  }

  private static final class Result {
    private int flips;
    private int words;
    private double leastFree = 100;
    private long held;
    private long mostHeld;
    private int reports;
    private long most;
  }

  private static Result run(IntToDoubleFunction others, Random random) {
    return run(others, random, true);
  }

  /**
   * Runs four hours.
   *
   * @param others tells which percentage of SSD others use in a turn
   * @param follows whether shares follow the room; else they are the budget's
   */
  private static Result run(IntToDoubleFunction others, Random random, boolean follows) {
    return run(others, random, follows, true);
  }

  /**
   * Runs four hours.
   *
   * @param levels whether shares follow where writes are; else they are equal
   */
  private static Result run(
      IntToDoubleFunction others, Random random, boolean follows, boolean levels) {
    SpacePolicy policy =
        new SpacePolicy(new Watermarks((LOW + HIGH) / 2, HIGH, 60), EnumSet.of(Component.TIER), 1);
    Server[] servers = new Server[SERVERS];
    for (int i = 0; i < SERVERS; i++) {
      servers[i] = new Server(random);
    }
    DemotedComponents state = DemotedComponents.NONE;
    Word word = new Word(false, TierGrant.of(CAPACITY, 0, HIGH, BUDGET, SERVERS), 0);
    Result result = new Result();
    long level = BUDGET / SERVERS;
    for (int turn = 0; turn < TURNS; turn++) {
      long held = 0;
      for (Server server : servers) {
        server.turn(turn, word, follows);
        held += server.used;
      }
      long foreign = (long) (CAPACITY / 100 * others.applyAsDouble(turn));
      long free = Math.max(0, CAPACITY - foreign - held);
      Optional<SsdSpace> space =
          Optional.of(new SsdSpace(CAPACITY, CAPACITY - free, free, 10, List.of()));
      state =
          policy.next(
              state,
              new SpaceSnapshot(space, new Headroom(0, 0, 0, 0)).with(ProbeResult.GOOD),
              TimeUnit.SECONDS.toNanos((long) turn * TURN_SECONDS));
      boolean open = !state.isDemoted(Component.TIER);
      if (levels && turn % LEVEL_TURNS == 0) {
        List<Long> uses =
            Stream.of(servers).map(server -> Math.max(0, server.told)).collect(Collectors.toList());
        level = TierGrant.nextBudget(BUDGET, SERVERS, level, uses);
      }
      TierGrant room = TierGrant.of(CAPACITY, free, HIGH, BUDGET, SERVERS).withBudget(level);
      if (turn == 0
          || open != word.open
          || room.differsFrom(word.room.budget(), word.room.room())
          || turn - word.turn >= RENEW_TURNS) {
        result.flips += turn > 0 && open != word.open ? 1 : 0;
        result.words++;
        word = new Word(open, room, turn);
      }
      result.held = held;
      result.mostHeld = Math.max(result.mostHeld, held);
      result.leastFree = Math.min(result.leastFree, 100.0 * free / CAPACITY);
    }
    for (Server server : servers) {
      result.reports += server.reports;
      result.most = Math.max(result.most, server.used);
    }
    return result;
  }

  @Test
  void atNoLevelOfForeignUseDoesTheTierFlip() {
    Random random = new Random(20);
    for (int level = 0; level <= 100; level++) {
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

  @Test
  void serversThatWriteMuchFillWhatTheOthersLeave() {
    Result equal = run(turn -> 20, new Random(24), true, false);
    Result level = run(turn -> 20, new Random(24), true, true);
    String what = level.held + " held, " + level.mostHeld + " at most, equal " + equal.held;
    assertEquals(0, level.flips);
    assertTrue(level.held > 1.2 * equal.held, what);
    assertTrue(level.most > 1.3 * BUDGET / SERVERS, () -> level.most + " by one, " + what);
    assertTrue(level.mostHeld <= 1.02 * BUDGET, what);
    double writes = (double) level.reports / TURNS / TURN_SECONDS;
    assertTrue(writes <= SERVERS / 60.0, () -> writes + " reports a second");
  }

  /** That the simulation would show it. */
  @Test
  void theWholeBudgetWhateverIsFreeDoesFlip() {
    assertTrue(run(turn -> 75, new Random(19), false).flips > 10);
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
