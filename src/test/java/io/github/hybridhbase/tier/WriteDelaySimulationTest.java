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

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Random;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Writers as fast as SSD lets them be, before an HDD that takes what compactions write, and readers
 * of another table of the server. Simulated: closed loops of clients, which try again as HBase's
 * do, a server's handlers with their three queues (as in HBase a call goes to any idle handler, and
 * else to one queue at random, where its handlers only find it), four regions, flushes to SSD,
 * which too many files put off for a while, or to HDD, one thread that compacts to HDD.
 */
@InterfaceAudience.Private
class WriteDelaySimulationTest {
  private static final int HANDLERS = 30;
  private static final int PLACES = WriteCalls.places(HANDLERS, 0);
  private static final int REGIONS = 4;

  /** HBase's {@code hbase.ipc.server.callqueue.handler.factor} is a tenth. */
  private static final int QUEUES = 3;

  private static final int BLOCKING_FILES = 8;
  private static final double BLOCKING_SECONDS = 90;
  private static final int SMALL_FLUSH = 3_000;

  /** Rows of 1 KB in HBase's 128 MB. */
  private static final int USUAL_FLUSH = 117_000;

  private static final double FLUSH_SECONDS = 0.3;

  /** Flushes that it takes a second. */
  private static final double[] HDDS = {0.25, 0.5, 1, 2};

  /** Part of a server's limit from which HBase flushes one region after the other. */
  private static final double LOW_MARK = 0.95;

  /** How often a blocked call looks whether a flush has ended. */
  private static final double LOOK_SECONDS = 0.01;

  /** What a major file has, in flushes. */
  private static final double BASE = 7;

  /** Pauses between the tries of HBase's client, in units of 0.1 s. */
  private static final int[] BACKOFF = {1, 2, 3, 5, 10, 20, 40, 100, 100, 100, 100, 200, 200, 200};

  private static final class Region {
    private double memory;
    private double flushing;
    private double flushed;
    private double due = Double.MAX_VALUE;
    private int files = 1;
    private int compacting;
    private long deferredSince = WritePressure.NOT_DEFERRED;

    private double flushes() {
      return memory + flushing;
    }
  }

  private enum Step {
    ARRIVES,
    BLOCKED,
    WAITS,
    DONE
  }

  private static final class Client {
    private final boolean reads;
    private final int rows;
    private final double pause;
    private Step step = Step.ARRIVES;
    private double at;
    private double since;
    private int region;
    private int queue;
    private int tries;
    private long waited;
    private boolean placed;

    Client(boolean reads, int rows, double pause) {
      this.reads = reads;
      this.rows = rows;
      this.pause = pause;
    }
  }

  /** A run, and what came of it. */
  private static final class Sim {
    private final Random random;
    private final double hdd;
    private final int mostMillis;
    private final PriorityQueue<Client> clients =
        new PriorityQueue<>((one, other) -> Double.compare(one.at, other.at));
    private final List<Queue<Client>> queues = new ArrayList<>();
    private final Region[] regions = new Region[REGIONS];
    private double readSeconds;
    private double hddFlushSeconds;
    private int multiplier = 4;
    private double limit = Double.MAX_VALUE;
    private int writtenRegions = REGIONS;
    private int opsAFlush = SMALL_FLUSH;
    private double writeSeconds = 0.002;
    private boolean toIdle = true;
    private final int[] busy = new int[QUEUES];
    private int queued;
    private int places = PLACES;
    private double compacted = Double.MAX_VALUE;
    private long done;
    private long reads;
    private int forced;
    private int refused;
    private int failed;
    private double longest;
    private double longestRead;
    private double readTime;

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
      for (int i = 0; i < QUEUES; i++) {
        queues.add(new ArrayDeque<>());
      }
    }

    /**
     * As with HBase's {@code callqueue.type=deadline}: a call is queued though handlers are idle.
     */
    Sim withoutFastPath() {
      toIdle = false;
      return this;
    }

    /** HBase's usual flush of 128 MB, of rows of 1 KB, each written in so many seconds. */
    Sim usualFlushes(double seconds) {
      opsAFlush = USUAL_FLUSH;
      writeSeconds = seconds;
      return this;
    }

    /** SSD has no room for what is flushed: so many seconds each, a larger memstore more. */
    Sim flushesToHdd(double seconds) {
      hddFlushSeconds = seconds;
      return this;
    }

    /** Memory is full at so many flushes. */
    Sim multiplier(int flushes) {
      multiplier = flushes;
      return this;
    }

    /** The regions' memstores may have so many flushes altogether. */
    Sim limit(double flushes) {
      limit = flushes;
      return this;
    }

    Sim readers(int readers, double seconds, double pause) {
      readSeconds = seconds;
      return add(readers, true, 1, pause);
    }

    /** All of them write to one. */
    Sim oneRegion() {
      writtenRegions = 1;
      return this;
    }

    /** Writers whose calls bring a region 0.5 MB, the 256th part of HBase's usual flush. */
    Sim batches(int writers) {
      return add(writers, false, opsAFlush / 256, 0);
    }

    private Sim add(int many, boolean read, int rows, double pause) {
      for (int i = 0; i < many; i++) {
        Client client = new Client(read, rows, pause);
        next(client, random.nextDouble() * writeSeconds);
        clients.add(client);
      }
      return this;
    }

    Sim run(int writers, int seconds) {
      add(writers, false, 1, 0);
      while (clients.peek().at < seconds) {
        Client client = clients.poll();
        serve(client.at);
        act(client);
      }
      for (Client client : clients) {
        longest = client.reads ? longest : Math.max(longest, seconds - client.since);
      }
      return this;
    }

    private void next(Client client, double at) {
      client.at = at;
      client.since = at;
      // Some regions are written more than others.
      client.region = Math.min(random.nextInt(writtenRegions), random.nextInt(writtenRegions));
      client.tries = 0;
    }

    private void act(Client client) {
      switch (client.step) {
        case ARRIVES:
          client.queue = queue();
          if (busy[client.queue] < HANDLERS / QUEUES) {
            begin(client, client.at);
          } else {
            queues.get(client.queue).add(client);
            queued++;
          }
          break;
        case BLOCKED:
          blockOrWait(client);
          break;
        case WAITS:
          waitOrWrite(client);
          break;
        default:
          over(client);
          break;
      }
    }

    private int queue() {
      int first = random.nextInt(QUEUES);
      for (int i = 0; toIdle && i < QUEUES; i++) {
        int next = (first + i) % QUEUES;
        if (busy[next] < HANDLERS / QUEUES) {
          return next;
        }
      }
      return first;
    }

    private void begin(Client client, double now) {
      busy[client.queue]++;
      client.at = now;
      client.waited = 0;
      Region region = regions[client.region];
      if (client.reads) {
        does(client, Step.DONE, readSeconds);
      } else if (region.flushes() > multiplier) {
        refused++;
        free(client.queue, now);
        client.step = Step.ARRIVES;
        if (client.tries == BACKOFF.length) {
          failed++;
          longest = Math.max(longest, now - client.since);
          next(client, now);
        } else {
          client.at += BACKOFF[client.tries++] / 10.0;
        }
        clients.add(client);
      } else {
        blockOrWait(client);
      }
    }

    private double all() {
      double flushes = 0;
      for (Region region : regions) {
        flushes += region.flushes();
      }
      return flushes;
    }

    private void blockOrWait(Client client) {
      if (all() >= limit) {
        does(client, Step.BLOCKED, LOOK_SECONDS);
      } else {
        waitOrWrite(client);
      }
    }

    private void waitOrWrite(Client client) {
      Region region = regions[client.region];
      double flushes = region.flushes();
      long now = 1 + (long) (client.at * 1e6);
      long longest = (long) (BLOCKING_SECONDS * 1e6);
      region.deferredSince =
          WritePressure.deferredSince(
              region.deferredSince, flushes, region.files > BLOCKING_FILES, now, longest);
      double ofRegion = WritePressure.of(flushes, multiplier, region.deferredSince, now, longest);
      double ofServer = WritePressure.ofServer(all() / (LOW_MARK * limit), LOW_MARK);
      double pressure = Math.max(ofRegion, ofServer);
      long asked =
          Math.round(
              WritePressure.delayMillis(pressure, client.rows == 1 ? 1_000 : 500_000, mostMillis));
      if (asked > 0 && client.waited == 0 && places > 0) {
        places--;
        client.placed = true;
      }
      long left = client.placed ? WritePressure.leftMillis(asked, client.waited, queued) : 0;
      if (left > 0) {
        long slice = Math.min(left, WriteCalls.SLICE_MILLIS);
        client.waited += slice;
        does(client, Step.WAITS, slice / 1_000.0);
        return;
      }
      places += client.placed ? 1 : 0;
      client.placed = false;
      region.memory += client.rows * 1.0 / opsAFlush;
      does(client, Step.DONE, writeSeconds * (client.rows == 1 ? 1 : 3));
    }

    private void does(Client client, Step step, double seconds) {
      client.step = step;
      client.at += seconds;
      clients.add(client);
    }

    private void over(Client client) {
      double took = client.at - client.since;
      if (client.reads) {
        reads++;
        longestRead = Math.max(longestRead, took);
        readTime += took;
      } else {
        done += client.rows;
        longest = Math.max(longest, took);
      }
      free(client.queue, client.at);
      client.step = Step.ARRIVES;
      next(client, client.at + client.pause);
      clients.add(client);
    }

    private void free(int of, double now) {
      busy[of]--;
      if (!queues.get(of).isEmpty()) {
        queued--;
        begin(queues.get(of).poll(), now);
      }
    }

    double meanRead() {
      return readTime / reads;
    }

    /** What the server does beside: flushes where it may, and compacts. */
    private void serve(double now) {
      Region most = regions[0];
      Region largest = largestAboveLowMark();
      for (Region region : regions) {
        if (region.flushing > 0 && now >= region.flushed) {
          region.flushing = 0;
          region.files++;
        }
        if ((region.memory >= 1 || region == largest) && region.flushing == 0) {
          region.due = Math.min(region.due, now);
          if (region == largest
              || region.files <= BLOCKING_FILES
              || now - region.due > BLOCKING_SECONDS) {
            region.flushing = region.memory;
            region.memory = 0;
            region.flushed = now + FLUSH_SECONDS + hddFlushSeconds * region.flushing;
            region.due = Double.MAX_VALUE;
          }
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

    /**
     * The region that HBase flushes where all are too large together, unless one is being flushed.
     */
    private Region largestAboveLowMark() {
      Region largest = null;
      boolean above = all() >= LOW_MARK * limit;
      for (Region region : regions) {
        above &= region.flushing == 0;
        largest = largest == null || region.memory > largest.memory ? region : largest;
      }
      forced += above ? 1 : 0;
      return above ? largest : null;
    }

    @Override
    public String toString() {
      return String.format(
          "%d writes, %d refused, %d failed, longest %.3f s; %d reads, longest %.4f, mean %.4f s",
          done, refused, failed, longest, reads, longestRead, meanRead());
    }
  }

  private static Sim sim(double hdd, int mostMillis) {
    return new Sim(hdd, mostMillis, 1).readers(8, 0.001, 0.01);
  }

  private static Sim run(int writers, double hdd, int mostMillis) {
    return sim(hdd, mostMillis).run(writers, 300);
  }

  @Test
  void asManyWritersAsPlacesAreSlowedDownAndSeldomRefused() {
    for (int writers : new int[] {1, 4, 16, PLACES}) {
      for (double hdd : HDDS) {
        Sim without = run(writers, hdd, 0);
        Sim with = run(writers, hdd, 1_000);
        String what = writers + " writers, HDD " + hdd + ": " + with + ", without " + without;
        assertTrue(writers == 1 || hdd > 1 || without.refused > 100, what);
        // The memstores are so small that 16 writers that wait for a second each still fill them.
        boolean most = writers > 4 && hdd < 1;
        assertTrue(with.refused <= (most ? 0.2 * without.refused : 0), what);
        assertTrue(with.longest <= (most ? without.longest : 1.1), what);
        assertTrue(with.done >= 0.8 * without.done, what);
        areHardlyHeldUp(with, without, what);
      }
    }
  }

  /**
   * With more writers than places less and less is left of it, from as many as handlers on nothing:
   * some call is always queued.
   */
  @Test
  @Tag("long")
  void moreWritersAreNoWorseOff() {
    for (int writers : new int[] {26, HANDLERS, 100, 300}) {
      for (double hdd : new double[] {HDDS[0], HDDS[3]}) {
        Sim without = run(writers, hdd, 0);
        Sim with = run(writers, hdd, 1_000);
        String what = writers + " writers, HDD " + hdd + ": " + with + ", without " + without;
        assertTrue(with.failed <= without.failed, what);
        assertTrue(with.refused <= 1.15 * without.refused, what);
        assertTrue(with.done >= 0.8 * without.done, what);
        areHardlyHeldUp(with, without, what);
      }
    }
  }

  /** As above where a call may be queued while handlers are idle: any such ends all waits. */
  @Test
  @Tag("long")
  void withoutHBasesFastPathItIsAsWell() {
    for (int writers : new int[] {4, 16, 300}) {
      Sim without = sim(0.25, 0).withoutFastPath().run(writers, 300);
      Sim with = sim(0.25, 1_000).withoutFastPath().run(writers, 300);
      String what = writers + " writers: " + with + ", without " + without;
      assertTrue(with.refused <= (writers <= 16 ? 0.2 : 1.15) * without.refused, what);
      assertTrue(with.failed <= without.failed, what);
      areHardlyHeldUp(with, without, what);
    }
  }

  /** As HBase's clients send them that write much. */
  @Test
  @Tag("long")
  void largeBatchesAreSlowedDownAsWell() {
    for (int writers : new int[] {1, 4, 16}) {
      Sim without = sim(0.5, 0).batches(writers).run(0, 300);
      isHalfTheTroubleAtMost(writers, sim(0.5, 1_000).batches(writers).run(0, 300), without);
    }
  }

  /** A memstore of two flushes, the fewest that leave room for a wait. */
  @Test
  @Tag("long")
  void littleRoomIsUsedAsWell() {
    for (int writers : new int[] {1, 4, 16}) {
      Sim without = sim(0.5, 0).multiplier(2).run(writers, 300);
      isHalfTheTroubleAtMost(writers, sim(0.5, 1_000).multiplier(2).run(writers, 300), without);
    }
  }

  private static void isHalfTheTroubleAtMost(int writers, Sim with, Sim without) {
    String what = writers + " writers: " + with + ", without " + without;
    assertTrue(with.refused <= (writers <= 4 ? 0 : 0.6 * without.refused), what);
    assertTrue(with.longest <= (writers <= 4 ? 1.1 : without.longest), what);
    assertTrue(with.done >= 0.9 * without.done, what);
    areHardlyHeldUp(with, without, what);
  }

  /** Calls of another table, which come to handlers that writers wait on: a slice at most. */
  private static void areHardlyHeldUp(Sim with, Sim without, String what) {
    double slice = WriteCalls.SLICE_MILLIS / 1_000.0;
    assertTrue(with.longestRead <= without.longestRead + 1.2 * slice, what);
    assertTrue(with.meanRead() <= without.meanRead() + slice / 50, what);
    assertTrue(with.reads >= 0.99 * without.reads, what);
  }

  /** As many slow readers as handlers: each handler that a writer waits on would be missing. */
  @Test
  @Tag("long")
  void readersOfAnotherTableFindAHandler() {
    Sim without = new Sim(0.25, 0, 2).readers(HANDLERS, 0.02, 0).run(PLACES, 300);
    Sim with = new Sim(0.25, 1_000, 2).readers(HANDLERS, 0.02, 0).run(PLACES, 300);
    assertTrue(with.reads >= 0.95 * without.reads, () -> with + ", without " + without);
  }

  /** Files put the flushes off always, and HBase flushes in the end before it refuses a write. */
  @Test
  @Tag("long")
  void writersThatHBaseWouldNotRefuseAreHardlyHeldUp() {
    double[][] writersAndSeconds = {{1, 0.0007}, {3, 0.0025}, {6, 0.005}};
    for (double[] of : writersAndSeconds) {
      Sim without = new Sim(0.001, 0, 1).oneRegion().usualFlushes(of[1]).run((int) of[0], 300);
      Sim with = new Sim(0.001, 1_000, 1).oneRegion().usualFlushes(of[1]).run((int) of[0], 300);
      String what = of[0] + " writers: " + with + ", without " + without;
      assertEquals(0, without.refused, what);
      assertTrue(with.done >= 0.99 * without.done, what);
      assertTrue(with.longest <= without.longest + 0.002, what);
    }
  }

  /** As many writers as places before HBase's usual memstores, and rows of 1 KB. */
  @Test
  @Tag("long")
  void beforeMemstoresOfTheUsualSizeNothingIsRefused() {
    for (double hdd : new double[] {0.02, 0.1}) {
      Sim without = sim(hdd, 0).usualFlushes(0.002).run(PLACES, 600);
      Sim with = sim(hdd, 1_000).usualFlushes(0.002).run(PLACES, 600);
      String what = "HDD " + hdd + ": " + with + ", without " + without;
      assertTrue(without.refused > 100, what);
      assertEquals(0, with.refused, what);
      assertTrue(with.longest <= 0.2 && with.done >= 0.95 * without.done, what);
    }
  }

  @Test
  @Tag("long")
  void writersFasterThanFlushesToHddAreSlowedDown() {
    for (int writers : new int[] {4, 16, PLACES}) {
      for (double seconds : new double[] {10, 33}) {
        Sim without = new Sim(50, 0, 3).flushesToHdd(seconds).run(writers, 300);
        Sim with = new Sim(50, 1_000, 3).flushesToHdd(seconds).run(writers, 300);
        String what = writers + " writers, " + seconds + " s: " + with + ", without " + without;
        assertTrue(without.refused > 20, what);
        boolean most = writers > 4 && seconds > 10; // as above
        assertTrue(with.refused <= (most ? 0.7 * without.refused : 0), what);
        assertTrue(with.longest <= (most ? without.longest : 1.1), what);
        assertTrue(with.done >= 0.9 * without.done, what);
      }
    }
  }

  /** The regions' memstores share a limit that binds before their own. */
  @Test
  @Tag("long")
  void beforeAServersLimitWritersAreSlowedDown() {
    for (int writers : new int[] {8, 16}) {
      for (double limit : new double[] {1.5, 3}) {
        Sim without = new Sim(50, 0, 7).usualFlushes(0.002).flushesToHdd(60).limit(limit);
        Sim with = new Sim(50, 1_000, 7).usualFlushes(0.002).flushesToHdd(60).limit(limit);
        without.run(writers, 300);
        with.run(writers, 300);
        String what = writers + " writers, " + limit + ": " + with + ", without " + without;
        assertTrue(without.longest > 3, what);
        assertTrue(with.longest <= 1.1, what);
        assertTrue(with.done >= 0.9 * without.done, what);
      }
    }
  }

  /** Many regions: the usual way in which HBase flushes them. */
  @Test
  @Tag("long")
  @DisplayName("a server at its low mark whose flushes keep up is hardly throttled")
  void serverAtLowMark_isHardlyThrottled() {
    Sim without = new Sim(50, 0, 7).limit(2).usualFlushes(0.002).run(16, 300);
    Sim with = new Sim(50, 1_000, 7).limit(2).usualFlushes(0.002).run(16, 300);
    String what = with + ", without " + without;
    assertTrue(with.forced > 10, "HBase flushes at the mark: " + with.forced);
    assertTrue(with.done >= 0.98 * without.done, what);
    assertTrue(with.longest <= without.longest + 0.01, what);
  }

  /** Writers make less than a flush while one is written. */
  @Test
  @Tag("long")
  void writersThatFlushesToHddFollowAreNotSlowedDown() {
    for (int multiplier : new int[] {2, 3, 4}) {
      for (double seconds : new double[] {4, 5, 6}) {
        Sim without = new Sim(50, 0, 5).flushesToHdd(seconds).multiplier(multiplier);
        Sim with = new Sim(50, 1_000, 5).flushesToHdd(seconds).multiplier(multiplier);
        without.run(2, 300);
        with.run(2, 300);
        String what = multiplier + ", " + seconds + " s: " + with + ", without " + without;
        assertEquals(0, without.refused, what);
        assertTrue(with.done >= 0.98 * without.done, what);
      }
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
