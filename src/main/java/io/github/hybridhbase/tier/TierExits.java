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

import io.github.hybridhbase.runtime.Failures;
import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.Metric;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.yetus.audience.InterfaceAudience;

/** Requests exits of one server's stores, one per store. One thread. */
@InterfaceAudience.Private
final class TierExits {
  /** Maximum requests in HBase's queue. */
  static final int MOST = 50;

  private final CompactionQueue queue;
  private final LongSupplier clock;

  TierExits(CompactionQueue queue, LongSupplier clock) {
    this.queue = queue;
    this.clock = clock;
  }

  /** Whether HBase compacts, so that files can leave. */
  boolean on() {
    return queue.on();
  }

  boolean isCalm() {
    return queue.on() && queue.waiting() == 0;
  }

  /** Repeats users' compactions that met an exit which has ended. */
  void settleUsers(Collection<TierStore> stores) {
    for (TierStore store : stores) {
      if (queue.on() && store.exit.isUserDue()) {
        Failures.guarded(
            "A user's compaction that met an exit could not be requested again.",
            () -> queue.requestForUser(store, "a user's compaction met files leaving SSD"));
      }
    }
  }

  void withdraw(Collection<TierStore> stores) {
    stores.forEach(store -> store.exit.leaveBy = StoreExit.NONE);
  }

  /**
   * @param threshold bytes that may stay
   * @param closed whether all must leave
   */
  int turn(Collection<TierStore> stores, long threshold, boolean closed, long nowMillis) {
    long now = clock.getAsLong();
    boolean empty = queue.waiting() == 0;
    Map<TierFile, TierStore> owners = new HashMap<>();
    Set<TierStore> free = new HashSet<>();
    for (TierStore store : stores) {
      store.known().forEach(file -> owners.put(file, store));
      if (store.exit.mayRequest(now, empty)) {
        free.add(store);
      }
    }
    Map<TierStore, Long> chosen = new LinkedHashMap<>();
    for (TierFile file : Leavers.choose(owners.keySet(), nowMillis, threshold, closed)) {
      chosen.merge(owners.get(file), file.writtenMillis, Math::max);
    }
    stores.forEach(store -> store.exit.leaveBy = chosen.getOrDefault(store, StoreExit.NONE));
    long room = MOST - stores.stream().filter(store -> store.exit.isRequested()).count();
    chosen.keySet().retainAll(free);
    List<TierStore> asked =
        chosen.keySet().stream()
            .limit(queue.on() ? Math.max(0, room) : 0)
            .collect(Collectors.toList());
    for (TierStore store : asked) {
      store.exit.requested(now);
      Failures.guarded(
          "A compaction that takes files off SSD could not be requested; a later turn tries again.",
          () -> queue.request(store, "files have to leave SSD"));
    }
    return asked.size();
  }

  /**
   * Requests a compaction of a whole store for hot rows.
   *
   * @return false if other compactions wait or run for the tier, or the store is closed
   */
  boolean compactWhole(TierStore store) {
    if (!isCalm() || store.closed || !store.exit.mayRequest(clock.getAsLong(), true)) {
      return false;
    }
    Failures.guarded(
        "A compaction for hot rows could not be requested; a later turn tries again.",
        () -> queue.requestMajor(store, "rows that are read often get a file on SSD"));
    HybridMetrics.get().count(Metric.HOT_COMPACTIONS);
    return true;
  }
}
