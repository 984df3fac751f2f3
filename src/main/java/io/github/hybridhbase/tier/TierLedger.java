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

import io.github.hybridhbase.hdfs.TierState;
import io.github.hybridhbase.runtime.Backoff;
import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.Metric;
import io.github.hybridhbase.tier.NewStoreFile.Kind;
import io.github.hybridhbase.tier.TierDecision.Conditions;
import io.github.hybridhbase.tier.TierDecision.Verdict;
import io.github.hybridhbase.tier.drain.TieredFile;
import io.github.hybridhbase.tier.drain.TrackedStore;
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
 * The ledger of one server's SSD: its stores, what their files use, the grant and refusals, under
 * one lock. Decides which new file may go to SSD and which files of hot rows must leave. No HDFS
 * call, so no placement waits for another's. Thread-safe.
 */
@InterfaceAudience.Private
final class TierLedger {
  private static final Logger LOG = LoggerFactory.getLogger(TierLedger.class);

  /** Looks after which a committed file that was never seen counts as gone. */
  private static final int LOOKS = 3;

  private static final class Charge {
    private final TrackedStore store;
    private final Kind kind;

    /** Bytes of hot files that it replaces, which are seen until HBase has compacted them away. */
    private final long replaced;

    private long bytes;
    private boolean committed;
    private int looks;

    Charge(TrackedStore store, Kind kind, long bytes, long replaced) {
      this.store = store;
      this.kind = kind;
      this.bytes = bytes;
      this.replaced = replaced;
    }
  }

  private final LongSupplier clock;
  private final Set<TrackedStore> trackedStores = new HashSet<>();
  private final Map<String, Charge> charges = new HashMap<>();

  private Map<String, Long> seenByTable = Map.of();
  private Set<String> seen = Set.of();
  private long held;
  private long seenHot;

  /** Changes under the lock; each write under pressure reads it without. */
  private volatile TierState tierState = TierState.left("the master has not opened it");

  private TierShare share = TierShare.NONE;
  private Backoff refusals;

  /**
   * Places nothing on SSD before the first grant.
   *
   * @param clock nanoseconds, as {@link System#nanoTime()}
   */
  TierLedger(int retrySeconds, LongSupplier clock) {
    this.clock = clock;
    this.refusals = Backoff.starting(TimeUnit.SECONDS.toNanos(retrySeconds));
  }

  synchronized void attach(TrackedStore tracked) {
    trackedStores.add(tracked);
    for (TieredFile file : tracked.known()) {
      String key = file.blocks().toUri().getPath();
      if (!seen.contains(key)) {
        Charge charge = new Charge(tracked, file.hot() ? Kind.HOT : Kind.MINOR, file.bytes(), 0);
        charge.committed = true;
        charges.put(key, charge);
      }
    }
  }

  synchronized void detach(TrackedStore tracked) {
    tracked.closed = true;
    trackedStores.remove(tracked);
    leave(tracked);
  }

  synchronized void leave(TrackedStore tracked) {
    charges.values().removeIf(charge -> charge.store == tracked);
  }

  synchronized boolean isEmpty() {
    return trackedStores.isEmpty();
  }

  synchronized List<TrackedStore> trackedStores() {
    return new ArrayList<>(trackedStores);
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
        .forEach(charge -> uses.merge(charge.store.config().table(), charge.bytes, Long::sum));
    return uses;
  }

  /**
   * Bytes of hot files that stay. A file in flight and those that it replaces count as the larger
   * of the two, or each renewal would have hot files leave. {@link #used} has both, which guards
   * the space on SSD.
   */
  private long hot() {
    return seenHot
        + charges.values().stream()
            .filter(charge -> charge.kind == Kind.HOT)
            .mapToLong(charge -> Math.max(0, charge.bytes - charge.replaced))
            .sum();
  }

  /**
   * Decides on a new file, and charges a file that goes to SSD.
   *
   * @param leave whether files can leave SSD
   */
  synchronized Verdict decide(
      TrackedStore tracked, String key, NewStoreFile newFile, boolean leave) {
    if (newFile.kind() == Kind.FLUSH) {
      // E.g. one that was written and could not be read back.
      flushFailed(tracked, true);
    }
    Verdict verdict =
        TierDecision.decide(
            tracked.config().table(),
            newFile,
            new Conditions(
                tracked.serves(),
                tierState.open() && leave,
                isRefused(),
                quota(),
                tracked.config().maxAgeMillis()));
    if (verdict == Verdict.SSD) {
      charges.put(
          key, new Charge(tracked, newFile.kind(), newFile.bytes(), newFile.replacedBytes()));
    }
    return verdict;
  }

  private boolean isRefused() {
    return refusals.waitNanos(clock.getAsLong()) > 0;
  }

  private TierQuota quota() {
    return new TierQuota(share, byTable(), tables(), hot());
  }

  private int tables() {
    return (int)
        trackedStores.stream()
            .filter(TrackedStore::serves)
            .map(tracked -> tracked.config().table())
            .distinct()
            .count();
  }

  /**
   * @param leave whether files can leave SSD
   * @param replaced bytes of hot files that the new one replaces
   * @return bytes that a new file of hot rows may take, all replicas
   */
  synchronized long hotRoom(TrackedStore tracked, boolean leave, long replaced) {
    boolean may =
        leave && !tracked.hotLeaves && tracked.serves() && tierState.open() && !isRefused();
    return may ? quota().hotRoom(replaced) : 0;
  }

  /**
   * Chooses the stores whose files of hot rows must leave SSD: all if the tier is closed, else as
   * many as exceed their quota, the least read per byte first, until they have none. Without a
   * grant no quota is in force.
   */
  synchronized void chooseHotLeavers() {
    List<TrackedStore> staying = new ArrayList<>();
    for (TrackedStore store : trackedStores) {
      if (store.hotBytes() == 0 && store.known().stream().noneMatch(TieredFile::hasToLeave)) {
        store.hotLeaves = false;
      } else if (tierState.drains() && !tierState.open()) {
        store.hotLeaves = true;
      } else if (!store.hotLeaves) {
        staying.add(store);
      }
    }
    staying.sort(Comparator.comparingDouble(TrackedStore::readsPerHotByte));
    long excess = tierState.open() ? hot() - TierQuota.ofHot(share) : 0;
    for (TrackedStore store : staying) {
      if (excess <= 0) {
        return;
      }
      store.hotLeaves = true;
      excess -= store.hotBytes();
    }
  }

  /** Bytes that may stay on SSD before files leave early, held ones excluded. */
  synchronized long threshold() {
    return share.without(held).threshold();
  }

  /** Whether tables below their fair share may soon find no space. */
  synchronized boolean isShort() {
    return tables() > 1 && share.without(held).isShort(used() - held);
  }

  /**
   * @param bytes of its replicas on SSD; 0 if HBase knows none: the file stays charged as placed
   *     until a look has seen it, or some looks have not
   * @return what it is, if it was placed on SSD
   */
  synchronized Optional<Kind> committed(TrackedStore tracked, String name, long bytes) {
    Charge charge = charges.get(tracked.config().key(name));
    if (charge == null) {
      return Optional.empty();
    }
    charge.committed = true;
    if (bytes > 0) {
      charge.bytes = bytes;
      HybridMetrics.get().count(Metric.TIERED_BYTES, bytes);
    }
    return Optional.of(charge.kind);
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

  /** As {@link #failed} for the store's flush in flight; HBase does one flush of a store a time. */
  synchronized void flushFailed(TrackedStore tracked, boolean refused) {
    for (Map.Entry<String, Charge> entry : List.copyOf(charges.entrySet())) {
      if (entry.getValue().store == tracked && entry.getValue().kind == Kind.FLUSH) {
        failed(entry.getKey(), refused);
      }
    }
  }

  /**
   * Replaces what the last look saw. Both daughters of a split refer to the parent's files, which
   * count once, as the larger of the two reads.
   */
  synchronized void looked(Collection<TieredFile> files, long nowMillis) {
    Map<String, TieredFile> there = new HashMap<>();
    seen = new HashSet<>();
    for (TieredFile file : files) {
      String blocks = file.blocks().toUri().getPath();
      seen.add(file.key());
      seen.add(blocks);
      there.merge(blocks, file, (one, other) -> one.bytes() >= other.bytes() ? one : other);
    }
    seenByTable = new HashMap<>();
    held = 0;
    seenHot = 0;
    for (TieredFile file : there.values()) {
      held += file.held(nowMillis) ? file.bytes() : 0;
      seenHot += file.hot() ? file.bytes() : 0;
      seenByTable.merge(file.table(), file.bytes(), Long::sum);
    }
    charges
        .entrySet()
        .removeIf(
            entry ->
                entry.getValue().committed
                    && (++entry.getValue().looks >= LOOKS || seen.contains(entry.getKey())));
  }
}
