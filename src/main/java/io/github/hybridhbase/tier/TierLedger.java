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

import io.github.hybridhbase.placement.TierState;
import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.Metric;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * What one server's stores have or are writing on SSD, and what they may still write. Thread-safe.
 */
@InterfaceAudience.Private
final class TierLedger {
  private final Set<TierStore> stores = new HashSet<>();

  /** Files that are being written, by path once committed. */
  private final Map<String, NewStoreFile> charges = new HashMap<>();

  /** Files that HBase has archived, until it should have deleted them. */
  private final Map<String, TierFile> archived = new HashMap<>();

  private long seen;
  private long seenHot;

  /** Written under the lock, read without. */
  private volatile TierState tierState = TierState.paused("the master has not opened it");

  private TierQuota quota = TierQuota.NONE;

  synchronized void attach(TierStore store) {
    stores.add(store);
    seen += TierFile.bytes(store.known().stream());
  }

  synchronized void detach(TierStore store) {
    store.closed = true;
    stores.remove(store);
    charges.values().stream().filter(charge -> charge.store == store).forEach(NewStoreFile::close);
    charges.values().removeIf(charge -> charge.store == store);
  }

  synchronized List<TierStore> stores() {
    return new ArrayList<>(stores);
  }

  synchronized void apply(TierState next) {
    if (!next.equals(tierState)) {
      tierState = next;
      quota = next.open() ? TierQuota.of(next.share(), next.room(), used()) : TierQuota.NONE;
    }
  }

  TierState tierState() {
    return tierState;
  }

  synchronized TierQuota quota() {
    return quota;
  }

  synchronized long used() {
    return seen + charges.values().stream().mapToLong(charge -> charge.bytes).sum();
  }

  /**
   * Bytes of hot files. A file in flight and those that it replaces count as the larger of the two,
   * or each renewal would have hot files leave; {@link #used} counts both.
   */
  private long hot() {
    return seenHot
        + charges.values().stream()
            .filter(charge -> charge.kind == NewStoreFile.Kind.HOT)
            .mapToLong(charge -> Math.max(0, charge.bytes - charge.replacedBytes))
            .sum();
  }

  /**
   * Whether a file goes to SSD, for which it is charged.
   *
   * @param key its path once committed
   * @param mayTake whether SSD takes files, and they can leave it
   */
  synchronized boolean takes(TierStore store, String key, NewStoreFile file, boolean mayTake) {
    if (!isOpen(store, mayTake)) {
      return false;
    }
    if (!quota.takes(file, used(), hot())) {
      HybridMetrics.get().count(Metric.TIER_OVER_BUDGET);
      return false;
    }
    file.store = store;
    charges.put(key, file);
    return true;
  }

  private boolean isOpen(TierStore store, boolean mayTake) {
    return mayTake && store.serves() && tierState.open();
  }

  /** See {@link TierQuota#hotRoom}. */
  synchronized long hotRoom(TierStore store, boolean mayTake, long replaced) {
    return isOpen(store, mayTake) && !store.hotLeaves ? quota.hotRoom(used(), hot(), replaced) : 0;
  }

  /**
   * Chooses the stores whose hot files must leave SSD: all if the tier is closed, else the least
   * read per byte above the quota; none without a grant.
   */
  synchronized void chooseHotLeavers() {
    List<TierStore> staying = new ArrayList<>();
    for (TierStore store : stores) {
      if (store.hotBytes() == 0 && store.known().stream().noneMatch(file -> file.dueMillis == 0)) {
        store.hotLeaves = false;
      } else if (!store.hotLeaves) {
        staying.add(store);
      }
    }
    staying.sort(Comparator.comparingDouble(TierStore::readsPerHotByte));
    long excess =
        tierState.open() ? hot() - quota.ofHot() : tierState.drains() ? Long.MAX_VALUE : 0;
    for (TierStore store : staying) {
      store.hotLeaves = excess > 0;
      excess -= store.hotBytes();
    }
  }

  /**
   * Counts a file as seen until the next look.
   *
   * @param bytes of its replicas on SSD that HBase knows; 0 perhaps before their report
   * @return null if it is not charged
   */
  synchronized NewStoreFile committed(String key, long length, long bytes) {
    NewStoreFile charge = charges.remove(key);
    if (charge != null) {
      charge.close();
      long onSsd = bytes > 0 ? bytes : length * charge.file.placedOnSsd();
      seen += onSsd;
      seenHot +=
          charge.kind == NewStoreFile.Kind.HOT ? Math.max(0, onSsd - charge.replacedBytes) : 0;
      HybridMetrics.get().count(Metric.TIERED_BYTES, onSsd);
    }
    return charge;
  }

  /** Whether it was charged. */
  synchronized boolean failed(String key) {
    NewStoreFile charge = charges.remove(key);
    if (charge != null) {
      charge.close();
    }
    return charge != null;
  }

  synchronized void archived(Collection<TierFile> files, long deletedMillis) {
    files.forEach(file -> archived.put(file.blocks, file.passing(deletedMillis)));
  }

  /** Daughters of a split refer to the parent's files, which count once, as the larger. */
  synchronized void look(long nowMillis) {
    archived.values().removeIf(file -> file.dueMillis <= nowMillis);
    Map<String, TierFile> there = new HashMap<>(archived);
    for (TierStore store : stores) {
      for (TierFile file : store.known()) {
        there.merge(file.blocks, file, (one, other) -> one.bytes >= other.bytes ? one : other);
      }
    }
    seen = TierFile.bytes(there.values().stream());
    seenHot = TierFile.bytes(there.values().stream().filter(file -> file.is(TierFile.Kind.HOT)));
  }
}
