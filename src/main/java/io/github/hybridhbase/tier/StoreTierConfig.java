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

import io.github.hybridhbase.runtime.HybridKeys;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.StoragePolicy;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.HRegionFileSystem;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionPolicy;
import org.apache.hadoop.hbase.regionserver.compactions.FIFOCompactionPolicy;
import org.apache.yetus.audience.InterfaceAudience;

/** How the SSD tier serves one store. Immutable. */
@InterfaceAudience.Private
final class StoreTierConfig {
  private static final String SITE_POLICY = "hbase.hstore.block.storage.policy";

  private static final String REPLICATION = ColumnFamilyDescriptorBuilder.DFS_REPLICATION;

  /** What HDFS allows by default ({@code dfs.replication.max}). */
  private static final int MOST_REPLICAS = 512;

  final String table;
  final Path directory;
  final StoragePolicy policy;
  final int replicas;
  final long maxAgeMillis;
  final String off;
  final StoragePolicy hotPolicy;
  final int hotReplicas;

  /**
   * @param replicas on SSD
   * @param off why nothing goes to SSD, for people; empty if it does
   * @param hotPolicy NONE for no files of hot rows
   */
  StoreTierConfig(
      String table,
      Path directory,
      StoragePolicy policy,
      int replicas,
      long maxAgeMillis,
      String off,
      StoragePolicy hotPolicy,
      int hotReplicas) {
    this.table = table;
    this.directory = directory;
    this.policy = policy;
    this.replicas = replicas;
    this.maxAgeMillis = maxAgeMillis;
    this.off = off;
    this.hotPolicy = hotPolicy;
    this.hotReplicas = hotReplicas;
  }

  /**
   * Empty for a system table, a read replica, or a family with a policy of its own.
   *
   * @param tracksByDirectory whether files enter the store by a rename
   */
  static Optional<StoreTierConfig> of(
      HStore store,
      Configuration conf,
      HybridSettings settings,
      boolean tracksByDirectory,
      CompactionPolicy compactions) {
    ColumnFamilyDescriptor family = store.getColumnFamilyDescriptor();
    if (store.getTableName().isSystemTable()
        || !store.isPrimaryReplicaStore()
        || hasOwnPolicy(family, conf)) {
      return Optional.empty();
    }
    TableSettings own =
        TableSettings.of(settings, store.getHRegion().getTableDescriptor()).family(family);
    StoragePolicy policy = own.policy();
    String off = own.off();
    if (!off.isEmpty()) {
      // It has a reason.
    } else if (!tracksByDirectory) {
      off = "its store file tracker writes files in place";
    } else if (compactions instanceof FIFOCompactionPolicy) {
      off = "its compaction policy never rewrites files, so they could not leave SSD";
    } else if (!store.getHRegion().getTableDescriptor().isCompactionEnabled()) {
      off = "compactions are switched off for the table, so files could not leave SSD";
    }
    StoragePolicy hot = HybridKeys.HOT_POLICY.get(conf);
    int replicas = replication(store, conf);
    return Optional.of(
        new StoreTierConfig(
            store.getTableName().getNameAsString(),
            store.getRegionFileSystem().getStoreDir(family.getNameAsString()),
            policy.wantsSsd() ? policy : StoragePolicy.ALL_SSD,
            policy == StoragePolicy.ONE_SSD ? 1 : replicas,
            TimeUnit.SECONDS.toMillis(own.maxAgeSeconds()),
            off,
            off.isEmpty() ? hot : StoragePolicy.NONE,
            hot == StoragePolicy.ONE_SSD ? 1 : replicas));
  }

  /** Whether HBase's settings give the family a policy, which wins. */
  static boolean hasOwnPolicy(ColumnFamilyDescriptor family, Configuration conf) {
    String own = family.getStoragePolicy();
    return named(own) || own == null && named(conf.get(SITE_POLICY));
  }

  private static boolean named(String policy) {
    return policy != null && !policy.trim().isEmpty() && !policy.trim().equalsIgnoreCase("NONE");
  }

  /** As HBase's writers read it, without their failures. */
  static int replication(HStore store, Configuration conf) {
    int own;
    try {
      own = Short.parseShort(conf.get(REPLICATION, "0"));
    } catch (NumberFormatException e) {
      own = 0; // HBase refuses to write such a store's files
    }
    HRegionFileSystem files = store.getRegionFileSystem();
    int replicas =
        own > 0 ? own : files.getFileSystem().getDefaultReplication(files.getRegionDir());
    return Math.max(1, Math.min(replicas, MOST_REPLICAS));
  }

  /** The path of a committed file, without scheme and host. */
  String key(String name) {
    return directory.toUri().getPath() + "/" + name;
  }
}
