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

import io.github.hybridhbase.runtime.HybridKeys;
import io.github.hybridhbase.testing.Line;
import io.github.hybridhbase.testing.TypedCluster;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
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
 * {@code bin/hbase-hybrid demo}: clusters of real processes on loopback, each of which ends with
 * the command that made it.
 *
 * <p>Exit codes: 0 all as it should be, 1 otherwise, 2 wrong usage. Ctrl-C ends all processes and
 * deletes the bed.
 */
@InterfaceAudience.Private
public final class Demo {
  static final int DATA_NODES = 6;
  static final int WITH_SSD = 4;
  static final int SSD_MEGABYTES = 400;

  private static final int FINE = 0;
  private static final int FAILED = 1;
  private static final int USAGE = 2;
  private static final int MOST_ROWS = 100_000_000;
  private static final int WIDTH = 100;
  private static final String TOOL = "io.github.hybridhbase.tool.HybridTool";

  /** What a row takes on the local disk at its most: WAL, flushed and compacted, three replicas. */
  private static final long LOCAL_BYTES_PER_ROW = 16 << 10;

  private static final String SYNTAX = "hbase-hybrid demo [WHAT] [OPTIONS]";
  private static final String WHAT =
      "Clusters of real processes on loopback, out of Maven's jars, which leave nothing behind.\n\n"
          + "  (nothing)      a table is loaded with the plugin and without it, and SSD refuses"
          + " WALs;\n"
          + "                 shows on which medium HDFS put each component; two minutes\n"
          + "  faults         SSDs, DataNodes and NameNode fail under load, then the plugin is"
          + " removed:\n"
          + "                 what an operator sees, and what became of the writes; ten minutes\n"
          + "  up             a cluster until Ctrl-C; in another shell:\n"
          + "  tool VERB …    a verb of hbase-hybrid against it; its options behind --\n"
          + "  ps             what runs in it\n"
          + "  kill NAME      kill -9 of a process (nn0, dn1, zk0, m0, rs0); also stop,"
          + " continue\n"
          + "                 (kill -STOP: it keeps its sockets and answers nobody) and start\n\n";
  private static final String EXAMPLE =
      "\nExample: hbase-hybrid demo --rows 100000\n"
          + "         hbase-hybrid demo up --line 2.6.1 --regionservers 2 --dir /tmp/beds &\n"
          + "         hbase-hybrid demo kill dn1 --dir /tmp/beds";

  private final PrintStream out;
  private final CommandLine line;
  private final Path parent;

  private Demo(PrintStream out, CommandLine line) throws IOException {
    this.out = out;
    this.line = line;
    String base = Line.base().resolve("target/beds").toString();
    parent =
        TypedCluster.usable(
            Files.createDirectories(Path.of(line.getOptionValue("dir", base)).toAbsolutePath()));
  }

  /** Ends the JVM. */
  public static void main(String[] args) {
    System.exit(run(args, System.out, System.err));
  }

  private static int run(String[] args, PrintStream out, PrintStream err) {
    try {
      CommandLine line = new DefaultParser().parse(options(), args);
      if (line.hasOption("help")) {
        PrintWriter writer = new PrintWriter(out, true, StandardCharsets.UTF_8);
        new HelpFormatter().printHelp(writer, WIDTH, SYNTAX, WHAT, options(), 2, 4, EXAMPLE);
        writer.flush();
        return FINE;
      }
      return new Demo(out, line).run(line.getArgList());
    } catch (ParseException | IllegalArgumentException | IllegalStateException e) {
      err.println("hbase-hybrid demo: " + e.getMessage() + ", see --help");
      return USAGE;
    } catch (IOException | AssertionError e) {
      err.println("hbase-hybrid demo failed: " + e.toString().lines().findFirst().orElse(""));
      return FAILED;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return FAILED;
    }
  }

  private int run(List<String> words) throws IOException, InterruptedException {
    switch (words.isEmpty() ? "" : words.get(0)) {
      case "":
        return sideBySide() ? FINE : FAILED;
      case "faults":
        return faults() ? FINE : FAILED;
      case "up":
        return up();
      case "tool":
        return tool(find(), words.subList(1, words.size()));
      case "ps":
        find().processes().forEach(out::println);
        return FINE;
      default:
        return signal(words);
    }
  }

  private int signal(List<String> words) throws IOException, InterruptedException {
    String what = words.get(0);
    if (words.size() != 2 || !List.of("kill", "stop", "continue", "start").contains(what)) {
      throw new IllegalArgumentException("unexpected: " + String.join(" ", words));
    }
    ServerProcess process = find().process(words.get(1));
    if (what.equals("start")) {
      process.start();
    } else if (what.equals("kill")) {
      process.kill();
    } else if (what.equals("stop")) {
      process.stop();
    } else {
      process.resume();
    }
    out.println(process);
    return FINE;
  }

  // ---- the bed of both demonstrations

  private static BedSpec spec(int dataNodes, int withSsd) throws IOException {
    String block = Integer.toString(8 << 20);
    return BedSpec.of(Line.built())
        .dataNodes(dataNodes)
        .ssdDataNodes(withSsd)
        .racks(2)
        .regionServers(2)
        .quick()
        .set("dfs.blocksize", block)
        .set("hbase.regionserver.hlog.blocksize", block)
        // The blocks of the master's WAL are twice as large, 256 MB by default.
        .set("hbase.master.store.region.flush.size", Integer.toString(4 << 20))
        // A region whose close flushes while the NameNode is away aborts its server, stock too.
        .set("hbase.balancer.period", "3600000");
  }

  private boolean sideBySide() throws IOException, InterruptedException {
    int rows = number("rows", 50_000);
    if (rows < 1 || rows > MOST_ROWS) {
      throw new IllegalArgumentException("--rows " + rows + " is not from 1 to " + MOST_ROWS);
    }
    long free = Files.getFileStore(parent).getUsableSpace();
    if (free < rows * LOCAL_BYTES_PER_ROW) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%,d rows may take %,d bytes of %s, which has %,d free; choose fewer --rows or"
                  + " another --dir",
              rows,
              rows * LOCAL_BYTES_PER_ROW,
              parent,
              free));
    }
    BedSpec stock =
        spec(4, 3)
            // Several flushes a region, so that there is something to compact.
            .set("hbase.hregion.memstore.flush.size", Long.toString(8L << 20))
            // As check advises for few DataNodes with SSD: HDFS passes over a busy one.
            .set("dfs.namenode.redundancy.considerLoad", "false");
    BedSpec plugin =
        stock
            .plugin(Installation.plugin(), Installation.site())
            // The SSD tier would open two minutes after the start.
            .set(HybridKeys.SSD_RETRY.name(), "1s")
            .set("hybrid.tests.period", "1");
    return new SideBySide(out, this::make, rows)
        .run(plugin, stock.set(SideBySide.STOCK_KEY, "ALL_SSD"));
  }

  private boolean faults() throws IOException, InterruptedException {
    boolean small = Volumes.mayMount(parent);
    BedSpec spec =
        spec(DATA_NODES, WITH_SSD)
            .plugin(Installation.plugin(), Installation.site())
            // Shorter than by default, to show the return within minutes.
            .set("hbase.hybrid.ssd.retry", "5s");
    if (small) {
      spec =
          spec.ssdMegabytes(SSD_MEGABYTES)
              .set(
                  "dfs.datanode.round-robin-volume-choosing-policy.additional-available-space",
                  "0");
    }
    try (OwnedBed bed = make(spec)) {
      return new FaultTour(out, bed, small).run();
    }
  }

  /**
   * Makes a bed; what this JVM logs goes into its directory, and only its own words are printed.
   */
  private OwnedBed make(BedSpec spec) throws IOException, InterruptedException {
    OwnedBed bed = OwnedBed.make(spec, parent);
    LogManager.resetConfiguration();
    LogManager.getRootLogger()
        .addAppender(
            new FileAppender(
                new PatternLayout("%d %-5p [%t] %c{2}: %m%n"),
                bed.directory().resolve("demo.log").toString(),
                true));
    LogManager.getRootLogger().setLevel(Level.WARN);
    return bed;
  }

  // ---- a bed to try things on

  private int up() throws IOException, InterruptedException {
    try (OwnedBed bed = OwnedBed.make(described(), parent)) {
      if (line.hasOption("keep")) {
        bed.keep();
      }
      out.println("bed         " + bed.directory());
      bed.startHdfs();
      if (!bed.processes(Role.MASTER).isEmpty()) {
        bed.startHBase();
      }
      bed.processes().forEach(out::println);
      out.println("client conf " + bed.conf());
      out.println("up, until Ctrl-C");
      out.flush();
      new CountDownLatch(1).await();
    }
    return FINE;
  }

  private BedSpec described() throws IOException {
    Line of = line.hasOption("line") ? Line.of(line.getOptionValue("line")) : Line.built();
    int masters = number("masters", 1);
    BedSpec spec =
        BedSpec.of(of)
            .dataNodes(number("datanodes", 3))
            .ssdDataNodes(number("ssd-datanodes", Integer.MAX_VALUE))
            .racks(number("racks", 1))
            .masters(masters)
            .regionServers(number("regionservers", Math.min(1, masters)))
            .ssdMegabytes(number("ssd-mb", 0));
    spec = line.hasOption("ha") ? spec.twoNameNodes() : spec;
    if (!line.hasOption("stock")) {
      spec = spec.plugin(Installation.plugin(), Installation.site());
    }
    for (Map.Entry<Object, Object> entry : line.getOptionProperties("D").entrySet()) {
      spec = spec.set((String) entry.getKey(), (String) entry.getValue());
    }
    return spec;
  }

  /** With the plugin, which the bed's clients do not have, and without their log. */
  private int tool(Bed bed, List<String> words) throws IOException, InterruptedException {
    Path log = bed.conf().resolve("log4j.properties");
    Files.writeString(log, Files.readString(log).replace("rootLogger=INFO", "rootLogger=ERROR"));
    Tool tool = Tool.run(bed.command(List.of(Line.plugin()), TOOL, words.toArray(new String[0])));
    out.print(tool.said());
    return tool.exit();
  }

  private Bed find() throws IOException {
    List<Path> beds = new ArrayList<>();
    try (var found = Files.newDirectoryStream(parent, "bed-*")) {
      found.forEach(beds::add);
    }
    if (beds.size() != 1) {
      throw new IllegalArgumentException(
          beds.isEmpty()
              ? "there is no bed below " + parent
              : "there are several beds below " + parent + ": give each a --dir of its own");
    }
    return Bed.at(beds.get(0));
  }

  /** The number that an option has; throws with its name and value if it is none. */
  private int number(String option, int otherwise) {
    String value = line.getOptionValue(option, Integer.toString(otherwise));
    try {
      return Integer.parseInt(value);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("--" + option + " " + value + " is no number", e);
    }
  }

  private static Options options() {
    Options options = new Options();
    options.addOption("h", "help", false, "show this help");
    options.addOption(null, "rows", true, "rows to load with the plugin and without; 50000");
    options.addOption(null, "dir", true, "where clusters are made; target/beds by default");
    options.addOption(null, "line", true, "up: HBase's version, see src/test/lines");
    options.addOption(null, "datanodes", true, "up: how many; 3 by default");
    options.addOption(null, "ssd-datanodes", true, "up: how many of them have SSD; all by default");
    options.addOption(null, "racks", true, "up: how many racks they are in; 1 by default");
    options.addOption(null, "masters", true, "up: how many; 1 by default, 0 for HDFS alone");
    options.addOption(null, "regionservers", true, "up: how many; 1 by default");
    options.addOption(
        null, "ssd-mb", true, "up: each SSD's size, in memory (root); else unlimited");
    options.addOption(null, "ha", false, "up: two NameNodes");
    options.addOption(null, "stock", false, "up: HBase without the plugin");
    options.addOption(null, "keep", false, "up: leave the directory with its logs at the end");
    options.addOption(
        Option.builder("D")
            .argName("key=value")
            .numberOfArgs(2)
            .valueSeparator()
            .desc("up: set a key of the site files")
            .build());
    return options;
  }
}
