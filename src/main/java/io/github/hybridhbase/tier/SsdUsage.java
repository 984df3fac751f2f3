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
import java.util.Map;
import java.util.Set;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * What the store files of one server take of SSD: bytes by path, each owned by the stores that know
 * of it, since two daughters of a split share their parent's files. A file is charged once. Not
 * thread-safe.
 */
@InterfaceAudience.Private
final class SsdUsage {
  private static final class Charge {
    private final String table;
    private final Set<String> owners = new HashSet<>();
    private long bytes;

    Charge(String table) {
      this.table = table;
    }
  }

  private final Map<String, Charge> charges = new HashMap<>();
  private final Map<String, Set<String>> byOwner = new HashMap<>();
  private long used;

  /** Bytes charged. */
  long used() {
    return used;
  }

  /** Bytes charged for a table. */
  long usedBy(String table) {
    return charges.values().stream()
        .filter(charge -> charge.table.equals(table))
        .mapToLong(charge -> charge.bytes)
        .sum();
  }

  /** Bytes charged for a file, 0 where it is not known. */
  long of(String path) {
    Charge charge = charges.get(path);
    return charge == null ? 0 : charge.bytes;
  }

  /** Charges a file, in place of what was charged for it before. */
  void charge(String owner, String table, String path, long bytes) {
    Charge charge = charges.computeIfAbsent(path, p -> new Charge(table));
    charge.owners.add(owner);
    byOwner.computeIfAbsent(owner, o -> new HashSet<>()).add(path);
    used += bytes - charge.bytes;
    charge.bytes = bytes;
  }

  /** Takes back what an owner charged for a file; other owners keep it. */
  void release(String owner, String path) {
    Charge charge = charges.get(path);
    if (charge == null || !charge.owners.remove(owner)) {
      return;
    }
    Set<String> paths = byOwner.get(owner);
    paths.remove(path);
    if (paths.isEmpty()) {
      byOwner.remove(owner);
    }
    if (charge.owners.isEmpty()) {
      used -= charge.bytes;
      charges.remove(path);
    }
  }

  /**
   * Replaces all that an owner charged.
   *
   * @param found bytes by path
   * @param keep paths whose charges stay, found or not: files that are being written
   */
  void replace(String owner, String table, Map<String, Long> found, Set<String> keep) {
    for (String path : owned(owner)) {
      if (!found.containsKey(path) && !keep.contains(path)) {
        release(owner, path);
      }
    }
    found.forEach(
        (path, bytes) -> {
          if (!keep.contains(path)) {
            charge(owner, table, path, bytes);
          }
        });
  }

  /** Takes back all that an owner charged. */
  void release(String owner) {
    owned(owner).forEach(path -> release(owner, path));
  }

  private Set<String> owned(String owner) {
    return Set.copyOf(byOwner.getOrDefault(owner, Set.of()));
  }
}
