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
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalTime;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Faults by a seed on a bed under load; then every acknowledged row is read back. The bed has three
 * DataNodes with an SSD of a file system in memory each, two masters and two RegionServers. Needs
 * root.
 *
 * <p>Two minutes, or {@code -Dcampaign.minutes=60} and {@code -Dcampaign.faults=200}, whichever
 * ends later; {@code -Dhybrid.seed=N} repeats one, {@code -Dcampaign.stock=true} on stock HBase,
 * {@code -Dcampaign.kinds=LOSE_SSD,ROLL} of these kinds only ({@link Fault.Kind}), {@code
 * -Dcampaign.hot=true} in a table with hot rows, which are read. Its report is written to {@code
 * target/campaign}. Which servers aborted is reported and decides nothing: stock under the same
 * seed is what to compare with.
 */
@InterfaceAudience.Private
@Tag("long")
class CampaignIT {
  private static final int SSD_MEGABYTES = 400;
  private static final int REGION_SERVERS = 2;

  /** After so many running that could not be made, none will be. */
  private static final int MOST_UNDONE = 20;

  private static final String BLOCK = Integer.toString(8 << 20);

  /** Of everything, killed at once, on two cores beside the loads, some of it having aborted. */
  private static final Duration PATIENCE = Duration.ofMinutes(12);

  private static final int PAUSE_SECONDS = 2;

  private final boolean stock = Boolean.getBoolean("campaign.stock");
  private final boolean hot = Boolean.getBoolean("campaign.hot");
  private OwnedBed bed;
  private CampaignReport report;

  private BedSpec spec(Line line) throws IOException {
    BedSpec spec =
        BedSpec.of(line)
            .masters(2)
            .regionServers(REGION_SERVERS)
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

  private static Set<Fault.Kind> kinds() {
    Set<Fault.Kind> kinds = EnumSet.noneOf(Fault.Kind.class);
    for (String kind : System.getProperty("campaign.kinds", "").split(",")) {
      if (!kind.isEmpty()) {
        kinds.add(Fault.Kind.valueOf(kind));
      }
    }
    return kinds.isEmpty() ? EnumSet.allOf(Fault.Kind.class) : kinds;
  }

  /** Until both its time is over and there were enough faults. */
  @Test
  @Timeout(value = 4, unit = TimeUnit.HOURS)
  void noAcknowledgedRowIsLost() throws Exception {
    long seed = Long.getLong("hybrid.seed", System.nanoTime());
    long minutes = Long.getLong("campaign.minutes", 2);
    int faults = Integer.getInteger("campaign.faults", 0);
    Random random = new Random(seed);
    Set<Fault.Kind> kinds = kinds();
    assertTrue(
        faults == 0 || !kinds.stream().allMatch(Fault.Kind::isAdmins), "none of them is a fault");
    Line line = System.getProperty("hbase.line") == null ? Line.built() : Lines.one();
    Path into =
        Files.createDirectories(Line.base().resolve("target/campaign"))
            .resolve((stock ? "stock-" : "plugin-") + seed + ".md");
    System.out.println("-Dhybrid.seed=" + seed);
    report =
        new CampaignReport(
            String.format(
                "%s%s, HBase %s, seed %d, at least %d minutes and %d faults",
                stock ? "Stock" : "With the plugin",
                hot ? " and hot rows" : "",
                line,
                seed,
                minutes,
                faults));
    try (OwnedBed owned = OwnedBed.make(spec(line))) {
      bed = owned;
      bed.start();
      try (Load load = load();
          FaultMaker maker = new FaultMaker(bed, TableName.valueOf("rows"), SSD_MEGABYTES)) {
        load.createTable();
        long start = System.nanoTime();
        try (SteadyLoad steady = new SteadyLoad(load(), 0, System.out::println)) {
          Fault last = null;
          while (report.minutes < minutes || report.faults < faults) {
            last = Fault.next(random, kinds);
            one(last, maker);
            report.minutes = TimeUnit.NANOSECONDS.toMinutes(System.nanoTime() - start);
            Files.writeString(into, report.text());
            steady.check();
            assertTrue(report.undone < MOST_UNDONE, "faults running could not be made: " + last);
          }
          recover(last);
          load.expect(steady.end());
        }
        load.assertAllThere();
        report.outcome =
            String.format(
                "%d rows were acknowledged, and all are there once, with the right values; %d"
                    + " regions at the end.",
                load.rows(), maker.regions());
        report.hotBytes = hot && !stock ? hotBytes() : null;
      } catch (Exception | Error e) {
        bed.keep();
        report.outcome = "It failed: " + e.toString().lines().findFirst().orElse("");
        Files.writeString(into, report.text());
        throw e;
      }
      report.aborted("at the end", bed.aborts());
      Files.writeString(into, report.text());
    }
    System.out.println(report.text());
    assertTrue(report.faults > 0, "no fault was made");
    assertEquals(List.of(), report.neverDone(), "what never happened");
  }

  private Load load() throws IOException {
    Load load = new Load(bed);
    return hot ? load.hot() : load;
  }

  /** Of files that are there, whoever has written them before which restart. */
  private long hotBytes() throws IOException {
    long bytes = 0;
    for (int i = 0; i < REGION_SERVERS; i++) {
      bytes += bed.plugin(bed.process(Role.REGIONSERVER.name(i))).path("HotBytes").asLong();
    }
    return bytes;
  }

  /** What an admin has asked for goes on while the next fault comes. */
  private void one(Fault fault, FaultMaker maker) throws IOException, InterruptedException {
    long start = System.nanoTime();
    String said = maker.make(fault);
    if (!fault.kind.isAdmins()) {
      recover(fault);
    }
    long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start);
    TimeUnit.MILLISECONDS.sleep(fault.pauseMillis);
    System.out.printf(
        "%tT %s: %s, %s after %d s, aborts %s%n",
        LocalTime.now(),
        fault,
        said,
        fault.kind.isAdmins() ? "asked for" : "all served",
        seconds,
        report.add(fault, said, bed.aborts(), seconds));
  }

  /**
   * Until every process runs and all is served again. A server that aborts does so in its own time:
   * it is started again whenever it is gone.
   *
   * @throws AssertionError where that takes twelve minutes, and what it waits for then
   */
  private void recover(Fault fault) throws IOException, InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      for (ServerProcess process : bed.processes()) {
        if (!process.isAlive()) {
          report.ended(fault, process.name());
          process.start();
        }
      }
      try {
        bed.awaitHdfs();
        bed.awaitHBase();
        List<ServerProcess> servers = bed.processes(Role.REGIONSERVER);
        for (ServerProcess server : servers) {
          // One that was started again on its port may count by its former life.
          bed.await(
              server + " to answer",
              servers,
              () -> !bed.hbase(server, "name=RegionServer,sub=Server").isMissingNode());
        }
        return;
      } catch (AssertionError e) {
        if (System.nanoTime() - end > 0) {
          throw e;
        }
        TimeUnit.SECONDS.sleep(PAUSE_SECONDS);
      }
    }
  }
}
