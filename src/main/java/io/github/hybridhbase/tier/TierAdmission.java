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
 * The admission of files to SSD on one server: its stores, their use of SSD, the tier grant and
 * refusals by SSD, under one lock. No HDFS call, so no placement waits for another's. Thread-safe.
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
   * Places nothing on SSD before it has read the grant.
   *
   * @param retrySeconds pause after the first refusal
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

  /** The store's files on SSD are not the tier's and are no longer charged. */
  synchronized void leave(TrackedStore tracked) {
    charges.drop(tracked);
  }

  synchronized boolean isEmpty() {
    return trackedStores.isEmpty();
  }

  synchronized List<TrackedStore> trackedStores() {
    return new ArrayList<>(trackedStores);
  }

  /** A grant that was read before changes nothing. */
  synchronized void apply(TierState next) {
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

  synchronized long used() {
    return charges.used();
  }

  /**
   * Decides on a new file, and charges a file that goes to SSD.
   *
   * @param leave whether files can leave SSD
   */
  synchronized Verdict decide(
      TrackedStore tracked, String key, NewStoreFile newFile, boolean leave) {
    boolean flush = newFile.kind() == NewStoreFile.Kind.FLUSH;
    if (flush) {
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

  /** Bytes that files of hot rows take beyond what they may; none while no grant is in force. */
  synchronized long hotExcess() {
    return tierState.open() ? Math.max(0, charges.hot() - share.bytes() / TierQuota.HOT_PART) : 0;
  }

  private int tables() {
    return (int)
        trackedStores.stream()
            .filter(TrackedStore::serves)
            .map(tracked -> tracked.config().table())
            .distinct()
            .count();
  }

  /** Bytes that may stay on SSD, held ones excluded, before files leave early. */
  synchronized long threshold() {
    return share.without(charges.held()).threshold();
  }

  /** Whether tables below their fair share may soon find no space. */
  synchronized boolean isShort() {
    long held = charges.held();
    return tables() > 1 && share.without(held).isShort(charges.used() - held);
  }

  /**
   * @param bytes of its replicas on SSD
   * @return whether it was placed on SSD and is not there
   */
  synchronized boolean committed(TrackedStore tracked, String name, long bytes) {
    // Charged as placed until a read of HDFS, if HBase knows no replica on SSD.
    boolean placed = charges.commit(tracked.config().key(name), bytes);
    if (placed && bytes > 0) {
      HybridMetrics.get().count(Metric.TIERED_BYTES, bytes);
    }
    return placed && bytes == 0;
  }

  /**
   * @param refused whether SSD may be the cause
   */
  synchronized void failed(TrackedStore tracked, String key, boolean refused) {
    if (!charges.fail(key) || !refused) {
      return;
    }
    refusals = refusals.refused(clock.getAsLong());
    HybridMetrics.get().count(Metric.TIER_REFUSED);
    LOG.warn(
        "SSD refused {}; new files of this server are written to DISK for {} ms",
        key,
        TimeUnit.NANOSECONDS.toMillis(refusals.waitNanos(clock.getAsLong())));
  }

  /** As {@link #failed} for the store's flush in flight, if any. */
  synchronized void flushFailed(TrackedStore tracked, boolean refused) {
    charges.flushes(tracked).forEach(key -> failed(tracked, key, refused));
  }

  synchronized void looked(SsdUse use) {
    charges.looked(use);
  }
}
