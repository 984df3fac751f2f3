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
import io.github.hybridhbase.metrics.HybridMetrics;
import io.github.hybridhbase.metrics.Metric;
import io.github.hybridhbase.space.Backoff;
import io.github.hybridhbase.tier.TierDecision.Conditions;
import io.github.hybridhbase.tier.TierDecision.Verdict;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which files may go to SSD on one server: its stores, what they take of SSD, the master's state
 * and what SSD has refused, all under one lock. Asks HDFS nothing, so no placement waits for
 * another's. Thread-safe.
 */
@InterfaceAudience.Private
final class TierAdmission {
  private static final Logger LOG = LoggerFactory.getLogger(TierAdmission.class);

  private final LongSupplier clock;
  private final Set<TrackedStore> trackedStores = new HashSet<>();
  private final SsdCharges charges = new SsdCharges();

  /** Changes under the lock; each write of a region under pressure reads it without. */
  private volatile TierState tierState = TierState.left("the master has not opened it");

  private TierShare share = TierShare.NONE;
  private Backoff refusals;

  /**
   * Knows no store, and places nothing on SSD before it has read the state.
   *
   * @param retrySeconds how long nothing goes to SSD after a first refusal
   * @param clock nanoseconds, as {@link System#nanoTime()}
   */
  TierAdmission(int retrySeconds, LongSupplier clock) {
    this.clock = clock;
    this.refusals = Backoff.starting(TimeUnit.SECONDS.toNanos(retrySeconds));
  }

  synchronized void attach(TrackedStore tracked) {
    trackedStores.add(tracked);
    charges.opened(tracked);
  }

  synchronized void detach(TrackedStore tracked) {
    tracked.closed = true;
    trackedStores.remove(tracked);
    charges.drop(tracked);
  }

  /** What a store has on SSD is not the tier's, and is charged no longer. */
  synchronized void leave(TrackedStore tracked) {
    charges.drop(tracked);
  }

  synchronized boolean isEmpty() {
    return trackedStores.isEmpty();
  }

  synchronized List<TrackedStore> trackedStores() {
    return new ArrayList<>(trackedStores);
  }

  /** The master's state was read; one that was heard before changes nothing. */
  synchronized void hear(TierState next) {
    if (!next.equals(tierState)) {
      tierState = next;
      share =
          next.open() ? TierShare.of(next.share(), next.room(), charges.used()) : TierShare.NONE;
    }
  }

  TierState tierState() {
    return tierState;
  }

  synchronized TierShare share() {
    return share;
  }

  /** Bytes of SSD that this server's files take, as far as it knows. */
  synchronized long used() {
    return charges.used();
  }

  /**
   * Decides on a new file, and charges the file where it goes to SSD.
   *
   * @param leave whether files can leave SSD
   */
  synchronized Verdict decide(
      TrackedStore tracked, String key, NewStoreFile newFile, boolean leave) {
    boolean flush = newFile.kind() == NewStoreFile.Kind.FLUSH;
    if (flush) {
      // One that was written and could not be read back, say.
      flushFailed(tracked, true);
    }
    Verdict verdict =
        TierDecision.decide(
            tracked.config().table(),
            newFile,
            new Conditions(
                tracked.serves(),
                tierState.open() && leave,
                refusals.waitNanos(clock.getAsLong()) > 0,
                quota(),
                tracked.config().maxAgeMillis()));
    if (verdict == Verdict.SSD) {
      charges.place(tracked, key, newFile.kind(), newFile.bytes());
    }
    return verdict;
  }

  private TierQuota quota() {
    return new TierQuota(share, charges.byTable(), tables(), charges.hot());
  }

  /**
   * Bytes that a new file of hot rows may take, all replicas.
   *
   * @param leave whether files can leave SSD
   * @param replaced bytes of hot files that it replaces
   */
  synchronized long hotRoom(TrackedStore tracked, boolean leave, long replaced) {
    boolean may =
        leave && tracked.serves() && tierState.open() && refusals.waitNanos(clock.getAsLong()) <= 0;
    return may ? quota().hotRoom(replaced) : 0;
  }

  /** Bytes that files of hot rows take beyond what they may. */
  synchronized long hotExcess() {
    return Math.max(0, charges.hot() - share.bytes() / TierQuota.HOT_PART);
  }

  private int tables() {
    return (int)
        trackedStores.stream()
            .filter(TrackedStore::serves)
            .map(tracked -> tracked.config().table())
            .distinct()
            .count();
  }

  /** Bytes that may stay on SSD, without those that are held, before files leave it early. */
  synchronized long threshold() {
    return share.without(charges.held()).threshold();
  }

  /** Whether tables below their fair part may soon find no space. */
  synchronized boolean isShort() {
    long held = charges.held();
    return tables() > 1 && share.without(held).isShort(charges.used() - held);
  }

  /**
   * A file is in the store now.
   *
   * @param bytes what it takes of SSD
   * @return whether it was placed on SSD and is not there
   */
  synchronized boolean committed(TrackedStore tracked, String name, long bytes) {
    // Charged as placed until HDFS has been asked where it is, if HBase knows no replica on SSD.
    boolean placed = charges.commit(tracked.config().key(name), bytes);
    if (placed && bytes > 0) {
      HybridMetrics.get().count(Metric.TIERED_BYTES, bytes);
    }
    return placed && bytes == 0;
  }

  /**
   * A file that was written came to nothing.
   *
   * @param refused whether SSD may be to blame
   */
  synchronized void failed(TrackedStore tracked, String key, boolean refused) {
    if (!charges.fail(key) || !refused) {
      return;
    }
    refusals = refusals.refused(clock.getAsLong());
    HybridMetrics.get().count(Metric.TIER_REFUSED);
    LOG.warn(
        "{} could not be written on SSD; files of this server are written to DISK for {} ms",
        key,
        TimeUnit.NANOSECONDS.toMillis(refusals.waitNanos(clock.getAsLong())));
  }

  /** As {@link #failed} for the flush of a store that is under way; nothing where none is. */
  synchronized void flushFailed(TrackedStore tracked, boolean refused) {
    charges.flushes(tracked).forEach(key -> failed(tracked, key, refused));
  }

  /** All stores were looked at: this is on SSD. */
  synchronized void looked(SsdUse use) {
    charges.looked(use);
  }
}
