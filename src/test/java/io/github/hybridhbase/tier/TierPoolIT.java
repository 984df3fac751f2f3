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
package io.github.hybridhbase.tier;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.config.HybridKeys;
import io.github.hybridhbase.testing.TypedCluster;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.ScanType;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequest;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

/** The SSD tier beside compactions that wait for HBase's threads. */
@InterfaceAudience.Private
class TierPoolIT {
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] OTHER = Bytes.toBytes("g");

  private static final CountDownLatch GO_ON = new CountDownLatch(1);

  /** Keeps a table's compactions from going on. */
  @InterfaceAudience.Private
  public static final class Blocking implements RegionCoprocessor, RegionObserver {
    @Override
    public Optional<RegionObserver> getRegionObserver() {
      return Optional.of(this);
    }

    @Override
    public InternalScanner preCompact(
        ObserverContext<RegionCoprocessorEnvironment> context,
        Store store,
        InternalScanner scanner,
        ScanType scanType,
        CompactionLifeCycleTracker tracker,
        CompactionRequest request)
        throws IOException {
      try {
        GO_ON.await();
      } catch (InterruptedException e) {
        throw (IOException) new InterruptedIOException().initCause(e);
      }
      return scanner;
    }
  }

  @Test
  void whileCompactionsWaitNothingIsQueuedBehindThem() throws Exception {
    try (TypedCluster cluster =
        TypedCluster.spec()
            .plugin()
            .regionServers(2)
            .conf(HybridKeys.MOVE_EXISTING.name(), "true")
            .conf(HybridKeys.TMP_PERIOD.name(), 1)
            .conf(HybridKeys.SSD_DWELL.name(), 1)
            .start()) {
      try {
        run(cluster);
      } finally {
        GO_ON.countDown();
      }
    }
  }

  private static void run(TypedCluster cluster) throws Exception {
    StoreFileMedia storeFiles = new StoreFileMedia(cluster);
    Admin admin = cluster.connection().getAdmin();
    TableName blocked = create(cluster, "blocked", 3_600, true);
    ServerName full = at(cluster, blocked).getServerName();
    ServerName idle =
        admin.getRegionServers().stream()
            .filter(one -> !one.equals(full))
            .findFirst()
            .orElseThrow();
    write(cluster, blocked, FAMILY, OTHER);
    // One compaction runs, the other family's waits for the thread.
    admin.majorCompact(blocked);
    cluster.await("a compaction that waits", () -> waiting(cluster, full) > 0);

    TableName behind = create(cluster, "behind", 3, false);
    TableName beside = create(cluster, "beside", 3, false);
    move(cluster, behind, full);
    move(cluster, beside, idle);
    storeFiles.awaitOpen(behind);
    storeFiles.awaitOpen(beside);
    write(cluster, behind, FAMILY);
    assertTrue(storeFiles.allOn(behind, StorageType.SSD));
    for (int file = 0; file < 2; file++) {
      write(cluster, beside, FAMILY);
      storeFiles.awaitAllOn(beside, StorageType.DISK);
    }
    // Written before both of those.
    assertTrue(storeFiles.allOn(behind, StorageType.SSD), () -> "" + storeFiles.files(behind));
    assertTrue(waiting(cluster, full) > 0);
    GO_ON.countDown();
    storeFiles.awaitAllOn(behind, StorageType.DISK);
  }

  private static int waiting(TypedCluster cluster, ServerName server) {
    return cluster.hbase().getRegionServer(server).getCompactSplitThread().getCompactionQueueSize();
  }

  private static HRegionLocation at(TypedCluster cluster, TableName table) throws IOException {
    return cluster.connection().getRegionLocator(table).getAllRegionLocations().get(0);
  }

  private static void move(TypedCluster cluster, TableName table, ServerName to) throws Exception {
    if (!at(cluster, table).getServerName().equals(to)) {
      byte[] region = at(cluster, table).getRegion().getEncodedNameAsBytes();
      cluster.connection().getAdmin().move(region, to);
      cluster.util().waitUntilNoRegionsInTransition(TypedCluster.AWAIT_MILLIS);
    }
  }

  private static TableName create(
      TypedCluster cluster, String name, int maxAgeSeconds, boolean blocking) throws Exception {
    TableName table = TableName.valueOf(name);
    TableDescriptorBuilder builder =
        TableDescriptorBuilder.newBuilder(table)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(OTHER))
            .setValue(HybridKeys.TMP_MAX_AGE.name(), Integer.toString(maxAgeSeconds));
    if (blocking) {
      builder.setCoprocessor(Blocking.class.getName());
    }
    cluster.connection().getAdmin().createTable(builder.build());
    return table;
  }

  private static void write(TypedCluster cluster, TableName to, byte[]... families)
      throws Exception {
    try (Table table = cluster.connection().getTable(to)) {
      Put put = new Put(FAMILY);
      for (byte[] family : families) {
        put.addColumn(family, FAMILY, UpdateLoad.value(1));
      }
      table.put(put);
    }
    cluster.flush(to);
  }
}
