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
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hbase.thirdparty.org.apache.commons.cli.CommandLine;
import org.apache.hbase.thirdparty.org.apache.commons.cli.DefaultParser;
import org.apache.hbase.thirdparty.org.apache.commons.cli.HelpFormatter;
import org.apache.hbase.thirdparty.org.apache.commons.cli.Options;
import org.apache.hbase.thirdparty.org.apache.commons.cli.ParseException;
import org.apache.log4j.FileAppender;
import org.apache.log4j.Level;
import org.apache.log4j.LogManager;
import org.apache.log4j.PatternLayout;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * {@code bin/hbase-hybrid rehearse}: faults of SSD, DataNodes and NameNode on a bed under load, and
 * the removal of the plugin. At each step it prints what an operator sees and what became of the
 * writes.
 *
 * <p>Exit codes: 0 no server aborted, nothing was lost and WALs returned to SSD after each fault; 1
 * otherwise, 2 wrong usage. Ctrl-C ends all processes and deletes the bed.
 */
@InterfaceAudience.Private
public final class Rehearsal {
  private static final int DATA_NODES = 6;
  private static final int WITH_SSD = 4;
  private static final int SSD_MEGABYTES = 400;
  private static final int STALL_SECONDS = 15;
  private static final int WIDTH = 100;
  private static final String WALS = "/hbase/WALs";

  /** Longest wait for WALs to be where they should be. */
  private static final long PATIENCE_SECONDS = 120;

  /** A finding as the verbs print it. */
  private static final Pattern FINDING = Pattern.compile("(?:ERROR|WARNING)  ([a-z-]+)  .*");

  private interface Deed {
    void run() throws IOException, InterruptedException;
  }

  private final PrintStream out;
  private final OwnedBed bed;
  private final Load load;
  private final Installation plugin;
  private final long start;
  private final List<String> faults = new ArrayList<>();
  private SteadyLoad writes;
  private int acknowledged;
  private int failed;
  private int steps;

  private Rehearsal(PrintStream out, OwnedBed bed, Load load, long start) throws IOException {
    this.out = out;
    this.bed = bed;
    this.load = load;
    this.start = start;
    this.plugin = new Installation(bed, Map.of());
  }

  /** Runs the rehearsal and ends the JVM. */
  public static void main(String[] args) {
    System.exit(run(args, System.out, System.err));
  }

  static int run(String[] args, PrintStream out, PrintStream err) {
    Options options = new Options();
    options.addOption("h", "help", false, "show this help");
    options.addOption(null, "dir", true, "where the bed is made; target/beds by default");
    options.getOption("dir").setArgName("DIR");
    try {
      CommandLine line = new DefaultParser().parse(options, args);
      if (line.hasOption("help")) {
        help(options, out);
        return BedCommand.FINE;
      }
      if (!line.getArgList().isEmpty()) {
        throw new ParseException("unexpected: " + String.join(" ", line.getArgList()));
      }
      String base = Line.base().resolve("target/beds").toString();
      return on(Files.createDirectories(Path.of(line.getOptionValue("dir", base))), out);
    } catch (ParseException e) {
      err.println("hbase-hybrid rehearse: " + e.getMessage() + ", see --help");
      return BedCommand.USAGE;
    } catch (IOException | AssertionError e) {
      String why = e.toString().lines().findFirst().orElse("");
      err.println("hbase-hybrid rehearse failed: " + why);
      return BedCommand.FAILED;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return BedCommand.FAILED;
    }
  }

  private static void help(Options options, PrintStream to) {
    PrintWriter writer = new PrintWriter(to, true, StandardCharsets.UTF_8);
    new HelpFormatter()
        .printHelp(
            writer,
            WIDTH,
            "hbase-hybrid rehearse [--dir DIR]",
            "Starts a cluster of real processes on loopback with the plugin, lets SSDs fill up, a"
                + " DataNode end, another one stall and the NameNode restart, and removes the"
                + " plugin. Prints at each step what doctor and audit report, where the WALs are"
                + " and what became of the writes. Takes up to ten minutes.",
            options,
            2,
            2,
            "Example: hbase-hybrid rehearse --dir /tmp/beds");
    writer.flush();
  }

  private static int on(Path parent, PrintStream out) throws IOException, InterruptedException {
    long start = System.nanoTime();
    boolean small = mayMount(parent);
    out.printf(
        "%d DataNodes in two racks, %d of them with an SSD%s, a master, two RegionServers; HDFS's"
            + " defaults.%n",
        DATA_NODES, WITH_SSD, small ? " of " + SSD_MEGABYTES + " MB in memory" : "");
    try (OwnedBed bed = OwnedBed.make(spec(small), TypedCluster.usable(parent))) {
      logTo(bed.directory().resolve("rehearsal.log"));
      bed.start();
      try (Load load = new Load(bed)) {
        return new Rehearsal(out, bed, load, start).play(small);
      }
    }
  }

  private static BedSpec spec(boolean small) throws IOException {
    String block = Integer.toString(8 << 20);
    BedSpec spec =
        BedSpec.of(Line.built())
            .dataNodes(DATA_NODES)
            .ssdDataNodes(WITH_SSD)
            .racks(2)
            .regionServers(2)
            // Else 'revert' cannot move back what is on SSD, and exits 1.
            .satisfier()
            .plugin(Installation.plugin(), Installation.site())
            // Shorter than by default, to show the return within minutes.
            .set("hbase.hybrid.ssd.retry", "5s")
            .set("dfs.blocksize", block)
            .set("hbase.regionserver.hlog.blocksize", block)
            // The blocks of the master's WAL are twice as large, 256 MB by default.
            .set("hbase.master.store.region.flush.size", Integer.toString(4 << 20))
            // A region whose close flushes while the NameNode is away aborts its server, stock too.
            .set("hbase.balancer.period", "3600000");
    return small
        ? spec.ssdMegabytes(SSD_MEGABYTES)
            .set("dfs.datanode.round-robin-volume-choosing-policy.additional-available-space", "0")
        : spec;
  }

  /** Whether this user may mount a file system in memory. */
  private static boolean mayMount(Path parent) throws IOException, InterruptedException {
    Path probe = Files.createTempDirectory(parent, "mount");
    try {
      Volumes.mount(probe, 1);
      Volumes.unmount(probe);
      return true;
    } catch (IOException e) {
      return false;
    } finally {
      Files.deleteIfExists(probe);
    }
  }

  /** Only the rehearsal's own words are printed. */
  private static void logTo(Path file) throws IOException {
    LogManager.resetConfiguration();
    LogManager.getRootLogger()
        .addAppender(
            new FileAppender(new PatternLayout("%d %-5p [%t] %c{2}: %m%n"), file.toString(), true));
    LogManager.getRootLogger().setLevel(Level.WARN);
  }

  // ---- the steps

  private int play(boolean small) throws IOException, InterruptedException {
    load.createTable();
    writes = new SteadyLoad(bed, 0, text -> {});
    try {
      title("All serve; a client writes row after row from here on");
      backOnSsd("WALs on SSD");
      look();
      ServerProcess node = bed.process("dn1");
      ServerProcess other = bed.process("dn2");
      ServerProcess nameNode = bed.process("nn0");
      if (small) {
        fault("The SSDs fill up", this::fillSsds, this::emptySsds);
      } else {
        fault("SSD refuses WALs: a quota of SSD is used up", () -> quota("1"), () -> quota(null));
      }
      fault("DataNode dn1 ends", () -> endDataNode(node), node::start);
      fault("DataNode dn2 stalls for " + STALL_SECONDS + " s", () -> stall(other), other::resume);
      title("The NameNode restarts, while WALs roll");
      nameNode.kill();
      load.requestRolls();
      TimeUnit.SECONDS.sleep(STALL_SECONDS);
      nameNode.start();
      bed.awaitHdfs();
      backOnSsd("WALs on SSD");
      look();
      remove();
      int rows = writes.end();
      load.expect(rows);
      load.assertAllThere();
      return end(rows);
    } finally {
      writes.close();
    }
  }

  /** Makes a fault, looks while it lasts, ends it, and looks again. */
  private void fault(String what, Deed begin, Deed end) throws IOException, InterruptedException {
    title(what);
    begin.run();
    look();
    out.println("  -- it ends");
    end.run();
    backOnSsd("WALs back on SSD");
    look();
  }

  private void fillSsds() throws IOException, InterruptedException {
    for (ServerProcess node : bed.processes(Role.DATANODE)) {
      if (Files.isDirectory(FaultMaker.filler(node).getParent())) {
        FaultMaker.fill(FaultMaker.filler(node));
      }
    }
    load.requestRolls();
    await("WALs off SSD", this::offSsd);
  }

  private void emptySsds() throws IOException {
    for (ServerProcess node : bed.processes(Role.DATANODE)) {
      Files.deleteIfExists(FaultMaker.filler(node));
    }
  }

  private void quota(String bytes) throws IOException, InterruptedException {
    String[] words =
        bytes == null
            ? new String[] {"-clrSpaceQuota", "-storageType", "SSD", WALS}
            : new String[] {"-setSpaceQuota", bytes, "-storageType", "SSD", WALS};
    bed.tool("org.apache.hadoop.hdfs.tools.DFSAdmin", words).fine();
    load.requestRolls();
    if (bytes != null) {
      await("WALs off SSD", this::offSsd);
    }
  }

  private void endDataNode(ServerProcess node) throws IOException, InterruptedException {
    node.kill();
    TimeUnit.SECONDS.sleep(STALL_SECONDS);
  }

  private void stall(ServerProcess node) throws IOException, InterruptedException {
    node.stop();
    TimeUnit.SECONDS.sleep(STALL_SECONDS);
  }

  /** As README tells an operator to. */
  private void remove() throws IOException, InterruptedException {
    title("The plugin is removed: 'revert', then jar and keys of each server, which restarts");
    Tool revert = plugin.hybrid("revert");
    out.println("  revert   exit " + revert.exit());
    if (revert.exit() != 0) {
      faults.add("'revert' ended with " + revert.exit() + ": " + String.join(" ", revert.lines()));
    }
    for (String name : List.of("rs1", "rs0", "m0")) {
      ServerProcess process = bed.process(name);
      process.end();
      plugin.takeKeysOut(process);
      plugin.takeJarAway(process);
      process.start();
      bed.await(name + " answers", () -> !bed.hbase(process, "name=JvmMetrics").isMissingNode());
      bed.awaitHBase();
    }
    String policy = load.policy(WALS);
    out.println("  policy   " + policy + " on " + WALS);
    if (!policy.equals("HOT")) {
      faults.add("after the removal " + WALS + " has the policy " + policy);
    }
    await("WALs off SSD", () -> wals().stream().allMatch(wal -> wal.isAllOn("DISK")));
    medium();
    writes();
  }

  // ---- what is seen

  private void title(String what) {
    steps++;
    out.printf(Locale.ROOT, "%n%d. %s (%d s)%n", steps, what, seconds());
  }

  private long seconds() {
    return TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start);
  }

  private void look() throws IOException, InterruptedException {
    verb("doctor");
    verb("audit");
    medium();
    writes();
  }

  private void verb(String name) throws IOException, InterruptedException {
    Tool tool = plugin.hybrid(name);
    List<String> findings = new ArrayList<>();
    for (String line : tool.lines()) {
      Matcher finding = FINDING.matcher(line);
      if (finding.matches()) {
        findings.add(finding.group(1));
      }
    }
    String verdict =
        tool.lines().stream().filter(line -> line.endsWith(").")).findFirst().orElse("no verdict");
    out.printf("  %-8s %s %s%n", name, verdict, findings.isEmpty() ? "" : findings);
  }

  private List<Fsck.File> wals() throws IOException, InterruptedException {
    Fsck fsck = bed.fsck("/hbase");
    return Stream.of(WALS, "/hbase/MasterData/WALs")
        .flatMap(directory -> fsck.below(directory).stream())
        .filter(file -> file.isOpen() && !file.media().isEmpty())
        .collect(Collectors.toList());
  }

  /** Of the RegionServers; the master's is rolled by the master alone. */
  private boolean offSsd() throws IOException, InterruptedException {
    return wals().stream()
        .filter(wal -> wal.path().startsWith(WALS))
        .noneMatch(wal -> wal.isAllOn("SSD"));
  }

  private void medium() throws IOException, InterruptedException {
    List<Fsck.File> wals = wals();
    long ssd = wals.stream().filter(wal -> wal.isAllOn("SSD")).count();
    long disk = wals.stream().filter(wal -> wal.isAllOn("DISK")).count();
    out.printf(
        "  WALs     %d open: %d on SSD, %d in part, %d on DISK%n",
        wals.size(), ssd, wals.size() - ssd - disk, disk);
  }

  /** Since they were printed last. */
  private void writes() {
    writes.check();
    int rows = writes.rows();
    int failures = writes.failed();
    out.printf(
        Locale.ROOT,
        "  writes   %,d acknowledged, %d failed and repeated, the longest took %,d ms%n",
        rows - acknowledged,
        failures - failed,
        writes.takeLongestMillis());
    acknowledged = rows;
    failed = failures;
  }

  private void backOnSsd(String what) throws IOException, InterruptedException {
    await(
        what,
        () -> {
          List<Fsck.File> wals = wals();
          return wals.size() >= 3 && wals.stream().allMatch(wal -> wal.isAllOn("SSD"));
        });
  }

  private void await(String what, Callable<Boolean> condition)
      throws IOException, InterruptedException {
    long began = seconds();
    boolean holds = false;
    while (!holds && seconds() - began < PATIENCE_SECONDS) {
      try {
        holds = condition.call();
      } catch (IOException | RuntimeException e) {
        holds = false; // the NameNode is away
      } catch (InterruptedException e) {
        throw e;
      } catch (Exception e) {
        throw new IOException(e);
      }
      TimeUnit.SECONDS.sleep(holds ? 0 : 1);
    }
    long took = seconds() - began;
    out.printf("  %s %s %d s%n", what, holds ? "after" : "NOT after", took);
    if (!holds) {
      faults.add("step " + steps + ": " + what + ": not after " + took + " s");
    }
  }

  private int end(int rows) throws IOException {
    faults.addAll(bed.aborts());
    out.printf(
        Locale.ROOT,
        "%nAfter %d s: %,d rows were acknowledged, and all are read back; %d puts failed and were"
            + " repeated.%n",
        seconds(),
        rows,
        writes.failed());
    faults.forEach(fault -> out.println("WRONG: " + fault));
    out.println(faults.isEmpty() ? "No server aborted." : "Not all went as it should; exit 1.");
    return faults.isEmpty() ? BedCommand.FINE : BedCommand.FAILED;
  }
}
