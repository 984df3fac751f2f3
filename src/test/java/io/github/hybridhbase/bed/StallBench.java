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

import io.github.hybridhbase.testing.TypedCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * What a put waits for while one DataNode of three is stopped: {@code kill -STOP}, at random
 * moments. Separate processes, WALs on SSD. Prints the longest put of each stop; at the end the
 * RegionServer is killed, and every acknowledged value must be there.
 *
 * <p>Arguments: {@code stock|off|plugin hflush|hsync WRITERS,WRITERS… STOPS SECONDS SEED}. {@code
 * stock} is HBase alone with its WALs on ALL_SSD, {@code off} the plugin without fail-over.
 */
@InterfaceAudience.Private
public final class StallBench {
  private static final TableName TABLE = TableName.valueOf("stalls");
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final String LEFT = "it stalls, as a dying";
  private static final String BACK = "is quick again";
  private static final int SLOTS = 500;
  private static final int MOST_WRITERS = 100;

  private final OwnedBed bed;
  private final Connection connection;
  private final Random random;
  private final int seconds;
  private final boolean failsOver;

  /** The last value acknowledged for each writer and slot; each writer has its own row. */
  private final int[][] acknowledged = new int[MOST_WRITERS][SLOTS];

  private final AtomicLong longest = new AtomicLong();
  private final AtomicLong puts = new AtomicLong();
  private final AtomicLong failures = new AtomicLong();
  private final Outcome outcome = new Outcome();
  private volatile boolean ended;

  private StallBench(OwnedBed bed, int seconds, long seed, boolean failsOver) throws IOException {
    this.bed = bed;
    this.seconds = seconds;
    this.random = new Random(seed);
    this.failsOver = failsOver;
    Configuration conf = HBaseConfiguration.create();
    bed.keys().forEach(conf::set);
    conf.setInt("hbase.rpc.timeout", 240_000);
    conf.setInt("hbase.client.operation.timeout", 240_000);
    connection = ConnectionFactory.createConnection(conf);
  }

  public static void main(String[] arguments) throws Exception {
    measure(arguments);
  }

  /** What must hold, whatever the times. */
  static final class Outcome {
    int mostRolls;
    int values;
    int lost;
    List<String> aborts = List.of();
  }

  /** As {@link #main}. */
  static Outcome measure(String... arguments) throws Exception {
    String what = arguments[0];
    boolean hsync = arguments[1].equals("hsync");
    int[] writers =
        Arrays.stream(arguments[2].split(",", -1)).mapToInt(Integer::parseInt).toArray();
    int stops = Integer.parseInt(arguments[3]);
    int seconds = Integer.parseInt(arguments[4]);
    long seed = Long.parseLong(arguments[5]);
    BedSpec spec = BedSpec.of(Line.built()).set("hbase.wal.hsync", Boolean.toString(hsync));
    if (what.equals("stock")) {
      spec = spec.set("hbase.wal.storage.policy", "ALL_SSD");
    } else {
      spec =
          spec.plugin(Installation.plugin(), Installation.site())
              .set("hbase.hybrid.ssd.retry", "5")
              .set("hbase.hybrid.wal.hsync", "stock");
      String stall = System.getProperty("stall.ms", what.equals("plugin") ? "200" : "");
      spec = stall.isEmpty() ? spec : spec.set("hbase.hybrid.wal.stall.ms", stall);
    }
    try (OwnedBed bed =
        OwnedBed.make(spec, TypedCluster.usable(Line.base().resolve("target/beds")))) {
      if (Boolean.getBoolean("stall.keep")) {
        bed.keep();
      }
      bed.start();
      StallBench bench = new StallBench(bed, seconds, seed, what.equals("plugin"));
      bench.createTable();
      for (int count : writers) {
        bench.run(String.join(" ", what, arguments[1]), count, stops);
      }
      bench.lose();
      bench.outcome.aborts = bed.aborts();
      System.out.println("aborts " + bench.outcome.aborts);
      return bench.outcome;
    }
  }

  private void createTable() throws IOException {
    connection
        .getAdmin()
        .createTable(
            TableDescriptorBuilder.newBuilder(TABLE)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
                .build());
  }

  private void run(String what, int writers, int stops) throws Exception {
    ended = false;
    List<Thread> threads = new ArrayList<>();
    for (int writer = 0; writer < writers; writer++) {
      int number = writer;
      Thread thread = new Thread(() -> write(number), "writer-" + writer);
      threads.add(thread);
      thread.start();
    }
    Thread.sleep(3_000); // HBase's caches and the JIT
    List<Long> all = new ArrayList<>();
    for (int stop = 0; stop < stops; stop++) {
      longest.set(0);
      puts.set(0);
      Thread.sleep(1_000 + random.nextInt(1_000));
      long calm = longest.getAndSet(0);
      int rolls = count("Rolled WAL");
      int left = count(LEFT);
      int back = count(BACK);
      long began = System.nanoTime();
      ServerProcess node = bed.processes(Role.DATANODE).get(random.nextInt(3));
      node.stop();
      TimeUnit.SECONDS.sleep(seconds);
      node.resume();
      Thread.sleep(1_500);
      all.add(longest.get());
      int rolled = count("Rolled WAL") - rolls;
      outcome.mostRolls = Math.max(outcome.mostRolls, rolled);
      System.out.printf(
          "%s writers %d stop %d of %s for %d s: longest put %d ms (before: %d ms), rolls %d, puts"
              + " %d in %d s, failed %d%n",
          what,
          writers,
          stop,
          node.name(),
          seconds,
          longest.get(),
          calm,
          rolled,
          puts.get(),
          TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - began),
          failures.get());
      if (failsOver && count(LEFT) > left) {
        // The next stop meets three replicas again.
        bed.await("its return", () -> count(BACK) > back);
        Thread.sleep(1_500); // the roll
        System.out.println("  after its return: " + longest.get() + " ms");
      }
    }
    ended = true;
    for (Thread thread : threads) {
      thread.join();
    }
    all.sort(null);
    System.out.printf("RESULT %s, %d writers: %s%n", what, writers, all);
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
  private void lose() throws Exception {
    ServerProcess server = bed.process("rs0");
    server.kill();
    server.start();
    bed.awaitHBase();
    int lost = 0;
    int there = 0;
    try (Table table = connection.getTable(TABLE)) {
      for (int writer = 0; writer < MOST_WRITERS; writer++) {
        var result = table.get(new Get(Bytes.toBytes(writer)));
        for (int slot = 0; slot < SLOTS; slot++) {
          int wanted = acknowledged[writer][slot];
          byte[] found = result.getValue(FAMILY, Bytes.toBytes(slot));
          if (wanted > 0) {
            there++;
            lost += found == null || Bytes.toInt(found) < wanted ? 1 : 0;
          }
        }
      }
    }
    System.out.println("acknowledged values " + there + ", lost " + lost);
    outcome.values = there;
    outcome.lost = lost;
  }
}
