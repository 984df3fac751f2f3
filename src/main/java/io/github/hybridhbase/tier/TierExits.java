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
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
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
      if (store.exit.hasMetUser() && queue.on()) {
        Failures.guarded(
            "A user's compaction that met an exit could not be requested again.",
            () -> {
              if (store.exit.isUserDue(store.compacting())) {
                queue.requestForUser(store, "a user's compaction met files that were leaving SSD");
              }
            });
      }
    }
  }

  void withdraw(Collection<TierStore> stores) {
    stores.forEach(store -> store.exit.wish(StoreExit.NONE));
  }

  /**
   * @param threshold bytes that may stay
   * @param closed whether all must leave
   */
  int turn(Collection<TierStore> stores, long threshold, boolean closed, long nowMillis) {
    long now = clock.getAsLong();
    boolean empty = queue.waiting() == 0;
    Map<TierFile, TierStore> owners = new HashMap<>();
    Set<TierFile> leaving = new HashSet<>();
    Set<TierFile> busy = new HashSet<>();
    Set<TierStore> free = new HashSet<>();
    int queued = 0;
    for (TierStore store : stores) {
      StoreExit exit = store.exit;
      if (store.known().isEmpty() && !exit.whole() && !exit.isRequested()) {
        exit.wish(StoreExit.NONE);
        continue;
      }
      Set<String> compacting = store.compacting();
      if (exit.mayRequest(now, empty, compacting, liveNames(store))) {
        free.add(store);
        exit.wishWhole(false); // its request was lost
      }
      queued += exit.isRequested() ? 1 : 0;
      for (TierFile file : store.known()) {
        owners.put(file, store);
        if (!free.contains(store) && file.writtenMillis <= exit.leaveBy()) {
          leaving.add(file);
        }
        if (compacting.contains(file.name())) {
          busy.add(file);
        }
      }
    }
    Map<TierStore, Long> chosen = new LinkedHashMap<>();
    for (TierFile file :
        Leavers.choose(
            owners.keySet(), leaving::contains, busy::contains, nowMillis, threshold, closed)) {
      chosen.merge(owners.get(file), file.writtenMillis, Math::max);
    }
    free.stream()
        .filter(store -> !chosen.containsKey(store))
        .forEach(store -> store.exit.wish(StoreExit.NONE));
    int requests = 0;
    for (Map.Entry<TierStore, Long> one : chosen.entrySet()) {
      TierStore store = one.getKey();
      boolean may = free.contains(store);
      store.exit.wish(may ? one.getValue() : Math.max(one.getValue(), store.exit.leaveBy()));
      if (may && queue.on() && queued + requests < MOST) {
        store.exit.requested(now);
        Failures.guarded(
            "A compaction that takes files off SSD could not be requested; a later turn tries"
                + " again.",
            () -> queue.request(store, "files have to leave SSD"));
        requests++;
      }
    }
    return requests;
  }

  private static Set<String> liveNames(TierStore store) {
    return store.known().stream()
        .filter(file -> !file.is(TierFile.Kind.GONE))
        .map(TierFile::name)
        .collect(Collectors.toSet());
  }

  /**
   * Requests a compaction of a whole store for hot rows.
   *
   * @return false if other compactions wait, the store is closed or an exit is in flight
   */
  boolean compactWhole(TierStore store) {
    long now = clock.getAsLong();
    if (!isCalm()
        || store.isClosed()
        || !store.exit.mayRequest(now, true, store.compacting(), liveNames(store))) {
      return false;
    }
    store.exit.wishWhole(true);
    store.exit.requested(now);
    Failures.guarded(
        "A compaction for hot rows could not be requested; a later turn tries again.",
        () -> queue.request(store, "rows that are read often get a file on SSD"));
    return true;
  }
}
