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

import io.github.hybridhbase.tier.TierFile.Kind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A pure choice of files to leave SSD: old ones, oldest first; all if the tier is closed; above the
 * threshold, the oldest of the table with most bytes, repeatedly.
 */
@InterfaceAudience.Private
final class Leavers {
  /** More than can be requested before the next turn. */
  private static final int MOST_EARLY = 1_000;

  private Leavers() {}

  /**
   * @param threshold bytes that may stay
   * @param closed whether all must leave
   * @return most urgent first
   */
  static List<TierFile> choose(
      Collection<TierFile> files,
      Predicate<TierFile> leaving,
      Predicate<TierFile> busy,
      long nowMillis,
      long threshold,
      boolean closed) {
    List<TierFile> oldestFirst = new ArrayList<>(files);
    oldestFirst.sort(
        Comparator.<TierFile>comparingLong(file -> file.dueMillis).thenComparing(TierFile::key));
    List<TierFile> chosen = new ArrayList<>();
    List<TierFile> young = new ArrayList<>();
    Map<String, Long> left = new HashMap<>();
    long staying = 0;
    for (TierFile file : oldestFirst) {
      if (file.is(Kind.GONE) || file.is(Kind.REFERENCE)) {
        continue; // HBase deletes it soon
      }
      boolean free = file.is(Kind.YOUNG) && !busy.test(file);
      if (leaving.test(file)) {
        continue;
      }
      if (free && (closed || file.dueMillis <= nowMillis)) {
        chosen.add(file);
        continue;
      }
      staying += file.bytes;
      if (free) {
        left.merge(file.table, file.bytes, Long::sum);
        young.add(file);
      }
    }
    for (int i = 0; i < MOST_EARLY && staying > threshold && !young.isEmpty(); i++) {
      TierFile victim = victim(young, left);
      young.remove(victim);
      chosen.add(victim);
      staying -= victim.bytes;
      left.merge(victim.table, -victim.bytes, Long::sum);
    }
    return chosen;
  }

  private static TierFile victim(List<TierFile> oldestFirst, Map<String, Long> left) {
    String largest =
        oldestFirst.stream()
            .map(file -> file.table)
            .max(Comparator.<String>comparingLong(left::get).thenComparing(table -> table))
            .orElseThrow();
    return oldestFirst.stream()
        .filter(file -> file.table.equals(largest))
        .findFirst()
        .orElseThrow();
  }
}
