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
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Faults by a seed on a bed under load; then every acknowledged row is read back. The bed has three
 * DataNodes with an SSD of a file system in memory each, two masters and two RegionServers. Needs
 * root.
 */
@InterfaceAudience.Private
final class Campaign {
  private static final int SSD_MEGABYTES = 400;

  /** After so many running that could not be made, none will be. */
  private static final int MOST_UNDONE = 20;

  private static final String BLOCK = Integer.toString(8 << 20);

  private final Line line;
  private final long seed;
  private final boolean stock;
  private final Set<Fault.Kind> kinds;
  private final boolean hot;

  /**
   * Describes one.
   *
   * @param stock without the plugin, to compare with
   * @param kinds of faults
   * @param hot whether the rows are in a table with hot rows, and read
   */
  Campaign(Line line, long seed, boolean stock, Set<Fault.Kind> kinds, boolean hot) {
    this.line = line;
    this.seed = seed;
    this.stock = stock;
    this.kinds = kinds;
    this.hot = hot;
  }

  private BedSpec spec() throws IOException {
    BedSpec spec =
        BedSpec.of(line)
            .masters(2)
            .regionServers(2)
            .ssdMegabytes(SSD_MEGABYTES)
            .remoteDataNode()
            // With HDFS's 0 a DataNode ends with its SSD, which is the same as killing it.
            .set("dfs.datanode.failed.volumes.tolerated", "1")
            // As shipped, a lost SSD's blocks count as there for five minutes, and a copy that was
            // cut off as under way for as long. No DataNode counts as dead within a fault.
            .set("dfs.namenode.heartbeat.recheck-interval", "60000")
            .set("dfs.namenode.reconstruction.pending.timeout-sec", "20")
            .set("dfs.blocksize", BLOCK)
            .set("hbase.regionserver.hlog.blocksize", BLOCK)
            // What is awaited after a fault is told by this chore; HBase's minute is older than the
            // fault.
            .set("hbase.assignment.rit.chore.interval.msec", "1000")
            // A server that hangs as it aborts ends itself, after 20 minutes by default.
            .set("hbase.regionserver.abort.timeout", "60000")
            // HBase keeps old WALs for ten minutes, which would fill SSDs of this size.
            .set("hbase.master.logcleaner.ttl", "60000")
            .set("hbase.master.cleaner.interval", "30000")
            // Else a DataNode of 3.4 keeps a gigabyte free.
            .set("dfs.datanode.round-robin-volume-choosing-policy.additional-available-space", "0");
    if (stock) {
      return spec;
    }
    BedSpec plugin =
        spec.plugin(Installation.plugin(), Installation.site()).set("hbase.hybrid.ssd.retry", "5s");
    // Else the SSD tier opens minutes after a master's start, which is longer than masters live.
    return hot
        ? plugin.set("hbase.hybrid.scan.period", "10s").set("hbase.hybrid.tier.max.age", "1m")
        : plugin;
  }

  /**
   * Runs it until both its time is over and there were enough faults, and writes what came of it.
   *
   * @param into the report, written anew after each fault
   * @throws IllegalArgumentException where faults are wanted and none of the kinds is one
   * @throws AssertionError where something acknowledged is lost, the bed does not come up again, or
   *     no fault can be made any more
   */
  CampaignReport run(Path into, Duration length, int faults)
      throws IOException, InterruptedException {
    if (faults > 0 && kinds.stream().allMatch(Fault.Kind::isAdmins)) {
      throw new IllegalArgumentException(
          faults + " faults are wanted, and none of " + kinds + " is one");
    }
    CampaignReport report =
        new CampaignReport(
            String.format(
                "%s%s, HBase %s, seed %d, at least %d minutes and %d faults",
                stock ? "Stock" : "With the plugin",
                hot ? " and hot rows" : "",
                line,
                seed,
                length.toMinutes(),
                faults));
    Aborts aborts = new Aborts();
    try (OwnedBed bed =
        OwnedBed.make(spec(), TypedCluster.usable(Line.base().resolve("target/beds")))) {
      bed.start();
      Recovery recovery = new Recovery(bed, report);
      try (Load load = load(bed);
          FaultMaker maker = new FaultMaker(bed, TableName.valueOf("rows"), SSD_MEGABYTES)) {
        load.createTable();
        long start = System.nanoTime();
        try (SteadyLoad steady = new SteadyLoad(load(bed), 0, System.out::println)) {
          FaultPlan plan = new FaultPlan(seed, kinds);
          Fault last = null;
          while (System.nanoTime() - start < length.toNanos() || report.faults() < faults) {
            last = plan.next();
            one(bed, last, maker, recovery, aborts, report);
            report.took(Duration.ofNanos(System.nanoTime() - start));
            Files.writeString(into, report.text());
            steady.check();
            if (report.undone() >= MOST_UNDONE) {
              throw new AssertionError(
                  report.undone() + " faults running could not be made, the last one: " + last);
            }
          }
          recovery.await(last);
          load.expect(steady.end());
        }
        load.assertAllThere();
        report.abortedAtTheEnd(aborts.fresh(bed.aborts()));
        report.outcome(
            String.format(
                "%d rows were acknowledged, and all are there once, with the right values; %d"
                    + " regions at the end.",
                load.rows(), maker.regions()));
        if (hot && !stock) {
          report.hotCompactions(hotCompactions(bed));
        }
        Files.writeString(into, report.text());
        return report;
      } catch (IOException | InterruptedException | RuntimeException | Error e) {
        bed.keep();
        report.abortedAtTheEnd(aborts.fresh(bed.aborts()));
        report.outcome("It failed: " + e.toString().lines().findFirst().orElse(""));
        Files.writeString(into, report.text());
        throw e;
      }
    }
  }

  private Load load(Bed bed) throws IOException {
    Load load = new Load(bed);
    return hot ? load.hot() : load;
  }

  /** As the servers log them. */
  private static int hotCompactions(Bed bed) throws IOException {
    int asked = 0;
    for (ServerProcess process : bed.processes()) {
      asked += process.saying("that writes its rows that are read often to SSD").size();
    }
    return asked;
  }

  /** What an admin has asked for goes on while the next fault comes. */
  private static void one(
      Bed bed,
      Fault fault,
      FaultMaker maker,
      Recovery recovery,
      Aborts aborts,
      CampaignReport report)
      throws IOException, InterruptedException {
    long start = System.nanoTime();
    String said = maker.make(fault);
    if (!fault.kind().isAdmins()) {
      recovery.await(fault);
    }
    long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start);
    TimeUnit.MILLISECONDS.sleep(fault.pauseMillis());
    List<String> fresh = aborts.fresh(bed.aborts());
    report.add(fault, said, fresh, seconds);
    System.out.println(
        LocalTime.now().truncatedTo(ChronoUnit.SECONDS)
            + " "
            + fault
            + ": "
            + said
            + (fault.kind().isAdmins() ? ", asked for after " : ", all served after ")
            + seconds
            + " s, aborts "
            + fresh);
  }
}
