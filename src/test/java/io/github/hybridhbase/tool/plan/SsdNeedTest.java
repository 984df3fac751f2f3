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
package io.github.hybridhbase.tool.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.runtime.Component;
import io.github.hybridhbase.tool.plan.Workload.Defaults;
import io.github.hybridhbase.tool.plan.Workload.Input;
import org.apache.hadoop.conf.Configuration;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

@InterfaceAudience.Private
class SsdNeedTest {
  private static final double MIB = 1 << 20;
  private static final double GIB = 1L << 30;

  /** Ten servers with 12 GiB of memstores; everything else as HBase and HDFS ship it. */
  private static Workload workload(double bytesPerSecond) {
    return Defaults.fill(
        Workload.empty()
            .with(Input.DATA, 10_000 * GIB, "given")
            .with(Input.WRITE_RATE, bytesPerSecond, "given")
            .with(Input.SERVERS, 10, "given")
            .with(Input.MEMSTORE, 12 * GIB, "given"),
        new Configuration(false));
  }

  private static double of(Workload workload, Component component) {
    return SsdNeed.of(workload, 0.7).system().get(component);
  }

  @Test
  void hbaseFlushesAboveAsManyWalsAsTwiceTheMemstores() {
    // 2 x 12 GiB in files of 128 MiB.
    assertEquals(192, SsdNeed.maxWals(workload(1)));
    assertEquals(32, SsdNeed.maxWals(workload(1).with(Input.MEMSTORE, GIB, "given")));
    assertEquals(7, SsdNeed.maxWals(workload(1).with(Input.MAX_WALS, 7, "given")));
  }

  @Test
  void walsInUseAreBoundByTheirNumber() {
    // Each server's 192 files and the open one, three replicas.
    assertEquals(10 * 193 * 128 * MIB * 3, of(workload(1_000 * MIB), Component.WAL), MIB);
  }

  @Test
  void multiwalWritesSeveralWalsAtATime() {
    Configuration conf = new Configuration(false);
    conf.set("hbase.hybrid.wal.delegate", "multiwal");
    assertEquals(2, Defaults.fill(Workload.empty(), conf).get(Input.WALS));
    conf = new Configuration(false);
    conf.set("hbase.wal.provider", "multiwal");
    conf.set("hbase.wal.regiongrouping.numgroups", "4");
    assertEquals(4, Defaults.fill(Workload.empty(), conf).get(Input.WALS));
    Workload two = workload(1_000 * MIB).with(Input.WALS, 2, "given");
    assertEquals(2 * 10 * 193 * 128 * MIB * 3, of(two, Component.WAL), MIB);
    // 22 WALs with three replicas each on ten DataNodes, as in the space monitor.
    SsdNeed need = SsdNeed.of(two, 0.7);
    assertEquals((1L << 30) + 7 * 3 * (256L << 20), need.headroom().bytesToReturn());
  }

  @Test
  void slowWritesAreBoundByTheAgeAtWhichMemstoresAreFlushed() {
    // 1 MiB/s of each server for an hour, and the open file.
    assertEquals(10 * (3_600 + 128) * MIB * 3, of(workload(10 * MIB), Component.WAL), MIB);
  }

  @Test
  void withoutAnAgeTheNumberOfWalsIsTheBound() {
    Workload never = workload(10 * MIB).with(Input.FLUSH_INTERVAL, 0, "given");
    assertEquals(10 * 193 * 128 * MIB * 3, of(never, Component.WAL), MIB);
    Configuration conf = new Configuration(false);
    conf.set("hbase.regionserver.optionalcacheflushinterval", "-1");
    conf.set("hbase.regionserver.maxlogs", "-1");
    Workload negative = Defaults.fill(Workload.empty(), conf);
    assertEquals(0, negative.get(Input.FLUSH_INTERVAL));
    assertEquals(0, negative.get(Input.MAX_WALS));
  }

  @Test
  void oldWalsStayForTheirTimeAndTheCleaners() {
    assertEquals(10 * MIB * 1_200 * 3, of(workload(10 * MIB), Component.ARCHIVE), MIB);
  }

  @Test
  void noMoreIsThereThanWasWritten() {
    Workload early = workload(10 * MIB).with(Input.AFTER, 60, "given");
    assertEquals(10 * MIB * 60 * 3, of(early, Component.WAL), MIB);
    assertEquals(0, of(early, Component.ARCHIVE), MIB);
    Workload later = workload(10 * MIB).with(Input.AFTER, 4_000, "given");
    assertEquals(10 * MIB * 3_728 * 3, of(later, Component.WAL), MIB);
    assertEquals(10 * MIB * (4_000 - 3_728) * 3, of(later, Component.ARCHIVE), MIB);
  }

  @Test
  void whatIsBoughtHoldsTheDataTheTierAndTheHeadroom() {
    Workload workload = workload(10 * MIB).with(Input.TIER, 20, "given");
    SsdNeed need = SsdNeed.of(workload, 0.7);
    assertEquals(0.2 * need.capacity(), need.tierBytes(), 1);
    assertTrue(need.bytes() <= 0.7 * need.capacity() + 1);
    assertTrue(
        need.bytes() + 10.0 * need.headroom().bytesToReturn() <= need.capacity() + 1,
        "the headroom is free");
    // 12 WALs with three replicas each on ten DataNodes: four a node, two blocks each, and as much
    // again for them to fill.
    assertEquals((1L << 30) + 4 * 3 * (256L << 20), need.headroom().bytesToReturn());
    assertEquals(need.capacity() / 10, need.capacityPerNode());
  }

  @Test
  void oneDeadServersRecoveredEditsFitInWhatIsKeptFree() {
    Workload busy = workload(1_000 * MIB).with(Input.SPARE, 500 * GIB, "given");
    SsdNeed need = SsdNeed.of(busy, 0.7);
    assertEquals(193 * 128 * MIB * 3, need.recoveredEdits(), MIB, "as much as a server's WALs");
    assertEquals(
        need.bytes() + 10.0 * need.headroom().bytesToReturn() + need.recoveredEdits(),
        need.capacity(),
        MIB);
  }

  @Test
  void aTierInBytesIsHeldLikeData() {
    Workload workload = workload(10 * MIB).with(Input.TIER_BYTES, 500 * GIB, "given");
    SsdNeed need = SsdNeed.of(workload, 0.7);
    assertEquals(500 * GIB, need.tierBytes());
    assertEquals(need.systemBytes() + 500 * GIB, need.bytes(), 1);
    assertTrue(need.bytes() <= 0.7 * need.capacity() + 1);
    assertEquals(90 * MIB, need.bytesPerSecond());
  }

  @Test
  void aTierThatTakesAllIsRefused() {
    Workload workload = workload(10 * MIB).with(Input.TIER, 70, "given");
    assertThrows(IllegalArgumentException.class, () -> SsdNeed.of(workload, 0.7));
  }

  @Test
  void wearIsWhatIsWrittenAgainstWhatDrivesStand() {
    SsdNeed need = SsdNeed.of(workload(10 * MIB), 0.7);
    assertEquals(30 * MIB, need.bytesPerSecond());
    // 1 TB that may be written 100 times, 30 MiB/s, twice over.
    assertEquals(1e12 * 100 / (60 * MIB) / (365.25 * 86_400), need.wearYears(1e12, 100, 2), 1e-9);
    Workload tier = workload(10 * MIB).with(Input.TIER, 20, "given");
    // And each edit by a flush and by a minor compaction, with three replicas.
    assertEquals(90 * MIB, SsdNeed.of(tier, 0.7).bytesPerSecond());
  }

  @Test
  void fIsDataOnSsdAgainstUserData() {
    SsdNeed need = SsdNeed.of(workload(10 * MIB), 0.7);
    assertEquals(need.bytes() / (30_000 * GIB), need.share(), 1e-12);
  }
}
