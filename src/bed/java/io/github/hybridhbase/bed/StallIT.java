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
package io.github.hybridhbase.bed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.testing.Line;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * One DataNode of three, each a process, or all of them, are stopped at random moments under load;
 * then the RegionServer is killed. The longest put beside each stop is printed and decides nothing.
 *
 * <p>{@code -Dstall.what=stock} is HBase alone with its WALs on ALL_SSD, {@code off} the plugin
 * without fail-over; {@code -Dstall.writers=1,10,100 -Dstall.stops=5 -Dstall.seconds=10
 * -Dstall.seed=N}. {@code -Dstall.how} is a {@link Kind}: {@code one}, the default, or {@code ssd}.
 * {@code -Dstall.ms}, {@code -Dstall.retry} are the keys. {@code -Dstall.pause} milliseconds, and
 * up to a second more, pass before each stop: a WAL is given up promptly four times a minute and
 * twenty times an hour, so stops that are all to be met so need about 15 s each, and a run of its
 * own for each twenty.
 */
@Tag("long")
class StallIT {
  /** What befalls DataNodes. */
  private enum Kind {
    /** One of three stops. */
    ONE,

    /** All stop: none is late by itself, and every fail-over is a false alarm. */
    ALL,

    /**
     * One SSD writes one request a second, as a device of its own: needs Linux, root, mkfs.ext4 and
     * cgroup v1.
     */
    SSD
  }

  private static final TableName TABLE = TableName.valueOf("stalls");
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final String LEFT = " stalls: for ";
  private static final int MOST_RETURN_SECONDS = 60;
  private static final int SLOTS = 500;
  private static final int MOST_WRITERS = 100;

  /** A server that has just started has slow flushes on all DataNodes. */
  private static final int WARM_SECONDS = 3;

  /** The last value acknowledged for each writer and slot; each writer has its own row. */
  private final int[][] acknowledged = new int[MOST_WRITERS][SLOTS];

  private final AtomicLong longest = new AtomicLong();
  private final AtomicLong puts = new AtomicLong();
  private final AtomicLong failures = new AtomicLong();
  private OwnedBed bed;
  private Kind kind;
  private List<ServerProcess> victims = List.of();
  private Random random;
  private Connection connection;
  private int mostRolls;
  private int failOvers;
  private volatile boolean ended;

  @Timeout(value = 60, unit = TimeUnit.MINUTES)
  @ParameterizedTest
  @ValueSource(strings = {"hflush", "hsync"})
  void nothingAcknowledgedIsLostAndNoServerAborts(String sync) throws Exception {
    String what = System.getProperty("stall.what", "plugin");
    String how = System.getProperty("stall.how", "one");
    long seed = Long.getLong("stall.seed", System.nanoTime());
    System.out.println("StallIT -Dstall.seed=" + seed);
    stall(
        what,
        Kind.valueOf(how.toUpperCase(Locale.ROOT)),
        sync.equals("hsync"),
        System.getProperty("stall.writers", "10"),
        Integer.getInteger("stall.stops", 2),
        Integer.getInteger("stall.seconds", 10),
        seed);
    assertTrue(
        failOvers > 0 || !what.equals("plugin") || !how.equals("one"), "as the plugin is shipped");
    // Away and back, its own WAL and that of hbase:meta.
    assertTrue(mostRolls <= 4, mostRolls + " rolls of a server for one stop");
  }

  @Test
  @Timeout(value = 15, unit = TimeUnit.MINUTES)
  void noDataNodeIsLeftWhereAllStop() throws Exception {
    stall("plugin", Kind.ALL, false, "3", 3, 5, 1);
    assertEquals(0, failOvers, "each would be a false alarm");
  }

  private void stall(
      String what, Kind how, boolean hsync, String writers, int stops, int seconds, long seed)
      throws Exception {
    random = new Random(seed);
    kind = how;
    BedSpec spec = BedSpec.of(Line.built()).set("hbase.wal.hsync", Boolean.toString(hsync));
    if (what.equals("stock")) {
      spec = spec.set("hbase.wal.storage.policy", "ALL_SSD");
    } else {
      spec =
          spec.plugin(Installation.plugin(), Installation.site())
              .set("hbase.hybrid.ssd.retry", System.getProperty("stall.retry", "5") + "s")
              .set("hbase.hybrid.wal.hsync", "stock");
      String stall = System.getProperty("stall.ms", what.equals("plugin") ? "" : "0");
      spec = stall.isEmpty() ? spec : spec.set("hbase.hybrid.wal.stall", stall + "ms");
    }
    try (OwnedBed owned = OwnedBed.make(spec)) {
      bed = owned;
      if (kind == Kind.SSD) {
        ssd("prepare", 0); // before the bed is started
      }
      bed.start();
      Configuration conf = bed.client();
      conf.setInt("hbase.rpc.timeout", 240_000);
      conf.setInt("hbase.client.operation.timeout", 240_000);
      try (Connection opened = ConnectionFactory.createConnection(conf)) {
        connection = opened;
        ColumnFamilyDescriptor family = ColumnFamilyDescriptorBuilder.of(FAMILY);
        connection
            .getAdmin()
            .createTable(TableDescriptorBuilder.newBuilder(TABLE).setColumnFamily(family).build());
        for (String count : writers.split(",", -1)) {
          String name = what + (hsync ? " hsync" : " hflush");
          run(name, Integer.parseInt(count), stops, seconds, what.equals("plugin"));
        }
        readBack();
      }
      assertEquals(List.of(), bed.aborts());
    }
  }

  private void run(String what, int writers, int stops, int seconds, boolean failsOver)
      throws Exception {
    ended = false;
    List<Thread> threads = new ArrayList<>();
    for (int writer = 0; writer < writers; writer++) {
      int number = writer;
      Thread thread = new Thread(() -> write(number), "writer-" + writer);
      thread.setDaemon(true);
      threads.add(thread);
      thread.start();
    }
    TimeUnit.SECONDS.sleep(WARM_SECONDS);
    long[] all = new long[stops];
    for (int stop = 0; stop < stops; stop++) {
      longest.set(0);
      puts.set(0);
      Thread.sleep(Integer.getInteger("stall.pause", 1_000) + random.nextInt(1_000));
      // One that lacks a replica on SSD is not rolled away.
      for (int again = 0; again < MOST_RETURN_SECONDS && !BedWals.of(bed).allOn("SSD"); again++) {
        TimeUnit.SECONDS.sleep(1);
      }
      long calm = longest.getAndSet(0);
      int rolls = count("Rolled WAL");
      int left = count(LEFT);
      String whom = begin();
      TimeUnit.SECONDS.sleep(seconds);
      end();
      Thread.sleep(1_500);
      all[stop] = longest.get();
      int rolled = count("Rolled WAL") - rolls;
      mostRolls = Math.max(mostRolls, rolled);
      System.out.printf(
          "%s writers %d stop %d of %s for %d s: longest put %d ms (before: %d ms), rolls %d, puts"
              + " %d, failed %d%n",
          what, writers, stop, whom, seconds, all[stop], calm, rolled, puts.get(), failures.get());
      failOvers += count(LEFT) - left;
      if (failsOver && count(LEFT) > left) {
        // Else the next stop may leave too few DataNodes.
        for (int second = 0; second < MOST_RETURN_SECONDS && excludes(); second++) {
          TimeUnit.SECONDS.sleep(1);
        }
        Thread.sleep(1_500); // the roll
        System.out.println("  after its return: " + longest.get() + " ms");
      }
    }
    ended = true;
    for (Thread thread : threads) {
      thread.join();
    }
    Arrays.sort(all);
    System.out.printf(
        "RESULT %s, %s, %d writers: %s; fail-overs so far %d%n",
        what, kind, writers, Arrays.toString(all), failOvers);
  }

  /** Names whom it befalls. */
  private String begin() throws IOException, InterruptedException {
    List<ServerProcess> all = bed.processes(Role.DATANODE);
    int one = kind == Kind.ONE ? random.nextInt(all.size()) : 0;
    victims = kind == Kind.ALL ? all : all.subList(one, one + 1);
    for (ServerProcess victim : victims) {
      if (kind == Kind.SSD) {
        ssd("throttle", 1);
      } else {
        victim.stop();
      }
    }
    return kind == Kind.ALL ? "all" : victims.get(0).name();
  }

  private void end() throws IOException, InterruptedException {
    // Who stopped last goes on first: the one that others are ahead of has to be waited for.
    Collections.reverse(victims);
    for (ServerProcess victim : victims) {
      if (kind == Kind.SSD) {
        ssd("throttle", 0);
      } else {
        victim.resume();
      }
    }
  }

  private void ssd(String verb, int writes) throws IOException, InterruptedException {
    Path script = Line.base().resolve("bench/throttled-ssd.sh");
    Path at = BedSite.volume(bed.process("dn0").directory(), "SSD");
    Command.run("bash", script.toString(), verb, at.toString(), Integer.toString(writes));
  }

  private boolean excludes() throws IOException {
    return bed.hbase(bed.process("rs0"), "name=Hybrid,sub=Version").path("ExcludedDataNodes").size()
        > 0;
  }

  private int count(String text) throws IOException {
    return bed.process("rs0").saying(text).size();
  }

  private void write(int writer) {
    byte[] row = Bytes.toBytes(writer);
    try (Table table = connection.getTable(TABLE)) {
      for (int value = 1; !ended; value++) {
        int slot = value % SLOTS;
        long began = System.nanoTime();
        try {
          table.put(new Put(row).addColumn(FAMILY, Bytes.toBytes(slot), Bytes.toBytes(value)));
          acknowledged[writer][slot] = value;
        } catch (IOException e) {
          failures.incrementAndGet();
        }
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
        longest.accumulateAndGet(millis, Math::max);
        puts.incrementAndGet();
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Kills the RegionServer and reads what its WALs give back. */
  private void readBack() throws Exception {
    ServerProcess server = bed.process("rs0");
    server.kill();
    server.start();
    bed.awaitHBase();
    int there = 0;
    int lost = 0;
    try (Table table = connection.getTable(TABLE)) {
      for (int writer = 0; writer < MOST_WRITERS; writer++) {
        Result result = table.get(new Get(Bytes.toBytes(writer)));
        for (int slot = 0; slot < SLOTS; slot++) {
          int wanted = acknowledged[writer][slot];
          byte[] found = result.getValue(FAMILY, Bytes.toBytes(slot));
          there += wanted > 0 ? 1 : 0;
          lost += wanted > 0 && (found == null || Bytes.toInt(found) < wanted) ? 1 : 0;
        }
      }
    }
    System.out.println("acknowledged values " + there + ", lost " + lost);
    assertTrue(there > 0);
    assertEquals(0, lost);
  }
}
