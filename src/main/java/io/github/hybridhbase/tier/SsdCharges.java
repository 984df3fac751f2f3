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
 * The use of SSD by one server's files: what the last look at its stores saw, and files placed
 * since, from their creation. Not thread-safe.
 */
@InterfaceAudience.Private
final class SsdCharges {
  /** Looks after which a committed file that was never seen counts as gone. */
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

  long used() {
    return byTable().values().stream().mapToLong(Long::longValue).sum();
  }

  /** Files that stay on SSD whatever the server does. */
  long held() {
    return seen.held();
  }

  long hot() {
    return seen.hot()
        + placed.values().stream()
            .filter(file -> file.kind == Kind.HOT)
            .mapToLong(file -> file.bytes)
            .sum();
  }

  Map<String, Long> byTable() {
    Map<String, Long> uses = new HashMap<>(seen.byTable());
    placed.values().forEach(file -> uses.merge(file.store.config().table(), file.bytes, Long::sum));
    return uses;
  }

  /** Charges an opened store's files before the next look sees them. */
  void opened(TrackedStore store) {
    for (TieredFile file : store.known()) {
      String key = file.blocks().toUri().getPath();
      if (!seen.has(key)) {
        place(store, key, file.hot() ? Kind.HOT : Kind.MINOR, file.bytes());
        commit(key, file.bytes());
      }
    }
  }

  void place(TrackedStore store, String key, Kind kind, long bytes) {
    placed.put(key, new Placed(store, kind, bytes));
  }

  /**
   * @param bytes on SSD; 0 if HBase knows no replica there: the file stays charged until a look has
   *     seen it, or some looks have not
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

  /** False if there is no charge. */
  boolean fail(String key) {
    Placed file = placed.get(key);
    return file != null && !file.committed && placed.remove(key) != null;
  }

  /** Flushes of a store in flight; HBase does one flush of a store at a time. */
  Set<String> flushes(TrackedStore store) {
    return keys(file -> file.store == store && file.kind == Kind.FLUSH && !file.committed);
  }

  void drop(TrackedStore store) {
    placed.keySet().removeAll(keys(file -> file.store == store));
  }

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
