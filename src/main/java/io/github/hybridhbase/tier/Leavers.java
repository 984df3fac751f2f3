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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.apache.yetus.audience.InterfaceAudience;

/** Pure choices of files to leave SSD. */
@InterfaceAudience.Private
final class Leavers {
  private Leavers() {}

  /**
   * Old ones, oldest first; all if the tier is closed; above the threshold, the oldest of the table
   * with most bytes, repeatedly.
   *
   * @param files with their stores
   * @param threshold bytes that may stay
   * @param closed whether all must leave
   * @return most urgent first
   */
  static List<TierFile> choose(
      Map<TierFile, TierStore> files, long nowMillis, long threshold, boolean closed) {
    List<TierFile> oldestFirst = new ArrayList<>(files.keySet());
    oldestFirst.sort(
        Comparator.<TierFile>comparingLong(file -> file.dueMillis).thenComparing(TierFile::key));
    List<TierFile> chosen = new ArrayList<>();
    Map<String, Deque<TierFile>> young = new TreeMap<>();
    long staying = 0;
    for (TierFile file : oldestFirst) {
      if (file.is(Kind.YOUNG) && (closed || file.dueMillis <= nowMillis)) {
        chosen.add(file);
      } else if (!file.is(Kind.PASSING)) {
        staying += file.bytes;
        if (file.is(Kind.YOUNG)) {
          young.computeIfAbsent(files.get(file).table, any -> new ArrayDeque<>()).add(file);
        }
      }
    }
    while (staying > threshold && !young.isEmpty()) {
      TierFile victim =
          Collections.max(
                  young.values(), Comparator.comparingLong(left -> TierFile.bytes(left.stream())))
              .remove();
      young.values().removeIf(Deque::isEmpty);
      chosen.add(victim);
      staying -= victim.bytes;
    }
    return chosen;
  }

  /**
   * A store's files that one compaction takes off SSD: the consecutive ones on SSD from the first
   * that has to leave; the others have to leave too or are at least half as old.
   *
   * @param inSequence by sequence id, oldest first
   * @param written null for a file that stays
   * @param writtenBy files written until then have to leave
   * @param mostBytes the first file may exceed it
   */
  static <F> List<F> run(
      List<F> inSequence,
      Function<F, Long> written,
      ToLongFunction<F> bytes,
      long writtenBy,
      long nowMillis,
      int mostFiles,
      long mostBytes) {
    List<F> run = new ArrayList<>();
    long latest = writtenBy;
    long sum = 0;
    for (F file : inSequence) {
      Long when = written.apply(file);
      boolean goes =
          when != null
              && when <= latest
              && (run.isEmpty()
                  || run.size() < mostFiles && sum + bytes.applyAsLong(file) <= mostBytes);
      if (goes) {
        latest = run.isEmpty() ? Math.max(latest, (nowMillis + when) / 2) : latest;
        run.add(file);
        sum += bytes.applyAsLong(file);
      } else if (!run.isEmpty()) {
        break;
      }
    }
    return run;
  }
}
