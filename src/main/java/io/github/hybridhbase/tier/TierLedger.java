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
import io.github.hybridhbase.runtime.Backoff;
import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.Metric;
import io.github.hybridhbase.tier.TierQuota.Verdict;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one server's stores have or are writing on SSD, and what they may still write. Thread-safe.
 */
@InterfaceAudience.Private
final class TierLedger {
  private static final Logger LOG = LoggerFactory.getLogger(TierLedger.class);

  /** Looks after which a committed file that was never seen counts as gone. */
  private static final int LOOKS = 3;

  private final LongSupplier clock;
  private final Set<TierStore> stores = new HashSet<>();

  /** Files that are being written, or that no look has seen yet, by path. */
  private final Map<String, NewStoreFile> charges = new HashMap<>();

  /** Files that HBase has archived, until it should have deleted them. */
  private final Map<String, TierFile> archived = new HashMap<>();

  private long seen;
  private long seenHot;

  /** Written under the lock, read without. */
  private volatile TierState tierState = TierState.paused("the master has not opened it");

  private TierQuota quota = TierQuota.NONE;
  private Backoff refusals;

  /**
   * @param clock nanoseconds
   */
  TierLedger(int retrySeconds, LongSupplier clock) {
    this.clock = clock;
    this.refusals = Backoff.starting(TimeUnit.SECONDS.toNanos(retrySeconds));
  }

  synchronized void attach(TierStore store) {
    stores.add(store);
    seen += store.known().stream().mapToLong(file -> file.bytes).sum();
  }

  synchronized void detach(TierStore store) {
    store.closed = true;
    stores.remove(store);
    charges.values().stream().filter(charge -> charge.store == store).forEach(NewStoreFile::close);
    charges.values().removeIf(charge -> charge.store == store);
  }

  synchronized boolean isEmpty() {
    return stores.isEmpty();
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
   * Charges a file that goes to SSD.
   *
   * @param key its path once committed
   * @param leave whether files can leave SSD
   */
  synchronized Verdict decide(TierStore store, String key, NewStoreFile file, boolean leave) {
    if (file.kind == NewStoreFile.Kind.FLUSH) {
      // HBase runs one at a time: the one before failed.
      charges.entrySet().stream()
          .filter(charge -> charge.getValue().store == store)
          .filter(charge -> charge.getValue().kind == NewStoreFile.Kind.FLUSH)
          .map(Map.Entry::getKey)
          .collect(Collectors.toList())
          .forEach(path -> failed(path, true));
    }
    Verdict verdict =
        isOpen(store, leave)
            ? quota.decide(file, store.maxAgeMillis, used(), hot())
            : Verdict.CLOSED;
    if (verdict == Verdict.SSD) {
      file.store = store;
      charges.put(key, file);
    }
    return verdict;
  }

  private boolean isOpen(TierStore store, boolean leave) {
    return leave
        && store.serves()
        && tierState.open()
        && refusals.waitNanos(clock.getAsLong()) == 0;
  }

  /** See {@link TierQuota#hotRoom}. */
  synchronized long hotRoom(TierStore store, boolean leave, long replaced) {
    return isOpen(store, leave) && !store.hotLeaves ? quota.hotRoom(used(), hot(), replaced) : 0;
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

  /** Null if it is not charged. */
  synchronized NewStoreFile find(String key) {
    return charges.get(key);
  }

  /**
   * @param bytes of its replicas on SSD; 0 if unknown, which keeps the estimate
   */
  synchronized void committed(NewStoreFile charge, long bytes) {
    charge.committed = true;
    charge.close();
    if (bytes > 0) {
      charge.bytes = bytes;
      HybridMetrics.get().count(Metric.TIERED_BYTES, bytes);
    }
  }

  /**
   * @param refused whether SSD may be the cause
   */
  synchronized void failed(String key, boolean refused) {
    NewStoreFile charge = charges.get(key);
    if (charge == null || charge.committed) {
      return;
    }
    charges.remove(key);
    charge.close();
    if (refused) {
      refusals = refusals.refused(clock.getAsLong());
      HybridMetrics.get().count(Metric.TIER_REFUSED);
      LOG.warn(
          "The store file {} could not be written to SSD: HBase's next attempt goes to DISK, and"
              + " this server writes other new store files to DISK for {} ms, longer if that"
              + " recurs. Then look for full or failed SSD volumes: hdfs dfsadmin -report",
          key,
          TimeUnit.NANOSECONDS.toMillis(refusals.waitNanos(clock.getAsLong())));
    }
  }

  synchronized void archived(Collection<TierFile> files, long deletedMillis) {
    files.forEach(file -> archived.put(file.blocks, file.passing(deletedMillis)));
  }

  /** Daughters of a split refer to the parent's files, which count once, as the larger. */
  synchronized void look(long nowMillis) {
    archived.values().removeIf(file -> file.dueMillis <= nowMillis);
    Set<String> names = new HashSet<>();
    Map<String, TierFile> there = new HashMap<>(archived);
    for (TierStore store : stores) {
      for (TierFile file : store.known()) {
        names.add(file.key());
        there.merge(file.blocks, file, (one, other) -> one.bytes >= other.bytes ? one : other);
      }
    }
    names.addAll(there.keySet());
    seen = there.values().stream().mapToLong(file -> file.bytes).sum();
    seenHot =
        there.values().stream()
            .filter(file -> file.is(TierFile.Kind.HOT))
            .mapToLong(file -> file.bytes)
            .sum();
    charges
        .entrySet()
        .removeIf(
            entry ->
                entry.getValue().committed
                    && (++entry.getValue().looks >= LOOKS || names.contains(entry.getKey())));
  }
}
