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
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * What follows a fault of a campaign: processes that are gone are started again, until all is
 * served. For one thread.
 */
@InterfaceAudience.Private
final class Recovery {
  /** Of everything, killed at once, on two cores beside the loads, some of it having aborted. */
  private static final Duration PATIENCE = Duration.ofMinutes(12);

  private static final int PAUSE_SECONDS = 2;

  private final Bed bed;
  private final CampaignReport report;
  private Fault last;

  /** After no fault yet. */
  Recovery(Bed bed, CampaignReport report) {
    this.bed = bed;
    this.report = report;
  }

  /**
   * Until every process runs and all is served again. A server that aborts does so in its own time:
   * it is started again whenever it is gone.
   *
   * @throws AssertionError where that takes twelve minutes, and what it waits for then
   */
  void await(Fault fault) throws IOException, InterruptedException {
    last = fault;
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      revive();
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

  /** Starts what has ended of itself, by what the last fault did. */
  private void revive() throws IOException, InterruptedException {
    for (ServerProcess process : bed.processes()) {
      if (!process.isAlive()) {
        report.ended(last, process.name());
        process.start();
      }
    }
  }
}
