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
import io.github.hybridhbase.testing.Ssds;
import io.github.hybridhbase.testing.TypedCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.FlushLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Tag;
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

  @Tag("long")
  @Test
  void triesThatACoprocessorFailsTakeNoCatalogOffSsd() throws Exception {
    try (TypedCluster cluster =
        TypedCluster.spec()
            .plugin()
            .conf(
                "hbase.coprocessor.region.classes",
                HybridRegionObserver.class.getName() + "," + FailsFlushes.class.getName())
            .conf("hbase.server.pause", 300)
            .start()) {
      cluster.util().createTable(TableName.valueOf("t"), "cf").close();
      FAILURES.set(8);
      cluster.flush(TableName.META_TABLE_NAME);
      assertTrue(FAILURES.get() == 0, "each of them was tried");
      assertEquals(THREE_SSD, newest(cluster));
    }
  }

  /** HBase has one attempt, which the engine repeats. */
  @Test
  void aFlushThatSsdRefusesIsWrittenToDiskAndLaterOnesToSsd() throws Exception {
    try (TypedCluster cluster =
        TypedCluster.spec()
            .plugin()
            .conf("hbase.hstore.flush.retries.number", 1)
            .conf("hbase.hybrid.ssd.retry", "1s")
            .conf("hbase.regionserver.hlog.blocksize", 8L << 20)
            .start()) {
      Ssds ssds = new Ssds(cluster);
      cluster.util().createTable(TableName.valueOf("t"), "cf").close();
      cluster.flush(TableName.META_TABLE_NAME);
      assertEquals(THREE_SSD, newest(cluster));
      ssds.capacity(900L << 20); // refused by each DataNode, chosen by the NameNode
      cluster.util().createTable(TableName.valueOf("u"), "cf").close();
      cluster.flush(TableName.META_TABLE_NAME);
      assertTrue(cluster.hbase().getRegionServer(0).isOnline());
      assertEquals(Collections.nCopies(3, StorageType.DISK), newest(cluster));
      ssds.capacity(16L << 30);
      AtomicInteger tables = new AtomicInteger();
      cluster.await(
          "catalogs back on SSD",
          () -> {
            try {
              TableName more = TableName.valueOf("more" + tables.incrementAndGet());
              cluster.util().createTable(more, "cf").close();
              cluster.flush(TableName.META_TABLE_NAME);
              return newest(cluster).equals(THREE_SSD);
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          });
    }
  }

  private static final List<StorageType> THREE_SSD = Collections.nCopies(3, StorageType.SSD);

  /** Media of hbase:meta's newest store file of its main family. */
  private static List<StorageType> newest(TypedCluster cluster) throws IOException {
    HRegion meta = cluster.hbase().getRegionServer(0).getRegions(TableName.META_TABLE_NAME).get(0);
    Path file =
        meta.getStore(HConstants.CATALOG_FAMILY).getStorefiles().stream()
            .max(Comparator.comparingLong(HStoreFile::getMaxSequenceId))
            .orElseThrow()
            .getPath();
    return new Ssds(cluster).media(file);
  }
}
