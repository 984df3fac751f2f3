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

import io.github.hybridhbase.hot.HotFiles;
import io.github.hybridhbase.hot.HotStore;
import io.github.hybridhbase.runtime.HybridKeys;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.tier.TierFile.Kind;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.commons.lang3.StringUtils;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HDFSBlocksDistribution;
import org.apache.hadoop.hbase.HDFSBlocksDistribution.HostAndWeight;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.io.HFileLink;
import org.apache.hadoop.hbase.regionserver.HRegionFileSystem;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.StoreEngine;
import org.apache.hadoop.hbase.regionserver.StoreFileInfo;
import org.apache.hadoop.hbase.regionserver.compactions.FIFOCompactionPolicy;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A store that the SSD tier serves. Thread-safe; {@link #refresh} is for the tier's thread. Tests
 * replace what reads HBase.
 */
@InterfaceAudience.Private
class TierStore {
  /** Marks a file that the tier wrote for SSD. */
  static final byte[] MARK = "HYBRID_TIER".getBytes(StandardCharsets.US_ASCII);

  private static final String SITE_POLICY = "hbase.hstore.block.storage.policy";

  final HStore store;
  final String table;
  final Path directory;

  /** Of new young files; NONE if they cannot leave SSD, or must not go there. */
  final StoragePolicy policy;

  /** On SSD. */
  final int replicas;

  final long maxAgeMillis;

  /** NONE for no files of hot rows. */
  final StoragePolicy hotPolicy;

  final int hotReplicas;

  /** Of a file, on any medium. */
  final int allReplicas;

  final StoreExit exit;

  /** Whether new files of its directory are replicated, on DISK; null if unknown. */
  volatile Boolean directoryServed;

  /** Key of the last file of a flush; null before. HBase runs one at a time. */
  volatile String flush;

  volatile boolean closed;
  volatile boolean hotLeaves;

  /** Null if its compactions are not split. */
  volatile HotStore hot;

  private volatile Map<String, TierFile> known = Map.of();

  /**
   * @param leaves whether its files can leave SSD
   */
  TierStore(HStore store, Configuration conf, TableSettings own, boolean leaves, StoreExit exit) {
    this.store = store;
    this.table = store.getTableName().getNameAsString();
    this.directory = store.getRegionFileSystem().getStoreDir(store.getColumnFamilyName());
    this.policy = leaves ? own.policy() : StoragePolicy.NONE;
    this.allReplicas = replication(store);
    this.replicas = policy == StoragePolicy.ONE_SSD ? 1 : allReplicas;
    this.maxAgeMillis = TimeUnit.SECONDS.toMillis(own.maxAgeSeconds());
    this.hotPolicy = policy.wantsSsd() ? HybridKeys.HOT_POLICY.get(conf) : StoragePolicy.NONE;
    this.hotReplicas = hotPolicy == StoragePolicy.ONE_SSD ? 1 : allReplicas;
    this.exit = exit;
  }

  /** Empty for a system table, a read replica, or a family with a policy of its own. */
  static Optional<TierStore> of(
      HStore store, Configuration conf, HybridSettings settings, StoreEngine<?, ?, ?, ?> engine) {
    ColumnFamilyDescriptor family = store.getColumnFamilyDescriptor();
    if (store.getTableName().isSystemTable()
        || !store.isPrimaryReplicaStore()
        || hasOwnPolicy(family, conf)) {
      return Optional.empty();
    }
    TableDescriptor table = store.getHRegion().getTableDescriptor();
    TableSettings own = TableSettings.of(settings, table, family);
    long turnNanos = TimeUnit.SECONDS.toNanos(settings.periodSeconds());
    return Optional.of(
        new TierStore(store, conf, own, canLeave(table, engine), new StoreExit(turnNanos)));
  }

  /** Whether a compaction can rewrite its files, and knows each before it is created. */
  private static boolean canLeave(TableDescriptor table, StoreEngine<?, ?, ?, ?> engine) {
    return engine.requireWritingToTmpDirFirst()
        && !(engine.getCompactionPolicy() instanceof FIFOCompactionPolicy)
        && table.isCompactionEnabled();
  }

  /** Whether HBase's settings give the family a policy, which wins. */
  static boolean hasOwnPolicy(ColumnFamilyDescriptor family, Configuration conf) {
    String own =
        family.getStoragePolicy() == null ? conf.get(SITE_POLICY) : family.getStoragePolicy();
    return StringUtils.isNotBlank(own) && !own.trim().equalsIgnoreCase("NONE");
  }

  private static int replication(HStore store) {
    int own = store.getColumnFamilyDescriptor().getDFSReplication();
    HRegionFileSystem files = store.getRegionFileSystem();
    return own > 0 ? own : files.getFileSystem().getDefaultReplication(files.getRegionDir());
  }

  /** The path of a committed file, without scheme and host. */
  String key(Path file) {
    return directory.toUri().getPath() + "/" + file.getName();
  }

  boolean serves() {
    return policy.wantsSsd() && !closed && !Boolean.FALSE.equals(directoryServed);
  }

  Collection<TierFile> known() {
    return known.values();
  }

  /** Empty if it has nothing on SSD. */
  Optional<TierFile> known(Path file) {
    return Optional.ofNullable(known.get(file.toUri().getPath()));
  }

  /** When a file was written that may leave, milliseconds since 1970; null if it may not. */
  Long leaving(Path file) {
    return known(file).filter(one -> one.is(Kind.YOUNG)).map(one -> one.writtenMillis).orElse(null);
  }

  /** Of its files of hot rows that may stay. */
  long hotBytes() {
    return TierFile.bytes(known().stream().filter(file -> file.is(Kind.HOT)));
  }

  double readsPerHotByte() {
    return hot == null ? 0 : hot.ssdPerSecond() / Math.max(1, hotBytes());
  }

  /**
   * Reads the store's files on SSD, compacted ones included.
   *
   * @return files that HBase has archived since
   */
  Collection<TierFile> refresh() {
    Map<String, TierFile> before = known;
    Map<String, TierFile> now = new HashMap<>();
    // In this order: a compaction may end in between.
    Collection<TierFile> live = live();
    compactedAway().forEach(file -> now.put(file.key(), file.passing(Long.MAX_VALUE)));
    live.forEach(file -> now.put(file.key(), file));
    known = now;
    return closed
        ? List.of()
        : before.values().stream()
            .filter(file -> !now.containsKey(file.key()))
            .collect(Collectors.toList());
  }

  Collection<TierFile> live() {
    return onSsd(store.getStorefiles());
  }

  Collection<TierFile> compactedAway() {
    Collection<HStoreFile> files = store.getCompactedFiles();
    return files == null ? List.of() : onSsd(files);
  }

  private List<TierFile> onSsd(Collection<HStoreFile> files) {
    List<TierFile> found = new ArrayList<>();
    for (HStoreFile file : files) {
      long bytes = bytesOnSsd(file);
      Path blocks =
          file.isReference() ? StoreFileInfo.getReferredToFile(file.getPath()) : file.getPath();
      if (bytes == 0
          || !isMarked(file)
          || file.getFileInfo().isLink()
          || HFileLink.isHFileLink(blocks)) {
        continue; // on DISK, or somebody else's
      }
      long written = file.getFileInfo().getCreatedTimestamp();
      boolean stays = isHot(file) && !hotLeaves;
      boolean passes = file.isReference() || HotFiles.length(file) == 0;
      long due = stays ? Long.MAX_VALUE : isHot(file) ? 0 : written + maxAgeMillis;
      Kind kind = passes ? Kind.PASSING : stays ? Kind.HOT : Kind.YOUNG;
      String ofBlocks = blocks.toUri().getPath();
      found.add(new TierFile(file.getPath(), ofBlocks, bytes, written, due, kind));
    }
    return found;
  }

  private boolean isHot(HStoreFile file) {
    return hotPolicy.wantsSsd() && HotFiles.isOn(file);
  }

  /** Bytes of hot files on SSD. */
  long hotOnSsd(Collection<HStoreFile> files) {
    return files.stream().filter(HotFiles::isOn).mapToLong(this::bytesOnSsd).sum();
  }

  long bytesOnSsd(HStoreFile file) {
    int wanted = !isMarked(file) ? 0 : isHot(file) ? hotReplicas : replicas;
    return bytesOnSsd(file, wanted, allReplicas);
  }

  private static boolean isMarked(HStoreFile file) {
    return file.getMetadataValue(MARK) != null || HotFiles.isIn(file);
  }

  /**
   * Bytes on SSD as HBase saw them when it opened the file. Replicas that were not reported then
   * count as on SSD: that may lag, under ONE_SSD for the one replica there.
   *
   * @param wanted replicas on SSD
   */
  static long bytesOnSsd(HStoreFile file, int wanted, int replicas) {
    HDFSBlocksDistribution blocks = file.getFileInfo().getHDFSBlockDistribution();
    long ssd = 0;
    long all = 0;
    if (blocks != null) {
      for (HostAndWeight host : blocks.getHostAndWeights().values()) {
        ssd += host.getWeightForSsd();
        all += host.getWeight();
      }
    }
    long length = HotFiles.length(file);
    return file.isReference()
        ? ssd
        : Math.max(ssd, Math.min(length * wanted, ssd + length * replicas - all));
  }
}
