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

import io.github.hybridhbase.hdfs.NewFile;
import io.github.hybridhbase.placement.TierState;
import io.github.hybridhbase.runtime.Backoff;
import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.Metric;
import io.github.hybridhbase.tier.NewStoreFile.Kind;
import io.github.hybridhbase.tier.TierQuota.Verdict;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
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

  /** A file that is being written, or that no look has seen yet. */
  static final class Charge {
    private final TierStore store;
    private final Kind kind;

    /** Null until placed. */
    private NewFile file;

    private final long replaced;

    private long bytes;
    private boolean committed;
    private int looks;

    Charge(TierStore store, NewStoreFile file) {
      this.store = store;
      this.kind = file.kind;
      this.bytes = file.bytes;
      this.replaced = file.replacedBytes;
    }

    Kind kind() {
      return kind;
    }

    NewFile file() {
      return file;
    }

    private void close() {
      if (file != null) {
        file.close();
      }
    }
  }

  private final LongSupplier clock;
  private final Set<TierStore> stores = new HashSet<>();
  private final Map<String, Charge> charges = new HashMap<>();

  /** Files that HBase has archived, until it should have deleted them. */
  private final Map<String, TierFile> archived = new HashMap<>();

  private Map<String, Long> seenByTable = new HashMap<>();
  private long seenHot;

  /** Written under the lock, read without. */
  private volatile TierState tierState = TierState.paused("the master has not opened it");

  private TierShare share = TierShare.NONE;
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
    for (TierFile file : store.known()) {
      seenByTable.merge(file.table, file.bytes, Long::sum);
    }
  }

  synchronized void detach(TierStore store) {
    store.close();
    stores.remove(store);
    charges.values().removeIf(charge -> charge.store == store && end(charge));
  }

  private static boolean end(Charge charge) {
    charge.close();
    return true;
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
      share = next.open() ? TierShare.of(next.share(), next.room(), used()) : TierShare.NONE;
    }
  }

  TierState tierState() {
    return tierState;
  }

  synchronized TierShare share() {
    return share;
  }

  synchronized long used() {
    return byTable().values().stream().mapToLong(Long::longValue).sum();
  }

  private Map<String, Long> byTable() {
    Map<String, Long> uses = new HashMap<>(seenByTable);
    charges
        .values()
        .forEach(charge -> uses.merge(charge.store.config.table, charge.bytes, Long::sum));
    return uses;
  }

  /**
   * Bytes of hot files. A file in flight and those that it replaces count as the larger of the two,
   * or each renewal would have hot files leave; {@link #used} counts both.
   */
  private long hot() {
    return seenHot
        + charges.values().stream()
            .filter(charge -> charge.kind == Kind.HOT)
            .mapToLong(charge -> Math.max(0, charge.bytes - charge.replaced))
            .sum();
  }

  /**
   * Charges a file that goes to SSD.
   *
   * @param leave whether files can leave SSD
   */
  synchronized Verdict decide(TierStore store, String key, NewStoreFile newFile, boolean leave) {
    if (newFile.kind == Kind.FLUSH) {
      // The last flush may be unreadable.
      flushFailed(store, true);
    }
    Verdict verdict =
        store.serves() && tierState.open() && leave && !isRefused()
            ? quota().decide(store.config.table, newFile, store.config.maxAgeMillis)
            : Verdict.CLOSED;
    if (verdict == Verdict.SSD) {
      charges.put(key, new Charge(store, newFile));
    }
    return verdict;
  }

  private boolean isRefused() {
    return refusals.waitNanos(clock.getAsLong()) > 0;
  }

  private TierQuota quota() {
    long tables =
        stores.stream()
            .filter(TierStore::serves)
            .map(store -> store.config.table)
            .distinct()
            .count();
    return new TierQuota(share, byTable(), (int) tables, hot());
  }

  /** See {@link TierQuota#hotRoom}. */
  synchronized long hotRoom(TierStore store, boolean leave, long replaced) {
    boolean may = leave && !store.hotLeaves() && store.serves() && tierState.open();
    return may && !isRefused() ? quota().hotRoom(replaced) : 0;
  }

  /**
   * Chooses the stores whose hot files must leave SSD: all if the tier is closed, else the least
   * read per byte above the quota; none without a grant.
   */
  synchronized void chooseHotLeavers() {
    List<TierStore> staying = new ArrayList<>();
    for (TierStore store : stores) {
      if (store.hotBytes() == 0 && store.known().stream().noneMatch(file -> file.dueMillis == 0)) {
        store.hotLeaves(false);
      } else if (tierState.drains() && !tierState.open()) {
        store.hotLeaves(true);
      } else if (!store.hotLeaves()) {
        staying.add(store);
      }
    }
    staying.sort(Comparator.comparingDouble(TierStore::readsPerHotByte));
    long excess = tierState.open() ? hot() - TierQuota.ofHot(share) : 0;
    for (TierStore store : staying) {
      if (excess <= 0) {
        return;
      }
      store.hotLeaves(true);
      excess -= store.hotBytes();
    }
  }

  synchronized void places(String key, NewFile file) {
    Charge charge = charges.get(key);
    if (charge != null) {
      charge.file = file;
    }
  }

  synchronized Optional<Charge> find(String key) {
    return Optional.ofNullable(charges.get(key));
  }

  /**
   * @param bytes of its replicas on SSD; 0 if unknown, which keeps the estimate
   */
  synchronized void committed(Charge charge, long bytes) {
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
    Charge charge = charges.get(key);
    if (charge == null || charge.committed) {
      return;
    }
    charges.remove(key);
    charge.close();
    if (refused) {
      refusals = refusals.refused(clock.getAsLong());
      HybridMetrics.get().count(Metric.TIER_REFUSED);
      LOG.warn(
          "SSD refused the store file {}: HBase writes it to DISK at its next attempt, and "
              + "this server writes other new store files to DISK for {} ms, longer if SSD refuses "
              + "again. If that recurs, look for full or failed SSD volumes: hdfs dfsadmin -report",
          key,
          TimeUnit.NANOSECONDS.toMillis(refusals.waitNanos(clock.getAsLong())));
    }
  }

  /** As {@link #failed}, for the store's flush: HBase runs one at a time. */
  synchronized void flushFailed(TierStore store, boolean refused) {
    for (Map.Entry<String, Charge> entry : List.copyOf(charges.entrySet())) {
      if (entry.getValue().store == store && entry.getValue().kind == Kind.FLUSH) {
        failed(entry.getKey(), refused);
      }
    }
  }

  synchronized void archived(Collection<TierFile> files, long deletedMillis) {
    files.forEach(file -> archived.put(file.blocks, file.gone(deletedMillis)));
  }

  /** Daughters of a split refer to the parent's files, which count once, as the larger. */
  synchronized void look(long nowMillis) {
    archived.values().removeIf(file -> file.dueMillis <= nowMillis);
    Set<String> seen = new HashSet<>(archived.keySet());
    Map<String, TierFile> there = new HashMap<>(archived);
    for (TierStore store : stores) {
      for (TierFile file : store.known()) {
        seen.add(file.key());
        seen.add(file.blocks);
        there.merge(file.blocks, file, (one, other) -> one.bytes >= other.bytes ? one : other);
      }
    }
    seenByTable = new HashMap<>();
    seenHot = 0;
    for (TierFile file : there.values()) {
      seenHot += file.is(TierFile.Kind.HOT) ? file.bytes : 0;
      seenByTable.merge(file.table, file.bytes, Long::sum);
    }
    charges
        .entrySet()
        .removeIf(
            entry ->
                entry.getValue().committed
                    && (++entry.getValue().looks >= LOOKS || seen.contains(entry.getKey())));
  }
}
