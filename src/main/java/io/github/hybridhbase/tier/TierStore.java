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
import io.github.hybridhbase.runtime.Failures;
import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.Metric;
import io.github.hybridhbase.tier.TierFile.Kind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HDFSBlocksDistribution;
import org.apache.hadoop.hbase.HDFSBlocksDistribution.HostAndWeight;
import org.apache.hadoop.hbase.io.HFileLink;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.StoreFileInfo;
import org.apache.hadoop.hbase.regionserver.StoreFileWriter;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A store that the SSD tier serves. Thread-safe; {@link #refresh} is for the tier's thread. Tests
 * replace what reads HBase.
 */
@InterfaceAudience.Private
class TierStore {
  /** Marks a file that the tier wrote for SSD. */
  private static final byte[] MARK = "HYBRID_TIER".getBytes(StandardCharsets.US_ASCII);

  private final HStore store;
  final StoreTierConfig config;
  private final Supplier<Set<String>> compacting;
  final StoreExit exit;
  private volatile Map<String, TierFile> known = Map.of();

  /** Bytes on SSD by file name, of replicas reported after HBase opened the file. */
  private final Map<String, Long> foundLater = new ConcurrentHashMap<>();

  /** Whether new files of its directory are replicated, on DISK; null if unknown. */
  private volatile Boolean directoryServed;

  private volatile boolean closed;
  private volatile boolean hotLeaves;

  /** Null if its compactions are not split. */
  private volatile HotStore hot;

  TierStore(
      HStore store, StoreTierConfig config, StoreExit exit, Supplier<Set<String>> compacting) {
    this.store = store;
    this.config = config;
    this.exit = exit;
    this.compacting = compacting;
  }

  static void mark(StoreFileWriter writer) throws IOException {
    writer.appendFileInfo(MARK, new byte[] {1});
  }

  HStore store() {
    return store;
  }

  boolean serves() {
    return config.off.isEmpty() && !closed && !Boolean.FALSE.equals(directoryServed);
  }

  boolean isDirectoryKnown() {
    return directoryServed != null;
  }

  void directoryServed(boolean served) {
    directoryServed = served;
  }

  boolean isClosed() {
    return closed;
  }

  void close() {
    closed = true;
  }

  HotStore hot() {
    return hot;
  }

  void hot(HotStore reads) {
    hot = reads;
  }

  boolean hotLeaves() {
    return hotLeaves;
  }

  void hotLeaves(boolean leaves) {
    hotLeaves = leaves;
  }

  Collection<TierFile> known() {
    return known.values();
  }

  /** Of its files of hot rows that may stay. */
  long hotBytes() {
    return known().stream().filter(file -> file.is(Kind.HOT)).mapToLong(file -> file.bytes).sum();
  }

  double readsPerHotByte() {
    HotStore reads = hot;
    return reads == null ? 0 : reads.ssdPerSecond() / Math.max(1, hotBytes());
  }

  void foundOnSsd(String name, long bytes) {
    foundLater.put(name, bytes);
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
    compactedAway().forEach(file -> now.put(file.key(), file.gone(Long.MAX_VALUE)));
    live.forEach(file -> now.put(file.key(), hotLeaves ? file.leaving() : file));
    if (now.isEmpty() && before.isEmpty()) {
      return List.of();
    }
    known = now;
    if (closed) {
      return List.of();
    }
    count(before.values(), now);
    return before.values().stream()
        .filter(file -> !now.containsKey(file.key()))
        .collect(Collectors.toList());
  }

  private void count(Collection<TierFile> before, Map<String, TierFile> now) {
    List<TierFile> taken = new ArrayList<>(before);
    taken.removeIf(
        file -> !file.is(Kind.YOUNG) && !file.is(Kind.HOT) || isLive(now.get(file.key())));
    if (taken.isEmpty()) {
      return;
    }
    Set<String> toDisk = compactedToDisk();
    // A new hot file has the old one's rows; HBase names the old one as input of the cold file.
    boolean renewed = now.values().stream().anyMatch(file -> file.is(Kind.HOT));
    for (TierFile file : taken) {
      boolean rewritten = toDisk.contains(file.name()) && !(renewed && file.is(Kind.HOT));
      HybridMetrics.get()
          .count(rewritten ? Metric.TIER_REWRITTEN_BYTES : Metric.TIER_DIED_BYTES, file.bytes);
    }
  }

  private static boolean isLive(TierFile file) {
    return file != null && !file.is(Kind.GONE);
  }

  /** All files if HBase does not report them. */
  Set<String> compacting() {
    try {
      return compacting.get();
    } catch (RuntimeException e) {
      Failures.swallowed("A store could not be asked for its compactions; others go on.", e);
      return known().stream().map(TierFile::name).collect(Collectors.toSet());
    }
  }

  Collection<TierFile> live() {
    Collection<HStoreFile> files = store.getStorefiles();
    if (!foundLater.isEmpty()) {
      foundLater
          .keySet()
          .retainAll(
              Stream.concat(files.stream(), store.getCompactedFiles().stream())
                  .map(file -> file.getPath().getName())
                  .collect(Collectors.toSet()));
    }
    return onSsd(files);
  }

  Collection<TierFile> compactedAway() {
    Collection<HStoreFile> files = store.getCompactedFiles();
    return files == null ? List.of() : onSsd(files);
  }

  private List<TierFile> onSsd(Collection<HStoreFile> files) {
    List<TierFile> found = new ArrayList<>();
    for (HStoreFile file : files) {
      long bytes = bytesOnSsd(file);
      if (bytes == 0 || !isMarked(file)) {
        continue;
      }
      Path blocks =
          file.isReference() ? StoreFileInfo.getReferredToFile(file.getPath()) : file.getPath();
      if (file.getFileInfo().isLink() || HFileLink.isHFileLink(blocks)) {
        continue; // another table's
      }
      boolean isHot = isHot(file);
      long written = file.getFileInfo().getCreatedTimestamp();
      TierFile one =
          new TierFile(
              file.getPath(),
              config.table,
              bytes,
              written,
              isHot ? Long.MAX_VALUE : written + config.maxAgeMillis,
              isHot ? Kind.HOT : ExitSelection.mayRewrite(file) ? Kind.YOUNG : Kind.FIXED);
      found.add(file.isReference() ? one.referringTo(blocks) : one);
    }
    return found;
  }

  private static boolean isMarked(HStoreFile file) {
    return file.getMetadataValue(MARK) != null || HotFiles.isIn(file);
  }

  private boolean isHot(HStoreFile file) {
    return config.hotPolicy.wantsSsd() && HotFiles.isOn(file);
  }

  long bytesOnSsd(HStoreFile file) {
    return Math.max(
        bytesOnSsd(file, isHot(file) ? config.hotReplicas : config.replicas),
        foundLater.getOrDefault(file.getPath().getName(), 0L));
  }

  /**
   * Bytes on SSD as HBase saw them when it opened the file. If a replica was there, those not yet
   * reported are assumed there too.
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
    boolean tiered = ssd > 0 && !file.isReference();
    return tiered ? ssd + Math.max(0, HotFiles.length(file) * replicas - all) : ssd;
  }

  /** Names of files compacted into a file off SSD, which names its inputs. */
  Set<String> compactedToDisk() {
    Set<String> names = new HashSet<>();
    for (HStoreFile file : store.getStorefiles()) {
      byte[] inputs = file.getMetadataValue(HStoreFile.COMPACTION_EVENT_KEY);
      if (inputs != null && bytesOnSsd(file) == 0) {
        try {
          names.addAll(ProtobufUtil.toCompactedStoreFiles(inputs));
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    }
    return names;
  }
}
