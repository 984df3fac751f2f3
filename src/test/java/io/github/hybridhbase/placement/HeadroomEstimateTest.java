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
package io.github.hybridhbase.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.hybridhbase.hdfs.SsdSpace;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class HeadroomEstimateTest {
  private static final long GIB = 1L << 30;
  private static final long BLOCK = 256L << 20;
  private final Configuration conf = new Configuration(false);

  private static Optional<SsdSpace> space(int nodes, long used) {
    return Optional.of(new SsdSpace(nodes * 100 * GIB, used, nodes * 50 * GIB, nodes, List.of()));
  }

  private Headroom.Estimate estimate(boolean multiwal) {
    return new Headroom.Estimate(conf, BLOCK, 3, multiwal);
  }

  @Test
  void threeNodesWithThreeServersHoldEveryWal() {
    // 3 user WALs, hbase:meta's and the master store's, on every one of 3 DataNodes.
    assertEquals(GIB + 2 * 5 * BLOCK, estimate(false).next(space(3, 0), 3, 0).bytes());
  }

  @Test
  void aThousandNodesShareThem() {
    // 1,002 WALs with 3 replicas each on 1,000 DataNodes: four on one, rounded up.
    assertEquals(GIB + 2 * 4 * BLOCK, estimate(false).next(space(1_000, 0), 1_000, 0).bytes());
  }

  @Test
  void multiwalWritesSeveralAServer() {
    assertEquals(GIB + 2 * 8 * BLOCK, estimate(true).next(space(3, 0), 3, 0).bytes());
    conf.setInt("hbase.wal.regiongrouping.numgroups", 4);
    assertEquals(GIB + 2 * 14 * BLOCK, estimate(true).next(space(3, 0), 3, 0).bytes());
  }

  @Test
  void whatIsWrittenWithinAHeartbeatCounts() {
    Headroom.Estimate estimate = estimate(false);
    long before = estimate.next(space(3, 0), 3, 0).bytes();
    // 10 GiB in 10 s on 3 DataNodes: 3 s of it is 1 GiB each.
    long after = estimate.next(space(3, 10 * GIB), 3, TimeUnit.SECONDS.toNanos(10)).bytes();
    assertEquals(before + GIB, after);
  }

  /** JMX, then the DataNodes' reports as it fails once, then JMX: nothing was written meanwhile. */
  @Test
  void whatAnotherSourceTellsWasNotWritten() {
    Headroom.Estimate estimate = estimate(false);
    long before = estimate.next(space(3, 6 * GIB), 3, 0).bytes();
    Optional<SsdSpace> reports = space(3, 100 * GIB).map(SsdSpace::summedUp);
    assertEquals(before, estimate.next(reports, 3, TimeUnit.SECONDS.toNanos(10)).bytes());
    assertEquals(before, estimate.next(space(3, 6 * GIB), 3, TimeUnit.SECONDS.toNanos(20)).bytes());
  }

  /** Of many DataNodes the reports are kept for a minute. */
  @Test
  void whatIsKeptFromAnEarlierLookIsMeasuredOverTheWholeTime() {
    Headroom.Estimate estimate = estimate(false);
    Optional<SsdSpace> kept = space(3, 0);
    long before = estimate.next(kept, 3, 0).bytes();
    for (int second = 10; second < 60; second += 10) {
      assertEquals(before, estimate.next(kept, 3, TimeUnit.SECONDS.toNanos(second)).bytes());
    }
    long after = estimate.next(space(3, 60 * GIB), 3, TimeUnit.SECONDS.toNanos(60)).bytes();
    assertEquals(before + GIB, after);
  }

  @Test
  void theDataNodesOwnSettingCounts() {
    conf.set("dfs.datanode.round-robin-volume-choosing-policy.additional-available-space", "128m");
    assertEquals(128 << 20, Headroom.Estimate.spare(conf));
    conf.set(
        "dfs.datanode.fsdataset.volume.choosing.policy",
        "org.apache.hadoop.hdfs.server.datanode.fsdataset.AvailableSpaceVolumeChoosingPolicy");
    assertEquals(0, Headroom.Estimate.spare(conf));
  }
}
