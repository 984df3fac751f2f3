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

import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Faults of a campaign, chosen and one after the other, on a bed under load, and the removal of the
 * plugin. At each step it prints what an operator sees and what became of the writes.
 */
@InterfaceAudience.Private
final class FaultTour {
  private static final int HOLD_SECONDS = 15;

  /** Longest wait for WALs to be where they should be. */
  private static final long PATIENCE_SECONDS = 120;

  /** A finding as the verbs print it. */
  private static final Pattern FINDING = Pattern.compile("(?:ERROR|WARNING)  ([a-z-]+)  .*");

  private final PrintStream out;
  private final OwnedBed bed;
  private final boolean smallSsds;
  private final Installation plugin;
  private final long start = System.nanoTime();
  private final List<String> wrong = new ArrayList<>();
  private Load load;
  private FaultMaker faults;
  private SteadyLoad writes;
  private int acknowledged;
  private int failed;
  private int steps;

  /**
   * @param smallSsds whether SSDs are file systems that can be filled
   */
  FaultTour(PrintStream out, OwnedBed bed, boolean smallSsds) throws IOException {
    this.out = out;
    this.bed = bed;
    this.smallSsds = smallSsds;
    this.plugin = new Installation(bed, Map.of());
  }

  /** Returns whether no server aborted, nothing was lost and WALs returned after each fault. */
  boolean run() throws IOException, InterruptedException {
    out.printf(
        "%d DataNodes in two racks, %d of them with an SSD%s, a master, two RegionServers; HDFS's"
            + " defaults.%n",
        Demo.DATA_NODES,
        Demo.WITH_SSD,
        smallSsds ? " of " + Demo.SSD_MEGABYTES + " MB in memory" : "");
    bed.start();
    load = new Load(bed);
    load.createTable();
    faults = new FaultMaker(bed, Load.TABLE, Demo.SSD_MEGABYTES);
    writes = new SteadyLoad(new Load(bed), 0, text -> {});
    try {
      title("All serve; a client writes row after row from here on");
      backOnSsd();
      look();
      if (smallSsds) {
        play("The SSDs fill up", Fault.Kind.FILL_ALL_SSDS, 0);
      } else {
        play("SSD refuses WALs: a quota of SSD is used up", Fault.Kind.REFUSE_SSD, 0);
      }
      play("DataNode dn1 ends", Fault.Kind.KILL_DATANODE, 1);
      play("DataNode dn2 stalls for " + HOLD_SECONDS + " s", Fault.Kind.STOP_DATANODE, 2);
      play("The NameNode restarts, while WALs roll", Fault.Kind.KILL_NAMENODE, 0);
      remove();
      load.expect(writes.end());
      load.assertAllThere();
      return end();
    } finally {
      writes.abandon();
      faults.close();
      load.close();
    }
  }

  /** Makes a fault, looks while it lasts, ends it, and looks again. */
  private void play(String what, Fault.Kind kind, int which)
      throws IOException, InterruptedException {
    Fault fault = new Fault(kind, which, 0, 0);
    title(what);
    faults.begin(fault);
    load.requestRolls();
    if (kind.role == null) {
      await("WALs off SSD", () -> BedWals.of(bed).offSsd());
    } else {
      TimeUnit.SECONDS.sleep(HOLD_SECONDS);
    }
    if (kind.role != Role.NAMENODE) {
      look();
    }
    out.println("  -- it ends");
    faults.end(fault);
    bed.awaitHdfs();
    backOnSsd();
    look();
  }

  /** As README tells an operator to, and then whatever is left on SSD. */
  private void remove() throws IOException, InterruptedException {
    title("The plugin is removed: keys and jar of each server, which restarts, then 'revert'");
    for (String name : List.of("rs1", "rs0", "m0")) {
      ServerProcess process = bed.process(name);
      process.end();
      plugin.takeKeysOut(process);
      plugin.takeJarAway(process);
      bed.startServer(process);
    }
    await("WALs off SSD", () -> BedWals.of(bed).allOn("DISK"));
    Tool revert = plugin.hybrid("revert", "--yes");
    out.println("  revert   exit " + revert.exit());
    if (revert.exit() != 0) {
      wrong.add("'revert' ended with " + revert.exit() + ": " + String.join(" ", revert.lines()));
    }
    mediaAndWrites();
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
    Tool tool = plugin.hybrid("check", "--blocks");
    List<String> lines = tool.lines();
    List<String> findings =
        lines.stream()
            .map(FINDING::matcher)
            .filter(Matcher::matches)
            .map(finding -> finding.group(1))
            .collect(Collectors.toList());
    out.printf(
        "  check    %s %s%n", lines.get(lines.size() - 1), findings.isEmpty() ? "" : findings);
    mediaAndWrites();
  }

  /** Writes since they were printed last. */
  private void mediaAndWrites() throws IOException, InterruptedException {
    out.println("  WALs     " + BedWals.of(bed).describe());
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

  private void backOnSsd() throws InterruptedException {
    await("WALs on SSD", () -> BedWals.of(bed).allOn("SSD"));
  }

  private void await(String what, Callable<Boolean> condition) throws InterruptedException {
    long began = seconds();
    String end = "";
    try {
      Waiting.until(what, Duration.ofSeconds(PATIENCE_SECONDS), condition, () -> null, () -> "");
    } catch (AssertionError e) {
      end = "NOT ";
      wrong.add("step " + steps + ": " + what + ": not after " + (seconds() - began) + " s");
    }
    out.printf("  %s %safter %d s%n", what, end, seconds() - began);
  }

  private boolean end() throws IOException {
    wrong.addAll(bed.aborts());
    out.printf(
        Locale.ROOT,
        "%nAfter %d s: %,d rows were acknowledged, and all are read back; %d puts failed and were"
            + " repeated.%n",
        seconds(),
        load.rows(),
        writes.failed());
    wrong.forEach(fault -> out.println("WRONG: " + fault));
    out.println(wrong.isEmpty() ? "No server aborted." : "Not all went as it should; exit 1.");
    return wrong.isEmpty();
  }
}
