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

import io.github.hybridhbase.bed.Stalls.Kind;
import io.github.hybridhbase.testing.Line;
import io.github.hybridhbase.testing.TypedCluster;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
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
 *
 * <p>{@code -Dstall.how} is a {@link Stalls.Kind}: {@code one} (the default) or {@code ssd}; in all
 * others no DataNode is late by itself, and every fail-over is a false alarm. {@code -Dstall.iops}
 * bounds the writes a second of each SSD, all the time, so that the load is its limit. {@code
 * -Dstall.ms}, {@code -Dstall.retry} are the keys, {@code -Dstall.set=KEY=VALUE,KEY=VALUE…} others;
 * {@code -Dstall.bytes} go with each put beside its number; {@code -Dstall.keep} keeps the logs.
 * The first stop comes after {@code -Dstall.warm} seconds of load: a server that has just started
 * has slow flushes on all DataNodes, and for two minutes takes its disks for busy ones. {@code
 * -Dstall.pause} milliseconds, and up to a second more, pass before each stop: a WAL is given up
 * promptly four times a minute and twenty times an hour, so stops that are all to be met so need
 * about 15 s each, and a run of its own for each twenty.
 */
@InterfaceAudience.Private
public final class StallBench {
  private static final TableName TABLE = TableName.valueOf("stalls");
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] BALLAST = Bytes.toBytes("ballast");
  static final String LEFT = "as a failing or throttled disk";
  static final String BACK = "this server may be written to it again";
  private static final Pattern STEPS =
      Pattern.compile(LEFT + "|not rolled off it yet|Rolled WAL|Slow sync cost");
  private static final DateTimeFormatter LOGGED =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss,SSS");
  private static final int MOST_RETURN_SECONDS = 60;
  private static final int SLOTS = 500;
  private static final int MOST_WRITERS = 100;

  private final OwnedBed bed;
  private final Stalls stalls;
  private final Connection connection;
  private final FileSystem fs;
  private final Random random;
  private final int seconds;
  private final boolean failsOver;

  /** The last value acknowledged for each writer and slot; each writer has its own row. */
  private final int[][] acknowledged = new int[MOST_WRITERS][SLOTS];

  private final AtomicLong longest = new AtomicLong();
  private final AtomicLong puts = new AtomicLong();
  private final AtomicLong failures = new AtomicLong();
  private final Outcome outcome = new Outcome();
  private final int pause = Integer.getInteger("stall.pause", 1_000);
  private final int warm = Integer.getInteger("stall.warm", 3);
  private final byte[] ballast = new byte[Integer.getInteger("stall.bytes", 0)];
  private volatile boolean ended;

  private StallBench(OwnedBed bed, Stalls stalls, int seconds, Random random, boolean failsOver)
      throws IOException {
    this.bed = bed;
    this.stalls = stalls;
    this.seconds = seconds;
    this.random = random;
    this.failsOver = failsOver;
    Configuration conf = HBaseConfiguration.create();
    bed.keys().forEach(conf::set);
    conf.setInt("hbase.rpc.timeout", 240_000);
    conf.setInt("hbase.client.operation.timeout", 240_000);
    connection = ConnectionFactory.createConnection(conf);
    fs = FileSystem.newInstance(conf);
  }

  public static void main(String[] arguments) throws Exception {
    measure(kind(), arguments);
  }

  /** Of {@code -Dstall.how}. */
  static Kind kind() {
    return Kind.valueOf(System.getProperty("stall.how", "one").toUpperCase(Locale.ROOT));
  }

  /** What must hold, whatever the times. */
  static final class Outcome {
    int mostRolls;
    int failOvers;
    int values;
    int lost;
    List<String> aborts = List.of();
  }

  /** As {@link #main}. */
  static Outcome measure(Kind how, String... arguments) throws Exception {
    String what = arguments[0];
    boolean hsync = arguments[1].equals("hsync");
    int[] writers =
        Arrays.stream(arguments[2].split(",", -1)).mapToInt(Integer::parseInt).toArray();
    int stops = Integer.parseInt(arguments[3]);
    int seconds = Integer.parseInt(arguments[4]);
    Random random = new Random(Long.parseLong(arguments[5]));
    Stalls stalls = new Stalls(how, random, Integer.getInteger("stall.iops", 0));
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
    for (String pair : System.getProperty("stall.set", "").split(",", -1)) {
      int is = pair.indexOf('=');
      spec = is < 0 ? spec : spec.set(pair.substring(0, is), pair.substring(is + 1));
    }
    spec = stalls.kind() == Kind.FAILOVER ? spec.twoNameNodes() : spec;
    try (OwnedBed bed =
        OwnedBed.make(spec, TypedCluster.usable(Line.base().resolve("target/beds")))) {
      if (Boolean.getBoolean("stall.keep")) {
        bed.keep();
      }
      stalls.prepare(bed);
      bed.start();
      StallBench bench = new StallBench(bed, stalls, seconds, random, what.equals("plugin"));
      bench.createTable();
      stalls.limit();
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
      thread.setDaemon(true);
      threads.add(thread);
      thread.start();
    }
    TimeUnit.SECONDS.sleep(warm);
    List<Long> all = new ArrayList<>();
    for (int stop = 0; stop < stops; stop++) {
      longest.set(0);
      puts.set(0);
      Thread.sleep(pause + random.nextInt(1_000));
      int replicas = replicas();
      for (int second = 0; second < MOST_RETURN_SECONDS && replicas < 3; second++) {
        TimeUnit.SECONDS.sleep(1);
        replicas = replicas();
      }
      if (replicas < 3) {
        System.out.printf("  the next stop begins while a WAL has %d on SSD%n", replicas);
      }
      long calm = longest.getAndSet(0);
      int rolls = count("Rolled WAL");
      int left = count(LEFT);
      int back = count(BACK);
      long began = System.nanoTime();
      long stopped = System.currentTimeMillis();
      String whom = stalls.begin();
      TimeUnit.SECONDS.sleep(seconds);
      stalls.end();
      Thread.sleep(1_500);
      long took = longest.get();
      all.add(took);
      int rolled = count("Rolled WAL") - rolls;
      outcome.mostRolls = Math.max(outcome.mostRolls, rolled);
      System.out.printf(
          "%s writers %d stop %d of %s for %d s: longest put %d ms (before: %d ms), rolls %d, puts"
              + " %d in %d s, failed %d%n",
          what,
          writers,
          stop,
          whom,
          seconds,
          took,
          calm,
          rolled,
          puts.get(),
          TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - began),
          failures.get());
      tell(stopped);
      outcome.failOvers += count(LEFT) - left;
      if (failsOver && count(LEFT) > left) {
        // It is not said where a WAL needed it meanwhile and is written to it again.
        for (int second = 0; second < MOST_RETURN_SECONDS && count(BACK) == back; second++) {
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
    all.sort(null);
    System.out.printf(
        "RESULT %s, %s, %d writers: %s; fail-overs so far %d%n",
        what, stalls.kind(), writers, all, outcome.failOvers);
  }

  /**
   * On SSD, of the WALs that are written now, the fewest: one that lacks any is not rolled away.
   */
  private int replicas() throws IOException {
    try {
      return replicasNow();
    } catch (FileNotFoundException e) {
      return 0; // a WAL was archived, or a probe's file deleted, meanwhile
    }
  }

  private int replicasNow() throws IOException {
    Map<String, FileStatus> newest = new TreeMap<>();
    var files = fs.listFiles(new Path(bed.keys().get("hbase.rootdir"), "WALs"), true);
    while (files.hasNext()) {
      FileStatus file = files.next();
      String log = file.getPath().toString().replaceAll("\\.\\d+(?=(\\.meta)?$)", "");
      newest.merge(log, file, (a, b) -> a.getPath().compareTo(b.getPath()) < 0 ? b : a);
    }
    int fewest = 3;
    for (FileStatus file : newest.values()) {
      // Of the block that is written, whose length the NameNode does not know.
      BlockLocation[] blocks = fs.getFileBlockLocations(file.getPath(), 0, Long.MAX_VALUE);
      if (blocks.length > 0) {
        StorageType[] types = blocks[blocks.length - 1].getStorageTypes();
        fewest = Math.min(fewest, Collections.frequency(Arrays.asList(types), StorageType.SSD));
      }
    }
    return fewest;
  }

  /** What the server said of the roll, in milliseconds since the stop. */
  private void tell(long stopped) throws IOException {
    for (String line : Files.readAllLines(bed.process("rs0").log(), StandardCharsets.ISO_8859_1)) {
      if (!STEPS.matcher(line).find() || line.length() < 23) {
        continue;
      }
      try {
        long at =
            LocalDateTime.parse(line.substring(0, 23), LOGGED)
                .atZone(ZoneId.systemDefault())
                .toInstant()
                .toEpochMilli();
        if (at >= stopped) {
          String what = line.substring(23);
          System.out.println(
              "  +" + (at - stopped) + what.substring(0, Math.min(160, what.length())));
        }
      } catch (DateTimeParseException e) {
        continue; // of a stack trace
      }
    }
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
          Put put = new Put(row).addColumn(FAMILY, Bytes.toBytes(slot), Bytes.toBytes(value));
          table.put(ballast.length == 0 ? put : put.addColumn(FAMILY, BALLAST, ballast));
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
