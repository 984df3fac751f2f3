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

import io.github.hybridhbase.it.BlockProof;
import io.github.hybridhbase.it.Part;
import io.github.hybridhbase.it.Rows;
import io.github.hybridhbase.runtime.HybridKeys;
import io.github.hybridhbase.testing.TypedCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.replication.ReplicationPeerConfig;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Replication reads WALs, which the SSD tier has nothing to do with: both go on side by side. */
@Tag("long")
@InterfaceAudience.Private
class TierReplicationIT {
  private static final String PEER = "peer";
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final long BUDGET = 1_200_000;

  @Test
  @DisplayName("a lagging peer holds WALs on SSD at no cost for the tier, and gets every row")
  void laggingPeer_getsEveryRow() throws Exception {
    long seed = System.nanoTime();
    System.out.println("TierReplicationIT: seed " + seed);
    Random random = new Random(seed);
    try (TypedCluster cluster =
        TypedCluster.spec()
            .plugin()
            .regionServers(2)
            .conf("hbase.master.logcleaner.ttl", 100)
            .conf("hbase.master.cleaner.interval", 500)
            .conf(HybridKeys.TIER_BUDGET.name(), BUDGET)
            .conf("hybrid.tests.period", 1)
            // The SSD tier opens once the space on SSD has stood for this long.
            .start()) {
      LaggingPeer.holdBack();
      Admin admin = cluster.connection().getAdmin();
      Rows tiered = replicated(cluster, "tiered", null, random);
      Rows other = replicated(cluster, "other", "HOT", random);
      for (Rows rows : List.of(tiered, other)) {
        Rows.create(cluster, LaggingPeer.copyOf(rows.table()), "DEFAULT", "HOT", random);
      }
      admin.addReplicationPeer(
          PEER,
          ReplicationPeerConfig.newBuilder()
              .setReplicationEndpointImpl(LaggingPeer.class.getName())
              .setReplicateAllUserTables(true)
              .build());
      StoreFileMedia storeFiles = new StoreFileMedia(cluster);
      storeFiles.awaitOpen(tiered.table());

      other.put(2_000);
      cluster.flush(other.table());
      // A WAL is not done with before all that is in it was flushed.
      cluster.flush(TableName.NAMESPACE_TABLE_NAME);
      cluster.rollWals();
      BlockProof proof = new BlockProof(cluster);
      cluster.await("WALs held for the peer", () -> heldOnSsd(proof) > BUDGET);
      long held = heldOnSsd(proof);
      tiered.put(100);
      cluster.flush(tiered.table());
      assertTrue(
          storeFiles.allOn(tiered.table(), StorageType.SSD),
          storeFiles.files(tiered.table())::toString);
      cluster.await("charges", () -> storeFiles.charged(tiered.table()) == storeFiles.bytesOnSsd());

      tiered.put(100);
      cluster.flush(tiered.table());
      cluster.compact(tiered.table(), true);
      tiered.put(100);
      cluster.rollWals();
      assertTrue(heldOnSsd(proof) >= held, "WALs went before the peer had read them");
      LaggingPeer.letGo();
      for (Rows rows : List.of(tiered, other)) {
        Rows copy = rows.as(LaggingPeer.copyOf(rows.table()));
        cluster.await("every row at the peer", () -> allThere(copy));
      }
      cluster.await("the end of WALs that nobody holds", () -> heldOnSsd(proof) < held);
      tiered.assertAllThere();
    } finally {
      LaggingPeer.letGo();
    }
  }

  private static Rows replicated(TypedCluster cluster, String name, String policy, Random random)
      throws Exception {
    Rows rows = Rows.create(cluster, name, "DEFAULT", policy, random);
    Admin admin = cluster.connection().getAdmin();
    TableDescriptor now = admin.getDescriptor(rows.table());
    admin.modifyColumnFamily(
        rows.table(),
        ColumnFamilyDescriptorBuilder.newBuilder(now.getColumnFamily(FAMILY)).setScope(1).build());
    cluster.util().waitUntilNoRegionsInTransition(TypedCluster.AWAIT_MILLIS);
    return rows;
  }

  /** Bytes on SSD of WALs that are done with. */
  private static long heldOnSsd(BlockProof proof) {
    return proof.files(Part.OLD_WALS).stream().mapToLong(file -> file.bytes(StorageType.SSD)).sum();
  }

  private static boolean allThere(Rows rows) {
    try {
      rows.assertAllThere();
      return true;
    } catch (AssertionError e) {
      return false;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
