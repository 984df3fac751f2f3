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
package io.github.hybridhbase.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.coprocessor.HybridRegionObserver;
import io.github.hybridhbase.hdfs.HdfsNamespace;
import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.Metric;
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.testing.TypedCluster;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.FlushLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

/** A flush of hbase:meta that fails, and not by SSD's fault, leaves the catalogs on SSD. */
@InterfaceAudience.Private
class CatalogFlushIT {
  private static final AtomicInteger FAILURES = new AtomicInteger();

  /** Somebody's coprocessor, which fails flushes of hbase:meta as long as it is told to. */
  @InterfaceAudience.Private
  public static class FailsFlushes implements RegionCoprocessor, RegionObserver {
    @Override
    public Optional<RegionObserver> getRegionObserver() {
      return Optional.of(this);
    }

    @Override
    public InternalScanner preFlush(
        ObserverContext<RegionCoprocessorEnvironment> c,
        Store store,
        InternalScanner scanner,
        FlushLifeCycleTracker tracker)
        throws IOException {
      if (store.getTableName().equals(TableName.META_TABLE_NAME)
          && FAILURES.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
        throw new IOException("planted");
      }
      return scanner;
    }
  }

  @Test
  void triesThatACoprocessorFailsDemoteNoCatalog() throws Exception {
    try (TypedCluster cluster =
        TypedCluster.spec()
            .plugin()
            .conf(
                "hbase.coprocessor.region.classes",
                HybridRegionObserver.class.getName() + "," + FailsFlushes.class.getName())
            .conf("hbase.server.pause", 300)
            .start()) {
      cluster.util().createTable(TableName.valueOf("t"), "cf").close();
      Path catalogs = new Path(cluster.rootDir(), "data/hbase");
      final long demotions = HybridMetrics.get().value(Metric.DEMOTIONS);
      FAILURES.set(8);
      try (Admin admin = cluster.util().getConnection().getAdmin()) {
        admin.flush(TableName.META_TABLE_NAME);
      }
      assertTrue(FAILURES.get() == 0, "each of them was tried");
      assertEquals(demotions, HybridMetrics.get().value(Metric.DEMOTIONS));
      assertEquals(
          StoragePolicy.ALL_SSD.id(),
          HdfsNamespace.of(cluster.fs()).orElseThrow().policy(catalogs).orElseThrow().effective());
    }
  }
}
