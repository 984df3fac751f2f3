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

import java.util.PriorityQueue;
import java.util.Random;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

/**
 * Writers as fast as SSD lets them be, before an HDD that takes what compactions write. Simulated:
 * closed loops of clients, which try again as HBase's do, four regions, flushes to SSD, one thread
 * that compacts to HDD.
 */
@InterfaceAudience.Private
class WriteDelaySimulationTest {
  private static final int REGIONS = 4;
  private static final int BLOCKING_FILES = 8;
  private static final int MULTIPLIER = 4;
  private static final int PLACES = WriteCalls.places(30, 0);
  private static final int OPS_A_FLUSH = 3_000;
  private static final double FLUSH_SECONDS = 0.3;
  private static final double SSD_WRITE_SECONDS = 0.002;

  /** What a major file has, in flushes. */
  private static final double BASE = 7;

  /** Pauses between the tries of HBase's client, in units of 0.1 s. */
  private static final int[] BACKOFF = {1, 2, 3, 5, 10, 20, 40, 100, 100, 100, 100, 200, 200, 200};

  private static final class Region {
    private double memory;
    private double flushing;
    private double flushed;
    private int files = 1;
    private int compacting;

    private double flushes() {
      return memory + flushing;
    }
  }

  private static final class Writer {
    private double at;
    private double since;
    private int region;
    private int tries;
  }

  /** A run, and what came of it. */
  private static final class Sim {
    private final Random random;
    private final double hdd;
    private final int mostMillis;
    private final PriorityQueue<Double> waiting = new PriorityQueue<>();
    private final Region[] regions = new Region[REGIONS];
    private double compacted = Double.MAX_VALUE;
    private long done;
    private int refused;
    private int failed;
    private double longest;

    /**
     * Describes it.
     *
     * @param hdd flushes that HDD takes a second
     * @param mostMillis the longest wait, 0 for none
     */
    Sim(double hdd, int mostMillis, long seed) {
      this.hdd = hdd;
      this.mostMillis = mostMillis;
      this.random = new Random(seed);
      for (int i = 0; i < REGIONS; i++) {
        regions[i] = new Region();
      }
    }

    Sim run(int writers, int seconds) {
      PriorityQueue<Writer> queue =
          new PriorityQueue<>((one, other) -> Double.compare(one.at, other.at));
      for (int i = 0; i < writers; i++) {
        Writer writer = new Writer();
        writer.at = random.nextDouble() * SSD_WRITE_SECONDS;
        next(writer);
        queue.add(writer);
      }
      while (queue.peek().at < seconds) {
        Writer writer = queue.poll();
        serve(writer.at);
        write(writer);
        queue.add(writer);
      }
      for (Writer writer : queue) {
        longest = Math.max(longest, seconds - writer.since);
      }
      return this;
    }

    private void next(Writer writer) {
      writer.since = writer.at;
      // Some regions are written more than others.
      writer.region = Math.min(random.nextInt(REGIONS), random.nextInt(REGIONS));
      writer.tries = 0;
    }

    private void write(Writer writer) {
      Region region = regions[writer.region];
      if (region.flushes() > MULTIPLIER) {
        refused++;
        if (writer.tries == BACKOFF.length) {
          failed++;
          longest = Math.max(longest, writer.at - writer.since);
          next(writer);
        } else {
          writer.at += BACKOFF[writer.tries++] / 10.0;
        }
        return;
      }
      region.memory += 1.0 / OPS_A_FLUSH;
      writer.at += SSD_WRITE_SECONDS + wait(region, writer.at);
      longest = Math.max(longest, writer.at - writer.since);
      done++;
      next(writer);
    }

    /** Seconds; half of the handlers wait for as long as they may, the others for a tenth. */
    private double wait(Region region, double now) {
      while (!waiting.isEmpty() && waiting.peek() <= now) {
        waiting.poll();
      }
      double pressure =
          WritePressure.of(region.flushes(), MULTIPLIER, region.files, BLOCKING_FILES);
      double seconds = WritePressure.delayMillis(pressure, 1_000, mostMillis) / 1_000.0;
      if (waiting.size() == PLACES) {
        return Math.min(seconds, mostMillis / 10_000.0);
      }
      if (seconds > 0) {
        waiting.add(now + seconds);
      }
      return seconds;
    }

    /** What the server does beside: flushes where a store has not too many files, and compacts. */
    private void serve(double now) {
      Region most = regions[0];
      for (Region region : regions) {
        if (region.flushing > 0 && now >= region.flushed) {
          region.flushing = 0;
          region.files++;
        }
        if (region.memory >= 1 && region.flushing == 0 && region.files <= BLOCKING_FILES) {
          region.flushing = region.memory;
          region.memory = 0;
          region.flushed = now + FLUSH_SECONDS;
        }
        if (region.compacting > 0 && now >= compacted) {
          region.files -= region.compacting - 1;
          region.compacting = 0;
          compacted = Double.MAX_VALUE;
        }
        most = region.files > most.files ? region : most;
      }
      if (compacted == Double.MAX_VALUE && most.files >= 3) {
        most.compacting = most.files;
        compacted = now + (BASE + most.files) / hdd;
      }
    }

    @Override
    public String toString() {
      return done + " writes, " + refused + " refused, " + failed + " failed, longest " + longest;
    }
  }

  @Test
  void whatHddCannotTakeIsSlowedDownAndNotRefused() {
    for (long seed = 1; seed <= 3; seed++) {
      String what = "seed " + seed + ": ";
      Sim without = new Sim(0.5, 0, seed).run(16, 300);
      Sim with = new Sim(0.5, 1_000, seed).run(16, 300);
      assertTrue(without.refused > 100 && without.longest > 5, () -> what + without);
      assertEquals(0, with.refused, () -> what + with);
      assertTrue(with.longest <= 1.1, () -> what + with);
      assertTrue(with.done >= 0.8 * without.done, () -> what + with + ", without " + without);
    }
  }

  /** About as many as may wait for long at a time. */
  @Test
  void anyNumberOfWritersIsSlowedDown() {
    for (int writers : new int[] {1, 4, 15, 16}) {
      for (double hdd : new double[] {0.25, 0.5, 2}) {
        Sim with = new Sim(hdd, 1_000, writers).run(writers, 300);
        assertEquals(0, with.refused, () -> writers + " writers, HDD " + hdd + ": " + with);
      }
    }
  }

  /**
   * As many as a server has handlers, of which half wait for a tenth as long: on the slowest of
   * these HDDs some are refused. Further clients wait in HBase's queue.
   */
  @Test
  void asManyWritersAsHandlersFailNowhere() {
    for (double hdd : new double[] {0.25, 0.5, 1, 2}) {
      Sim with = new Sim(hdd, 1_000, 30).run(30, 300);
      assertEquals(0, with.failed, () -> "HDD " + hdd + ": " + with);
      assertTrue(hdd < 1 || with.refused == 0, () -> "HDD " + hdd + ": " + with);
    }
  }

  @Test
  void whatHddCanTakeIsNotSlowedDown() {
    Sim without = new Sim(50, 0, 3).run(16, 300);
    Sim with = new Sim(50, 1_000, 3).run(16, 300);
    assertEquals(0, without.refused, without::toString);
    assertTrue(with.done >= 0.98 * without.done, () -> with + ", without " + without);
  }
}
