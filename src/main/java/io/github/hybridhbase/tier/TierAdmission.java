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
import io.github.hybridhbase.metrics.HybridMetrics.Metric;
import io.github.hybridhbase.space.Backoff;
import io.github.hybridhbase.tier.TierDecision.Conditions;
import io.github.hybridhbase.tier.TierDecision.Verdict;
import java.util.ArrayList;
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
 * Which files may go to SSD on one server: its stores, what they take of SSD, the master's state
 * and what SSD has refused, all under one lock. Asks HDFS nothing, so no placement waits for
 * another's. Thread-safe.
 */
@InterfaceAudience.Private
final class TierAdmission {
  private static final Logger LOG = LoggerFactory.getLogger(TierAdmission.class);

  private final LongSupplier clock;
  private final Map<String, TrackedStore> trackedStores = new HashMap<>();
  private final SsdUsage usage = new SsdUsage();
  private TierState tierState = TierState.closed("the master has not opened it");
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
    tracked.nextLook = clock.getAsLong();
    trackedStores.put(tracked.owner(), tracked);
  }

  /**
   * Lets a store go.
   *
   * @return its committed files that no look has seen
   */
  synchronized Set<String> detach(TrackedStore tracked) {
    tracked.closed = true;
    if (!trackedStores.remove(tracked.owner(), tracked)) {
      return Set.of();
    }
    usage.release(tracked.owner());
    return tracked.committed();
  }

  synchronized boolean isEmpty() {
    return trackedStores.isEmpty();
  }

  synchronized List<TrackedStore> trackedStores() {
    return new ArrayList<>(trackedStores.values());
  }

  synchronized void hear(TierState next) {
    tierState = next;
  }

  synchronized TierState tierState() {
    return tierState;
  }

  /** Bytes of SSD that this server's files take, as far as it knows. */
  synchronized long used() {
    return usage.used();
  }

  /** Whether each store was looked at. */
  synchronized boolean known() {
    return trackedStores.values().stream().allMatch(tracked -> tracked.looked);
  }

  /**
   * Decides on a new file, and charges the file where it goes to SSD.
   *
   * @param moves whether HDFS moves blocks
   */
  synchronized Verdict decide(
      TrackedStore tracked, String key, NewStoreFile newFile, boolean moves) {
    boolean flush = newFile.kind() == NewStoreFile.Kind.FLUSH;
    if (flush) {
      // One that was written and could not be read back, say.
      flushFailed(tracked, true);
    }
    String table = tracked.config().table();
    Verdict verdict =
        TierDecision.decide(
            newFile,
            new Conditions(
                tracked.serves(),
                tierState.open() && moves,
                known(),
                refusals.waitNanos(clock.getAsLong()) > 0,
                quota(table),
                tracked.config().maxAgeMillis()));
    if (verdict == Verdict.SSD) {
      usage.charge(tracked.owner(), table, key, newFile.bytes());
      tracked.placed(key, flush);
    }
    return verdict;
  }

  private TierQuota quota(String table) {
    long tables =
        trackedStores.values().stream()
            .filter(TrackedStore::serves)
            .map(tracked -> tracked.config().table())
            .distinct()
            .count();
    return new TierQuota(tierState.share(), usage.used(), (int) tables, usage.usedBy(table));
  }

  /** These files are in the store now, with these lengths. */
  synchronized void committed(TrackedStore tracked, Map<String, Long> lengths) {
    lengths.forEach(
        (name, length) -> {
          String key = tracked.config().key(name);
          if (tracked.commit(key)) {
            long bytes = length * tracked.config().replicas();
            usage.charge(tracked.owner(), tracked.config().table(), key, bytes);
            HybridMetrics.get().count(Metric.TIERED_BYTES, bytes);
          }
        });
    // Also where nothing went to SSD: what was compacted goes to the archive.
    readWithin(tracked, 0);
  }

  /**
   * A file that was written came to nothing.
   *
   * @param refused whether SSD may be to blame
   */
  synchronized void failed(TrackedStore tracked, String key, boolean refused) {
    if (!tracked.fail(key)) {
      return;
    }
    usage.release(tracked.owner(), key);
    if (refused) {
      refusals = refusals.refused(clock.getAsLong());
      HybridMetrics.get().count(Metric.TIER_REFUSED);
      LOG.warn(
          "{} could not be written on SSD; files of this server are written to DISK for {} ms",
          key,
          TimeUnit.NANOSECONDS.toMillis(refusals.waitNanos(clock.getAsLong())));
    }
  }

  /** As {@link #failed} for the flush of a store that is under way; nothing where none is. */
  synchronized void flushFailed(TrackedStore tracked, boolean refused) {
    tracked.lapsedFlushes().forEach(key -> failed(tracked, key, refused));
  }

  /** The stores to look at now: never looked at first, then who has waited longest. */
  synchronized List<TrackedStore> due(int most) {
    long now = clock.getAsLong();
    return trackedStores.values().stream()
        .filter(tracked -> now - tracked.nextLook >= 0)
        .sorted(
            Comparator.comparing((TrackedStore tracked) -> tracked.looked)
                .thenComparingLong(tracked -> tracked.nextLook - now))
        .limit(most)
        .collect(Collectors.toList());
  }

  /** What the store has on SSD may have changed, or will have by then. */
  synchronized void readWithin(TrackedStore tracked, long nanos) {
    tracked.nextLook = Math.min(tracked.nextLook, clock.getAsLong() + nanos);
  }

  /**
   * A look begins.
   *
   * @return committed files, which it will see where they are there
   */
  synchronized Set<String> looking(TrackedStore tracked) {
    // What is committed from here on is looked at in the next turn.
    tracked.nextLook = Long.MAX_VALUE / 2 + clock.getAsLong();
    return tracked.committed();
  }

  /** A look has ended: these files have replicas on SSD, or a policy of their own. */
  synchronized void looked(
      TrackedStore tracked, List<TieredFile> files, Set<String> committedBefore) {
    if (tracked.closed) {
      return;
    }
    Map<String, Long> bytes = new HashMap<>();
    files.forEach(file -> bytes.put(file.key(), file.bytes()));
    Set<String> unseen = new HashSet<>(tracked.unseenBy(committedBefore));
    tracked.seen(committedBefore);
    usage.replace(tracked.owner(), tracked.config().table(), bytes, unseen);
    tracked.files = files;
    tracked.looked = true;
  }
}
