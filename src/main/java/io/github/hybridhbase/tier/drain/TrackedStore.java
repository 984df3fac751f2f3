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
package io.github.hybridhbase.tier.drain;

import io.github.hybridhbase.hot.HotStore;
import io.github.hybridhbase.runtime.Failures;
import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.Metric;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The state that the tier keeps of one open store. Flags may be read on any thread, the rest is the
 * working thread's.
 */
@InterfaceAudience.Private
public final class TrackedStore {
  private final StoreTierConfig config;
  private final StoreView store;

  /** Changes under the lock: exits have threads of their own and take files out. */
  private volatile Map<String, TieredFile> known = Map.of();

  /** Files that HBase remembers on SSD and a listing did not find there. */
  private final Set<String> left = new HashSet<>();

  public volatile boolean checked;

  public boolean tableChecked;

  /** New files of its directory go to DISK unless they have a policy. */
  public volatile boolean servable = true;

  public volatile boolean closed;

  public volatile boolean hotLeaves;

  /** Null if its compactions are not split. */
  public volatile HotStore hot;

  public TrackedStore(StoreTierConfig config, StoreView store) {
    this.config = config;
    this.store = store;
  }

  public StoreTierConfig config() {
    return config;
  }

  public StoreView store() {
    return store;
  }

  public boolean serves() {
    return config.off().isEmpty() && servable && !closed;
  }

  /**
   * Reads the store's files on SSD, compacted ones included.
   *
   * @return files that were there before: HBase has archived them
   */
  public synchronized Collection<TieredFile> refresh() {
    Map<String, TieredFile> before = known;
    Map<String, TieredFile> now = new HashMap<>();
    // In this order: a compaction that ends in between moves a file from the one to the other.
    List<TieredFile> live = new ArrayList<>(store.onSsd());
    if (hotLeaves) {
      live.replaceAll(TieredFile::leaving);
    }
    List<TieredFile> away = new ArrayList<>(store.compactedAway());
    if (!left.isEmpty()) {
      Set<String> names =
          Stream.concat(live.stream(), away.stream())
              .map(TieredFile::name)
              .collect(Collectors.toSet());
      left.retainAll(names);
      live.removeIf(file -> left.contains(file.name()));
      away.removeIf(file -> left.contains(file.name()));
    }
    if (live.isEmpty() && away.isEmpty() && before.isEmpty()) {
      return List.of();
    }
    away.forEach(file -> now.put(file.key(), file.archived(file.path(), Long.MAX_VALUE)));
    live.forEach(file -> now.put(file.key(), file));
    known = now;
    count(before.values(), now);
    List<TieredFile> gone = new ArrayList<>(before.values());
    gone.removeIf(file -> now.containsKey(file.key()));
    return closed ? List.of() : gone;
  }

  /** HDFS has moved the file, though HBase remembers it on SSD. */
  synchronized void leftSsd(TieredFile file) {
    left.add(file.name());
    Map<String, TieredFile> others = new HashMap<>(known);
    others.remove(file.key());
    known = others;
  }

  /** Names of its files being compacted; all if HBase does not report them. */
  public Set<String> compacting() {
    if (known.isEmpty()) {
      return Set.of();
    }
    try {
      return store.compacting();
    } catch (RuntimeException e) {
      Failures.swallowed("A store could not be asked for its compactions; others go on.", e);
      return known.values().stream().map(TieredFile::name).collect(Collectors.toSet());
    }
  }

  private void count(Collection<TieredFile> before, Map<String, TieredFile> now) {
    List<TieredFile> taken = new ArrayList<>(before);
    taken.removeIf(file -> file.archived() || !file.rewritable() || isLive(now.get(file.key())));
    if (taken.isEmpty() || closed) {
      return;
    }
    Set<String> toDisk = store.compactedToDisk();
    // A new file of hot rows has the old one's rows; HBase knows it as an input of the cold file.
    boolean renewed = now.values().stream().anyMatch(file -> file.hot() && isLive(file));
    for (TieredFile file : taken) {
      boolean rewritten = toDisk.contains(file.name()) && !(renewed && file.hot());
      HybridMetrics.get()
          .count(rewritten ? Metric.TIER_REWRITTEN_BYTES : Metric.TIER_DIED_BYTES, file.bytes());
    }
  }

  private static boolean isLive(TieredFile file) {
    return file != null && !file.archived();
  }

  public Collection<TieredFile> known() {
    return known.values();
  }

  /** Of its files of hot rows that may stay. */
  public long hotBytes() {
    return known().stream().filter(TieredFile::hot).mapToLong(TieredFile::bytes).sum();
  }

  public double readsPerHotByte() {
    HotStore reads = hot;
    return reads == null ? 0 : reads.ssdPerSecond() / Math.max(1, hotBytes());
  }
}
