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

import io.github.hybridhbase.hot.HotFiles;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.yetus.audience.InterfaceAudience;

/** Pure choices of the files that a compaction takes off SSD. */
@InterfaceAudience.Private
final class ExitSelection {
  private ExitSelection() {}

  /** Whether a minor compaction may take a file alone. */
  static boolean mayRewrite(HStoreFile file) {
    return !isElsewhere(file) && HotFiles.length(file) > 0 && !file.excludeFromMinorCompaction();
  }

  private static boolean isElsewhere(HStoreFile file) {
    return file.isReference() || file.getFileInfo().isLink();
  }

  /** All files, if one compaction can take them; else none. */
  static List<HStoreFile> whole(List<HStoreFile> eligible, int files, int mostFiles) {
    boolean all =
        eligible.size() == files
            && files <= mostFiles
            && eligible.stream().noneMatch(ExitSelection::isElsewhere);
    return all ? eligible : List.of();
  }

  /**
   * The consecutive files on SSD from the first that has to leave; the others have to leave too or
   * are at least half as old.
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
    long first = 0;
    long sum = 0;
    for (F file : inSequence) {
      Long when = written.apply(file);
      boolean due = when != null && when <= writtenBy;
      long size = bytes.applyAsLong(file);
      boolean goes =
          run.isEmpty()
              ? due
              : (due || when != null && 2 * (nowMillis - when) >= nowMillis - first)
                  && sum + size <= mostBytes;
      if (!goes && !run.isEmpty()) {
        break;
      }
      if (goes) {
        first = run.isEmpty() ? when : first;
        run.add(file);
        sum += size;
        if (run.size() >= mostFiles) {
          break;
        }
      }
    }
    return run;
  }

  /**
   * Whether HBase's choice replaces the run: it has the run's first file or an older one, or the
   * store has too many files and HBase's choice is quicker.
   *
   * @param run not empty
   */
  static <F> boolean isUsual(
      List<F> inSequence, List<F> run, Collection<F> usual, boolean tooManyFiles) {
    int first = inSequence.indexOf(run.get(0));
    return !usual.isEmpty()
        && (tooManyFiles || inSequence.subList(0, first + 1).stream().anyMatch(usual::contains));
  }
}
