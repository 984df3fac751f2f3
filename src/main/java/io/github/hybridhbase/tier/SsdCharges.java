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

import io.github.hybridhbase.tier.NewStoreFile.Kind;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * What one server's files take of SSD: what the last look at its stores saw, and files that were
 * placed since, from the moment they are created. Not thread-safe.
 */
@InterfaceAudience.Private
final class SsdCharges {
  /** Looks after which a committed file that was never seen is taken to be gone. */
  private static final int LOOKS = 3;

  private static final class Placed {
    private final TrackedStore store;
    private final Kind kind;
    private long bytes;
    private boolean committed;
    private int looks;

    Placed(TrackedStore store, Kind kind, long bytes) {
      this.store = store;
      this.kind = kind;
      this.bytes = bytes;
    }
  }

  private final Map<String, Placed> placed = new HashMap<>();
  private SsdUse seen = SsdUse.of(List.of(), 0);

  /** All bytes charged. */
  long used() {
    return byTable().values().stream().mapToLong(Long::longValue).sum();
  }

  /** Those of files that stay on SSD whatever the server does. */
  long held() {
    return seen.held();
  }

  /** Those of files of hot rows. */
  long hot() {
    return seen.hot()
        + placed.values().stream()
            .filter(file -> file.kind == Kind.HOT)
            .mapToLong(file -> file.bytes)
            .sum();
  }

  /** All of them, by table. */
  Map<String, Long> byTable() {
    Map<String, Long> uses = new HashMap<>(seen.byTable());
    placed.values().forEach(file -> uses.merge(file.store.config().table(), file.bytes, Long::sum));
    return uses;
  }

  /** A store was opened: what it has on SSD is charged before the next look sees it. */
  void opened(TrackedStore store) {
    for (TieredFile file : store.known()) {
      String key = file.blocks().toUri().getPath();
      if (!seen.has(key)) {
        place(store, key, file.hot() ? Kind.HOT : Kind.MINOR, file.bytes());
        commit(key, file.bytes());
      }
    }
  }

  /** Charges a file that is about to be written. */
  void place(TrackedStore store, String key, Kind kind, long bytes) {
    placed.put(key, new Placed(store, kind, bytes));
  }

  /**
   * A file is in its store.
   *
   * @param bytes what it takes of SSD; 0 if HBase knows no replica there, for which the file stays
   *     charged until a look has seen it, or some looks have not
   * @return whether it had been placed
   */
  boolean commit(String key, long bytes) {
    Placed file = placed.get(key);
    if (file == null) {
      return false;
    }
    file.committed = true;
    file.bytes = bytes == 0 ? file.bytes : bytes;
    return true;
  }

  /** Takes back the charge of a file that came to nothing; false where there is none. */
  boolean fail(String key) {
    Placed file = placed.get(key);
    return file != null && !file.committed && placed.remove(key) != null;
  }

  /** Flushes of a store that are under way; HBase does one flush of a store at a time. */
  Set<String> flushes(TrackedStore store) {
    return keys(file -> file.store == store && file.kind == Kind.FLUSH && !file.committed);
  }

  /** A store is gone, and all that was placed in it. */
  void drop(TrackedStore store) {
    placed.keySet().removeAll(keys(file -> file.store == store));
  }

  /** A look at all stores has ended, and saw this. */
  void looked(SsdUse use) {
    seen = use;
    placed.values().stream().filter(file -> file.committed).forEach(file -> file.looks++);
    placed
        .entrySet()
        .removeIf(
            file ->
                file.getValue().committed
                    && (use.has(file.getKey()) || file.getValue().looks >= LOOKS));
  }

  private Set<String> keys(Predicate<Placed> which) {
    Set<String> keys = new HashSet<>();
    placed.forEach(
        (key, file) -> {
          if (which.test(file)) {
            keys.add(key);
          }
        });
    return keys;
  }
}
