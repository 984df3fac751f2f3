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

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.yetus.audience.InterfaceAudience;

/** Bytes of replicas that a look at one server's files found on SSD. Immutable. */
@InterfaceAudience.Private
final class SsdUse {
  private final Map<String, Long> byTable;
  private final long held;
  private final long hot;
  private final Set<String> keys;

  private SsdUse(Map<String, Long> byTable, long held, long hot, Set<String> keys) {
    this.byTable = byTable;
    this.held = held;
    this.hot = hot;
    this.keys = keys;
  }

  /**
   * Both daughters of a split refer to the parent's files, which are there once; a reference counts
   * as the larger of the two reads.
   */
  static SsdUse of(Collection<TieredFile> files, long nowMillis) {
    Map<String, TieredFile> there = new HashMap<>();
    Set<String> keys = new HashSet<>();
    for (TieredFile file : files) {
      String blocks = file.blocks().toUri().getPath();
      keys.add(file.key());
      keys.add(blocks);
      there.merge(blocks, file, (one, other) -> one.bytes() >= other.bytes() ? one : other);
    }
    Map<String, Long> byTable = new HashMap<>();
    long held = 0;
    long hot = 0;
    for (TieredFile file : there.values()) {
      if (file.held(nowMillis)) {
        held += file.bytes();
      }
      if (file.hot()) {
        hot += file.bytes();
      }
      byTable.merge(file.table(), file.bytes(), Long::sum);
    }
    return new SsdUse(Map.copyOf(byTable), held, hot, keys);
  }

  Map<String, Long> byTable() {
    return byTable;
  }

  /** Files that stay on SSD whatever the server does, see {@link TieredFile#held}. */
  long held() {
    return held;
  }

  long hot() {
    return hot;
  }

  /** Whether the look saw a file, or a reference to it. */
  boolean has(String key) {
    return keys.contains(key);
  }
}
