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

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.HDFSBlocksDistribution;
import org.apache.hadoop.hbase.HDFSBlocksDistribution.HostAndWeight;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionLifeCycleTracker;
import org.apache.yetus.audience.InterfaceAudience;

/** A store of HBase's, read from what HBase has in memory. */
@InterfaceAudience.Private
final class HBaseStore implements OpenStore {
  /** What this thread asks of a store; the store's engine looks here when HBase makes it select. */
  private static final ThreadLocal<ExitRequest> ASKED = new ThreadLocal<>();

  private final HStore store;
  private final StoreTierConfig config;
  private final Supplier<Set<String>> compacting;

  /**
   * Reads a store.
   *
   * @param compacting names of the files that are being compacted, which HBase tells its engine
   *     only
   */
  HBaseStore(HStore store, StoreTierConfig config, Supplier<Set<String>> compacting) {
    this.store = store;
    this.config = config;
    this.compacting = compacting;
  }

  @Override
  public List<TieredFile> onSsd() {
    return tiered(store.getStorefiles());
  }

  @Override
  public List<TieredFile> compactedAway() {
    Collection<HStoreFile> files = store.getCompactedFiles();
    return files == null ? List.of() : tiered(files);
  }

  private List<TieredFile> tiered(Collection<HStoreFile> files) {
    List<TieredFile> found = new ArrayList<>();
    for (HStoreFile file : files) {
      long bytes = file.getFileInfo().isLink() ? 0 : bytesOnSsd(file, config.replicas());
      if (bytes > 0) {
        found.add(
            TieredFile.inStore(
                file.getPath(),
                config.table(),
                bytes,
                file.getFileInfo().getCreatedTimestamp(),
                config.maxAgeMillis(),
                mayRewrite(file)));
      }
    }
    return found;
  }

  /** Whether a minor compaction may take it, with others or alone. */
  static boolean mayRewrite(HStoreFile file) {
    return !file.isReference()
        && !file.getFileInfo().isLink()
        && file.getReader() != null
        && !file.excludeFromMinorCompaction();
  }

  /**
   * Bytes of a file's replicas on SSD, as HBase saw them when it opened the file. The last replicas
   * of a file just closed may not have been reported to the NameNode then: where all that it knew
   * were on SSD, all are.
   *
   * @param replicas how many replicas of a tiered file are on SSD
   */
  static long bytesOnSsd(HStoreFile file, int replicas) {
    HDFSBlocksDistribution blocks = file.getFileInfo().getHDFSBlockDistribution();
    long ssd = 0;
    long all = 0;
    if (blocks != null) {
      for (HostAndWeight host : blocks.getHostAndWeights().values()) {
        ssd += host.getWeightForSsd();
        all += host.getWeight();
      }
    }
    boolean whole = ssd > 0 && ssd == all && !file.isReference() && file.getReader() != null;
    return whole ? Math.max(ssd, file.getReader().length() * replicas) : ssd;
  }

  @Override
  public Set<String> compacting() {
    return compacting.get();
  }

  @Override
  public ExitRequest.Outcome rewrite(ExitRequest request) throws IOException {
    ASKED.set(request);
    try {
      store
          .getHRegion()
          .requestCompaction(
              store.getColumnFamilyDescriptor().getName(),
              "files leave SSD",
              Store.NO_PRIORITY,
              false,
              CompactionLifeCycleTracker.DUMMY);
    } finally {
      ASKED.remove();
    }
    return request.outcome();
  }

  /** What this thread asks of the store that it makes HBase select in; empty where it does not. */
  static Optional<ExitRequest> asked() {
    return Optional.ofNullable(ASKED.get());
  }
}
