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
package io.github.hybridhbase.demo;

import io.github.hybridhbase.runtime.Component;
import io.github.hybridhbase.runtime.HybridKeys;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.testing.ClusterSpec;
import io.github.hybridhbase.testing.ScratchDirectory;
import io.github.hybridhbase.testing.Ssds;
import io.github.hybridhbase.testing.SteadyClient;
import io.github.hybridhbase.testing.TypedCluster;
import io.github.hybridhbase.tier.StoreFileMedia;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.service.launcher.IrqHandler;
import org.apache.hbase.thirdparty.org.apache.commons.cli.CommandLine;
import org.apache.hbase.thirdparty.org.apache.commons.cli.DefaultParser;
import org.apache.hbase.thirdparty.org.apache.commons.cli.HelpFormatter;
import org.apache.hbase.thirdparty.org.apache.commons.cli.Option;
import org.apache.hbase.thirdparty.org.apache.commons.cli.Options;
import org.apache.hbase.thirdparty.org.apache.commons.cli.ParseException;
import org.apache.log4j.FileAppender;
import org.apache.log4j.Level;
import org.apache.log4j.LogManager;
import org.apache.log4j.PatternLayout;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * {@code bin/hbase-hybrid demo}: loads one table with the plugin and once more without it, and
 * shows from block locations where each component's replicas are.
 *
 * <p>Exit codes: 0 every replica is where it was declared to be, 1 some are not or the run failed,
 * 2 wrong usage. An interrupted run ends with the signal's code and leaves nothing behind.
 */
@InterfaceAudience.Private
public final class Demo {
  private static final long DEFAULT_ROWS = 300_000;
  private static final long MOST_ROWS = 100_000_000;
  private static final int LOAD_THREADS = 4;
  private static final int DATA_NODES = 6;
  private static final int WITH_SSD = 4;

  /** By which stock HBase puts WALs on SSD. */
  private static final String STOCK_KEY = "hbase.wal.storage.policy";

  /** What a row takes on the local disk at its most: WAL, flushed and compacted, three replicas. */
  private static final long LOCAL_BYTES_PER_ROW = 16 << 10;

  private static final TableName TABLE = TableName.valueOf("usertable");

  /** The components whose placement the plugin answers for at creation. */
  private static final List<Component> JUDGED =
      List.of(Component.WAL, Component.MASTER, Component.META, Component.USER);

  private static final List<Component> SHOWN =
      List.of(Component.WAL, Component.MASTER, Component.META, Component.USER, Component.ARCHIVE);

  private final PrintStream out;
  private final ScratchDirectory scratch;
  private final long rows;
  private final long start = System.nanoTime();
  private volatile TypedCluster running;
  private volatile boolean interrupted;

  private Demo(PrintStream out, ScratchDirectory scratch, long rows) {
    this.out = out;
    this.scratch = scratch;
    this.rows = rows;
  }

  /** Runs the demo and ends the JVM. */
  public static void main(String[] args) throws IOException {
    PrintStream out = System.out;
    PrintStream err = System.err;
    Options options = options();
    long rows;
    Path parent;
    try {
      CommandLine line = new DefaultParser().parse(options, args);
      if (line.hasOption("help")) {
        help(out, options);
        System.exit(0);
      }
      if (!line.getArgList().isEmpty()) {
        throw new ParseException("unexpected: " + String.join(" ", line.getArgList()));
      }
      rows = parseRows(line.getOptionValue("rows"));
      parent =
          line.hasOption("dir")
              ? Path.of(line.getOptionValue("dir")).toAbsolutePath()
              : TypedCluster.baseDirectory().resolve("target").resolve("demo");
    } catch (ParseException e) {
      err.println("hbase-hybrid demo: " + e.getMessage());
      help(err, options);
      System.exit(2);
      return;
    }
    System.exit(start(out, err, parent, rows));
  }

  private static int start(PrintStream out, PrintStream err, Path parent, long rows)
      throws IOException {
    Path kept = parent.resolve("failed.log");
    Files.deleteIfExists(kept);
    ScratchDirectory scratch = ScratchDirectory.under(TypedCluster.usable(parent), "hybrid-demo-");
    Demo demo = new Demo(out, scratch, rows);
    for (String signal : new String[] {"INT", "TERM", "HUP"}) {
      new IrqHandler(signal, received -> demo.interrupt(received.getNumber())).bind();
    }
    Path log = scratch.path().resolve("demo.log");
    int exit;
    try {
      logTo(log);
      long free = Files.getFileStore(scratch.path()).getUsableSpace();
      if (free < rows * LOCAL_BYTES_PER_ROW) {
        throw new IOException(
            String.format(
                Locale.ROOT,
                "%s has %s free, and %,d rows may take %s; choose fewer --rows or another --dir",
                parent,
                size(free),
                rows,
                size(rows * LOCAL_BYTES_PER_ROW)));
      }
      exit = demo.run() ? 0 : 1;
    } catch (Throwable e) { // an Error too: the cluster's threads would keep the JVM
      if (demo.interrupted) {
        return untilHalt();
      }
      err.println("hbase-hybrid demo failed: " + e);
      e.printStackTrace(); // into the log
      Files.createDirectories(parent);
      Files.copy(log, kept, StandardCopyOption.REPLACE_EXISTING);
      err.println("The log is in " + kept);
      exit = 1;
    }
    if (demo.interrupted) {
      return untilHalt();
    }
    scratch.close();
    return exit;
  }

  /** The signal's thread is tidying up and ends the JVM with the signal's code. */
  private static int untilHalt() {
    while (true) {
      LockSupport.park();
    }
  }

  /**
   * Tidies up and halts. Not a shutdown hook: Hadoop and HBase have some of their own, which would
   * run at the same time and spend minutes on a NameNode that is gone.
   */
  private void interrupt(int signal) {
    interrupted = true;
    TypedCluster cluster = running;
    try {
      if (cluster != null) {
        cluster.abandon();
      }
      scratch.close();
    } catch (Throwable e) { // nobody would see it once halted
      out.println("hbase-hybrid demo: " + e);
    } finally {
      Runtime.getRuntime().halt(128 + signal);
    }
  }

  // ---- the run

  private boolean run() throws Exception {
    out.printf(
        Locale.ROOT,
        "%,d rows of %d x %d bytes, twice, into HBase on %d DataNodes in two racks, %d of them with"
            + " an SSD.%n",
        rows,
        YcsbLoad.FIELDS,
        YcsbLoad.FIELD_BYTES,
        DATA_NODES,
        WITH_SSD);
    ClusterSpec spec =
        TypedCluster.spec()
            .directory(scratch.path())
            .dataNodes(DATA_NODES)
            .ssdOn(node -> node < WITH_SSD, node -> "/rack" + node % 2)
            .regionServers(2)
            .ssdCapacity((16L << 30) + rows * LOCAL_BYTES_PER_ROW)
            .diskCapacity((32L << 30) + rows * LOCAL_BYTES_PER_ROW)
            // Several flushes a region, so that there is something to compact.
            .conf("hbase.hregion.memstore.flush.size", 32L << 20);
    out.printf("%n[1/2] With the plugin, enabled by conf/hbase-site.xml%n");
    Figures with =
        measure(
            spec.plugin()
                // The SSD tier would open two minutes after the start.
                .conf(HybridKeys.SSD_RETRY.name(), "1s")
                .conf("hybrid.tests.period", 1),
            true);
    table(with);
    out.printf("%n[2/2] The same load on stock HBase with %s=ALL_SSD%n", STOCK_KEY);
    Figures without = measure(spec.conf(STOCK_KEY, "ALL_SSD"), false);
    table(without);
    sideBySide(with, without);
    boolean placed = verdict(with, without);
    out.printf(
        "%nThe end: SSD refuses new WALs (a quota of SSD is used up), all WALs roll, a client"
            + " writes:%n  plugin: %s%n  stock:  %s%n",
        with.refused, without.refused);
    return placed && with.survived;
  }

  /** Two looks at one run. */
  private static final class Figures {
    private MediaTotals loaded;
    private MediaTotals settled;
    private String refused;
    private boolean survived;

    long misplaced() {
      return JUDGED.stream()
          .mapToLong(c -> Math.max(loaded.misplaced(c), settled.misplaced(c)))
          .sum();
    }
  }

  private Figures measure(ClusterSpec spec, boolean tiered) throws Exception {
    Figures figures = new Figures();
    say("starting HDFS, ZooKeeper and HBase");
    try (TypedCluster cluster = spec.startHdfs()) {
      running = cluster;
      cluster.startHBase();
      HybridSettings declared = HybridSettings.read(cluster.conf());
      cluster
          .util()
          .createTable(
              TableDescriptorBuilder.newBuilder(TABLE)
                  .setColumnFamily(
                      ColumnFamilyDescriptorBuilder.of(HybridYcsbBinding.FAMILY_DEFAULT))
                  .build(),
              new byte[][] {
                Bytes.toBytes("user3"), Bytes.toBytes("user5"), Bytes.toBytes("user7")
              });
      if (tiered) {
        say("waiting for the SSD tier to open");
        new StoreFileMedia(cluster).awaitOpen(TABLE);
      }
      say("loading with YCSB's CoreWorkload");
      new YcsbLoad(cluster.connection(), TABLE.getNameAsString(), rows, LOAD_THREADS)
          .run(this::progress);
      figures.loaded = MediaTotals.take(cluster, declared);

      say("flushing");
      cluster.flush(TABLE);
      cluster.flush(TableName.META_TABLE_NAME);
      cluster.flushMasterStore();
      say("compacting");
      cluster.compact(TABLE, true);
      cluster.compact(TableName.META_TABLE_NAME, true);
      say("rolling the WALs");
      cluster.rollWals();
      figures.settled = MediaTotals.take(cluster, declared);

      say("counting the rows");
      long counted = count(cluster);
      if (counted != rows) {
        throw new IOException("loaded " + rows + " rows, read back " + counted);
      }
      say("using up a quota of SSD on the WALs, and rolling them");
      refuse(cluster, figures);
      say("stopping");
    } finally {
      running = null;
    }
    return figures;
  }

  /** SSD refuses each new WAL: what becomes of the servers and of a client that writes. */
  private static void refuse(TypedCluster cluster, Figures figures) throws Exception {
    org.apache.hadoop.fs.Path wals = new org.apache.hadoop.fs.Path(cluster.walRoot(), "WALs");
    List<HRegionServer> servers =
        cluster.hbase().getLiveRegionServerThreads().stream()
            .map(thread -> thread.getRegionServer())
            .collect(Collectors.toList());
    TableName table = TableName.valueOf("refused");
    cluster.util().createTable(table, "f").close();
    Ssds ssds = new Ssds(cluster);
    try (SteadyClient client = new SteadyClient(cluster.conf(), table)) {
      cluster.await("a first write", () -> client.acknowledged() > 0);
      cluster.fs().setQuotaByStorageType(wals, StorageType.SSD, 1);
      servers.forEach(server -> server.getWalRoller().requestRollAll());
      cluster.await(
          "servers that abort, or WALs on DISK",
          () -> aborted(servers) == servers.size() || ssds.allWalsOn(StorageType.DISK, 3));
      long dead = aborted(servers);
      String end = dead + " of " + servers.size() + " RegionServers aborted";
      if (dead == 0) {
        int before = client.acknowledged() + 1;
        cluster.await("a write after it", () -> client.acknowledged() > before);
        cluster.fs().setQuotaByStorageType(wals, StorageType.SSD, HdfsConstants.QUOTA_RESET);
        cluster.await("WALs on SSD again", () -> ssds.allWalsOn(StorageType.SSD, 3));
        client.finish();
        client.assertAllThere();
        end = "no RegionServer aborted; WALs went to DISK, and back to SSD after it";
        figures.survived = client.failures().isEmpty();
      }
      figures.refused =
          String.format(
              Locale.ROOT,
              "%s. %,d writes acknowledged%s, %d failed, the longest took %,d ms.",
              end,
              client.acknowledged(),
              dead == 0 ? " and read back" : ", then none",
              client.failures().size(),
              client.longestMillis());
    }
  }

  private static long aborted(List<HRegionServer> servers) {
    return servers.stream().filter(server -> server.isAborted()).count();
  }

  private static long count(TypedCluster cluster) throws IOException {
    Scan scan = new Scan().setFilter(new FirstKeyOnlyFilter()).setCaching(5_000);
    long count = 0;
    try (Table table = cluster.connection().getTable(TABLE);
        ResultScanner scanner = table.getScanner(scan)) {
      while (scanner.next() != null) {
        count++;
      }
    }
    return count;
  }

  // ---- what is printed

  private void say(String what) {
    out.printf(Locale.ROOT, "  %4.0f s  %s%n", (System.nanoTime() - start) / 1e9, what);
  }

  private void progress(long done, double seconds) {
    say(String.format(Locale.ROOT, "  %,d of %,d rows, %d %%", done, rows, done * 100 / rows));
  }

  private void table(Figures figures) {
    out.printf(
        "%n  %-10s %-10s %-25s   %s%n",
        "", "", "      after the load", "  after flush, compaction, roll");
    out.printf(
        "  %-10s %-10s %12s %12s   %12s %12s%n",
        "component", "policy", "on SSD", "on DISK", "on SSD", "on DISK");
    for (Component component : SHOWN) {
      out.printf(
          "  %-10s %-10s %12s %12s   %12s %12s%n",
          component.label(),
          figures.settled.policies(component),
          size(figures.loaded.ssd(component)),
          size(figures.loaded.disk(component)),
          size(figures.settled.ssd(component)),
          size(figures.settled.disk(component)));
    }
  }

  private void sideBySide(Figures with, Figures without) {
    out.printf("%nSide by side: bytes of all replicas, as HDFS reports each block's location%n");
    block("after the load", with.loaded, without.loaded);
    block("after compaction", with.settled, without.settled);
    out.printf(
        "%n  Both media are directories of one disk here: bytes and their places are what this"
            + " shows.%n");
    out.printf(
        "  user: new store files are written to SSD, within a budget, and the compaction of all"
            + " of%n  them to DISK; left alone, HBase compacts each to DISK when it is an hour"
            + " old.%n  archive: old WALs and compacted files that wait for deletion. A rename"
            + " moves no block,%n  so what was on SSD stays there until HBase's cleaner deletes it"
            + " (10 minutes).%n");
  }

  private void block(String moment, MediaTotals with, MediaTotals without) {
    out.printf("%n  %-21s %-25s   %s%n", moment, "      with the plugin", "        stock");
    out.printf(
        "  %-21s %12s %12s   %12s %12s%n", "component", "on SSD", "on DISK", "on SSD", "on DISK");
    for (Component component : SHOWN) {
      out.printf(
          "  %-21s %12s %12s   %12s %12s%n",
          component.label(),
          size(with.ssd(component)),
          size(with.disk(component)),
          size(without.ssd(component)),
          size(without.disk(component)));
    }
  }

  private boolean verdict(Figures with, Figures without) {
    out.printf(
        "%nNot where declared (wal, master, meta on SSD; user on DISK, but for young files): %s"
            + " with the plugin, %s without.%n",
        with.misplaced() == 0 ? "nothing" : size(with.misplaced()),
        without.misplaced() == 0 ? "nothing" : size(without.misplaced()));
    return with.misplaced() == 0;
  }

  /** Binary units; a dash for nothing. */
  private static String size(long bytes) {
    if (bytes == 0) {
      return "-";
    }
    double value = bytes;
    String[] units = {"B", "KiB", "MiB", "GiB", "TiB"};
    int unit = 0;
    while (value >= 1024 && unit < units.length - 1) {
      value /= 1024;
      unit++;
    }
    return String.format(Locale.ROOT, unit == 0 ? "%.0f %s" : "%.1f %s", value, units[unit]);
  }

  // ---- the command line

  private static Options options() {
    return new Options()
        .addOption(
            Option.builder()
                .longOpt("rows")
                .hasArg()
                .argName("N")
                .desc("rows to load, 1 to 100,000,000 (300000)")
                .build())
        .addOption(
            Option.builder()
                .longOpt("dir")
                .hasArg()
                .argName("DIR")
                .desc("where the cluster lives while it runs (target/demo)")
                .build())
        .addOption(Option.builder("h").longOpt("help").desc("this text").build());
  }

  private static void help(PrintStream to, Options options) {
    PrintWriter writer = new PrintWriter(to, true, StandardCharsets.UTF_8);
    new HelpFormatter()
        .printHelp(
            writer,
            80,
            "hbase-hybrid demo [--rows N] [--dir DIR]",
            "Loads a table into an embedded HBase with the plugin, then without it, shows on which"
                + " medium HDFS put each component, and lets SSD refuse WALs at the end. Listens on"
                + " loopback only and leaves nothing behind.",
            options,
            2,
            2,
            "Example: bin/hbase-hybrid demo --rows 100000");
    writer.flush();
  }

  private static long parseRows(String text) throws ParseException {
    if (text == null) {
      return DEFAULT_ROWS;
    }
    try {
      long rows = Long.parseLong(text.replace("_", "").replace(",", ""));
      if (rows >= 1 && rows <= MOST_ROWS) {
        return rows;
      }
    } catch (NumberFormatException e) {
      // said below
    }
    throw new ParseException("--rows " + text + ": not a number from 1 to " + MOST_ROWS);
  }

  /** Everything but the demo's own words goes into a file: logs, and what libraries print. */
  private static void logTo(Path file) throws IOException {
    PrintStream stream =
        new PrintStream(new FileOutputStream(file.toFile(), true), true, StandardCharsets.UTF_8);
    System.setOut(stream);
    System.setErr(stream);
    LogManager.resetConfiguration();
    LogManager.getRootLogger()
        .addAppender(
            new FileAppender(new PatternLayout("%d %-5p [%t] %c{2}: %m%n"), file.toString(), true));
    LogManager.getRootLogger().setLevel(Level.WARN);
    LogManager.getLogger("io.github.hybridhbase").setLevel(Level.INFO);
    // Of the JVM's temporary directory too nothing may be left.
    Path temporary = Files.createDirectory(file.resolveSibling("tmp"));
    System.setProperty("java.io.tmpdir", temporary.toString());
  }
}
