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

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;

/** What a {@link SsdTier} remembers of one open store. Guarded by its {@link TierAdmission}. */
@InterfaceAudience.Private
final class TrackedStore {
  /** A file that was placed on SSD and has not been seen in the store's directory since. */
  static final class Unseen {
    private final boolean flush;
    private boolean committed;

    Unseen(boolean flush) {
      this.flush = flush;
    }
  }

  private final StoreTierConfig config;
  private final Supplier<Set<String>> compacting;
  private final Map<String, Unseen> unseen = new HashMap<>();

  /** Directories of split parents; used by the working thread alone. */
  final Set<Path> parents = new HashSet<>();

  /** Files whose own policy was taken away once; used by the working thread alone. */
  final Set<String> unset = new HashSet<>();

  List<TieredFile> files = List.of();
  boolean looked;
  volatile boolean servable = true;
  boolean closed;
  long nextLook;

  TrackedStore(StoreTierConfig config, Supplier<Set<String>> compacting) {
    this.config = config;
    this.compacting = compacting;
  }

  StoreTierConfig config() {
    return config;
  }

  /** The owner of what the store takes of SSD. */
  String owner() {
    return config.directory().toUri().getPath();
  }

  /** Whether its files go to SSD. */
  boolean serves() {
    return config.off().isEmpty() && servable && !closed;
  }

  /** Names of files that are being compacted. */
  Set<String> compacting() {
    return compacting.get();
  }

  void placed(String key, boolean flush) {
    unseen.put(key, new Unseen(flush));
  }

  /** Whether the file had been placed on SSD. */
  boolean commit(String key) {
    Unseen file = unseen.get(key);
    if (file == null) {
      return false;
    }
    file.committed = true;
    return true;
  }

  /** Whether the file had been placed on SSD and was not committed. */
  boolean fail(String key) {
    Unseen file = unseen.get(key);
    return file != null && !file.committed && unseen.remove(key) != null;
  }

  /** Flushes that came to nothing; HBase does one flush of a store at a time. */
  Set<String> lapsedFlushes() {
    return keys(false).stream().filter(key -> unseen.get(key).flush).collect(Collectors.toSet());
  }

  /** Committed files that no look has seen; a look that begins now will, where they are there. */
  Set<String> committed() {
    return keys(true);
  }

  /** Files that the look which ends now could not see. */
  Set<String> unseenBy(Set<String> committedBefore) {
    Set<String> keys = new HashSet<>(unseen.keySet());
    keys.removeAll(committedBefore);
    return keys;
  }

  void seen(Set<String> committedBefore) {
    unseen.keySet().removeAll(committedBefore);
  }

  private Set<String> keys(boolean committed) {
    return unseen.entrySet().stream()
        .filter(entry -> entry.getValue().committed == committed)
        .map(Map.Entry::getKey)
        .collect(Collectors.toSet());
  }
}
