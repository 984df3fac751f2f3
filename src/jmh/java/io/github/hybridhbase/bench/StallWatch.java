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
package io.github.hybridhbase.bench;

import io.github.hybridhbase.testing.TypedCluster;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.util.JVMClusterUtil.RegionServerThread;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * What keeps writers from going on: stores with so many files that their region may not flush,
 * which no metric of HBase tells and is sampled here; regions that refuse writes; servers out of
 * memory for memstores.
 */
@InterfaceAudience.Private
final class StallWatch implements AutoCloseable {
  private static final long MILLIS = 100;

  private final TypedCluster cluster;
  private final List<HRegion> regions;
  private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
  private final long busyBefore;
  private final long blockedBefore;
  private volatile long samples;
  private volatile long full;
  private volatile int mostFiles;

  StallWatch(TypedCluster cluster, TableName table) {
    this.cluster = cluster;
    this.regions = cluster.hbase().getRegions(table);
    this.busyBefore = busy();
    this.blockedBefore = blocked();
    ScheduledFuture<?> unused =
        thread.scheduleAtFixedRate(this::sample, MILLIS, MILLIS, TimeUnit.MILLISECONDS);
  }

  private void sample() {
    List<HStore> stores =
        regions.stream().flatMap(r -> r.getStores().stream()).collect(Collectors.toList());
    samples++;
    full += stores.stream().filter(HStore::hasTooManyStoreFiles).count();
    mostFiles =
        Math.max(mostFiles, stores.stream().mapToInt(HStore::getStorefilesCount).max().orElse(0));
  }

  /** Times that a region threw RegionTooBusyException; clients try again. */
  private long busy() {
    return regions.stream().mapToLong(HRegion::getBlockedRequestsCount).sum();
  }

  private long blocked() {
    return cluster.hbase().getLiveRegionServerThreads().stream()
        .map(RegionServerThread::getRegionServer)
        .mapToLong(server -> server.getMemStoreFlusher().getUpdatesBlockedMsHighWater().sum())
        .sum();
  }

  String json() {
    return String.format(
        Locale.ROOT,
        ",\"tooManyFilesShare\":%.3f,\"mostFiles\":%d,\"regionTooBusy\":%d,\"memoryStallMs\":%d",
        (double) full / Math.max(1, samples * regions.size()),
        mostFiles,
        busy() - busyBefore,
        blocked() - blockedBefore);
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
