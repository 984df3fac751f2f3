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
package io.github.hybridhbase.tier.drain;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A pure choice of the tiered files to move to DISK: due files, oldest first; all if the tier is
 * closed; above the threshold, the oldest file of the largest table, repeatedly. Archived files,
 * which HBase deletes anyway, only if overdue or the tier is closed.
 */
@InterfaceAudience.Private
public final class DrainPlan {
  private DrainPlan() {}

  /**
   * @param free whether a file may be requested now
   * @param leaving whether a file is already on its way to DISK
   * @param threshold bytes that may stay, held files excluded; 0 if the tier is closed
   * @param closed whether all must leave
   */
  public static List<TieredFile> choose(
      Collection<TieredFile> files,
      Predicate<TieredFile> free,
      Predicate<TieredFile> leaving,
      long nowMillis,
      long threshold,
      boolean closed,
      int most) {
    List<TieredFile> oldestFirst = new ArrayList<>(unique(files));
    oldestFirst.sort(
        Comparator.comparingLong(TieredFile::dueMillis).thenComparing(TieredFile::key));
    List<TieredFile> chosen = new ArrayList<>();
    Map<String, Long> left = new HashMap<>();
    long staying = 0;
    List<TieredFile> young = new ArrayList<>();
    for (TieredFile file : oldestFirst) {
      if (leaving.test(file)) {
        continue;
      }
      // HotShare decides on files of hot rows, and turns those that leave into files like any
      // other.
      boolean due = !file.hot() && (closed || file.dueMillis() <= nowMillis);
      if (due && free.test(file) && chosen.size() < most) {
        chosen.add(file);
        continue;
      }
      if (file.held(nowMillis)) {
        continue; // Draining cannot free held files, so no young file leaves for them.
      }
      staying += file.bytes();
      left.merge(file.table(), file.bytes(), Long::sum);
      if (!due && !file.archived() && free.test(file)) {
        young.add(file);
      }
    }
    while (staying > threshold && chosen.size() < most) {
      Optional<TieredFile> victim = victim(young, left);
      if (victim.isEmpty()) {
        break;
      }
      young.remove(victim.get());
      chosen.add(victim.get());
      staying -= victim.get().bytes();
      left.merge(victim.get().table(), -victim.get().bytes(), Long::sum);
    }
    return chosen;
  }

  /** The oldest file of the largest table; with equal shares that is the unfairest. */
  private static Optional<TieredFile> victim(List<TieredFile> oldestFirst, Map<String, Long> left) {
    Set<String> tables = oldestFirst.stream().map(TieredFile::table).collect(Collectors.toSet());
    Optional<String> worst =
        tables.stream().max(Comparator.<String>comparingLong(left::get).thenComparing(t -> t));
    return worst.flatMap(
        table -> oldestFirst.stream().filter(file -> file.table().equals(table)).findFirst());
  }

  private static List<TieredFile> unique(Collection<TieredFile> files) {
    Set<String> seen = new HashSet<>();
    return files.stream().filter(file -> seen.add(file.key())).collect(Collectors.toList());
  }
}
