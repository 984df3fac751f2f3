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
package io.github.hybridhbase.landing;

import io.github.hybridhbase.guard.Backoff;
import io.github.hybridhbase.hdfs.LandingWord;
import io.github.hybridhbase.landing.LandingDecision.Conditions;
import io.github.hybridhbase.landing.LandingDecision.Verdict;
import io.github.hybridhbase.metrics.HybridMetrics;
import io.github.hybridhbase.metrics.HybridMetrics.Metric;
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
 * Which files may land on one server: its stores, what they take of SSD, the master's word and what
 * SSD has refused, all under one lock. Asks HDFS nothing, so no birth waits for another's.
 * Thread-safe.
 */
@InterfaceAudience.Private
final class Admission {
  private static final Logger LOG = LoggerFactory.getLogger(Admission.class);

  private final LongSupplier clock;
  private final Map<String, Tenant> tenants = new HashMap<>();
  private final Ledger ledger = new Ledger();
  private LandingWord word = LandingWord.closed("the master has not opened it");
  private Backoff refusals;

  /**
   * Knows no store, and lands nothing before it has heard a word.
   *
   * @param retrySeconds how long nothing lands after a first refusal
   * @param clock nanoseconds, as {@link System#nanoTime()}
   */
  Admission(int retrySeconds, LongSupplier clock) {
    this.clock = clock;
    this.refusals = Backoff.starting(TimeUnit.SECONDS.toNanos(retrySeconds));
  }

  synchronized void attach(Tenant tenant) {
    tenant.nextLook = clock.getAsLong();
    tenants.put(tenant.owner(), tenant);
  }

  /**
   * Lets a store go.
   *
   * @return its committed files that no look has seen
   */
  synchronized Set<String> detach(Tenant tenant) {
    tenant.closed = true;
    if (!tenants.remove(tenant.owner(), tenant)) {
      return Set.of();
    }
    ledger.release(tenant.owner());
    return tenant.committed();
  }

  synchronized boolean isEmpty() {
    return tenants.isEmpty();
  }

  synchronized List<Tenant> tenants() {
    return new ArrayList<>(tenants.values());
  }

  synchronized void hear(LandingWord next) {
    word = next;
  }

  synchronized LandingWord word() {
    return word;
  }

  /** Bytes of SSD that this server's files take, as far as it knows. */
  synchronized long used() {
    return ledger.used();
  }

  /** Whether each store was looked at. */
  synchronized boolean known() {
    return tenants.values().stream().allMatch(tenant -> tenant.looked);
  }

  /**
   * Decides on a birth, and charges the file where it lands.
   *
   * @param moves whether HDFS moves blocks
   */
  synchronized Verdict decide(Tenant tenant, String key, Birth birth, boolean moves) {
    boolean flush = birth.kind() == Birth.Kind.FLUSH;
    if (flush) {
      // One that was written and could not be read back, say.
      flushFailed(tenant, true);
    }
    String table = tenant.home().table();
    Verdict verdict =
        LandingDecision.decide(
            birth,
            new Conditions(
                tenant.serves(),
                word.open() && moves,
                known(),
                refusals.waitNanos(clock.getAsLong()) > 0,
                room(table),
                tenant.home().maxAgeMillis()));
    if (verdict == Verdict.LANDS) {
      ledger.charge(tenant.owner(), table, key, birth.bytes());
      tenant.born(key, flush);
    }
    return verdict;
  }

  private Room room(String table) {
    long tables =
        tenants.values().stream()
            .filter(Tenant::serves)
            .map(tenant -> tenant.home().table())
            .distinct()
            .count();
    return new Room(word.share(), ledger.used(), (int) tables, ledger.usedBy(table));
  }

  /** These files are in the store now, with these lengths. */
  synchronized void committed(Tenant tenant, Map<String, Long> lengths) {
    lengths.forEach(
        (name, length) -> {
          String key = tenant.home().key(name);
          if (tenant.commit(key)) {
            long bytes = length * tenant.home().replicas();
            ledger.charge(tenant.owner(), tenant.home().table(), key, bytes);
            HybridMetrics.get().count(Metric.LANDED_BYTES, bytes);
          }
        });
    // Also where nothing landed: what was compacted goes to the archive.
    lookWithin(tenant, 0);
  }

  /**
   * A file that was born came to nothing.
   *
   * @param refused whether SSD may be to blame
   */
  synchronized void failed(Tenant tenant, String key, boolean refused) {
    if (!tenant.fail(key)) {
      return;
    }
    ledger.release(tenant.owner(), key);
    if (refused) {
      refusals = refusals.refused(clock.getAsLong());
      HybridMetrics.get().count(Metric.LANDING_REFUSED);
      LOG.warn(
          "{} could not be written on SSD; files of this server are born on DISK for {} ms",
          key,
          TimeUnit.NANOSECONDS.toMillis(refusals.waitNanos(clock.getAsLong())));
    }
  }

  /** As {@link #failed} for the flush of a store that is under way; nothing where none is. */
  synchronized void flushFailed(Tenant tenant, boolean refused) {
    tenant.lapsedFlushes().forEach(key -> failed(tenant, key, refused));
  }

  /** The stores to look at now: never looked at first, then who has waited longest. */
  synchronized List<Tenant> due(int most) {
    long now = clock.getAsLong();
    return tenants.values().stream()
        .filter(tenant -> now - tenant.nextLook >= 0)
        .sorted(
            Comparator.comparing((Tenant tenant) -> tenant.looked)
                .thenComparingLong(tenant -> tenant.nextLook - now))
        .limit(most)
        .collect(Collectors.toList());
  }

  /** What the store has on SSD may have changed, or will have by then. */
  synchronized void lookWithin(Tenant tenant, long nanos) {
    tenant.nextLook = Math.min(tenant.nextLook, clock.getAsLong() + nanos);
  }

  /**
   * A look begins.
   *
   * @return committed files, which it will see where they are there
   */
  synchronized Set<String> looking(Tenant tenant) {
    // What is committed from here on is looked at in the next turn.
    tenant.nextLook = Long.MAX_VALUE / 2 + clock.getAsLong();
    return tenant.committed();
  }

  /** A look has ended: these files have replicas on SSD, or a policy of their own. */
  synchronized void looked(Tenant tenant, List<Landed> files, Set<String> committedBefore) {
    if (tenant.closed) {
      return;
    }
    Map<String, Long> bytes = new HashMap<>();
    files.forEach(file -> bytes.put(file.key(), file.bytes()));
    Set<String> unseen = new HashSet<>(tenant.unseenBy(committedBefore));
    tenant.seen(committedBefore);
    ledger.replace(tenant.owner(), tenant.home().table(), bytes, unseen);
    tenant.files = files;
    tenant.looked = true;
  }
}
