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

import io.github.hybridhbase.hot.HotFiles;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A request to rewrite a store's old files to DISK by one compaction. HBase selects on the
 * requesting thread, so the request travels with that thread. One thread.
 *
 * <p>The files are adjacent by sequence id, as HBase requires, begin with the oldest that must
 * leave, and are all on SSD, so that a byte is written to DISK once. A file that must leave takes
 * along those that follow if they are at least half as old, for fewer files on DISK; a younger one
 * may still be deleted on SSD.
 */
@InterfaceAudience.Private
public final class ExitRequest {
  public enum Outcome {
    /** No file that must leave may be compacted now, or compactions are switched off. */
    NOTHING,
    /** It belongs on the thread of large compactions. */
    LARGE,
    RUNNING
  }

  public enum Take {
    RUN,
    /**
     * HBase's own choice, which contains the first of them: those bytes would be written anyway.
     */
    USUAL,
    NOTHING
  }

  /** Files and bytes of one minor compaction of HBase's. */
  public static final class Limits {
    private final int files;
    private final long bytes;

    public Limits(int files, long bytes) {
      this.files = Math.max(1, files);
      this.bytes = bytes;
    }
  }

  private final Map<String, Long> onSsd;
  private final long writtenBy;
  private final long nowMillis;
  private final boolean behindOthers;
  private final boolean whole;
  private volatile Outcome outcome = Outcome.NOTHING;
  private volatile Set<String> names = Set.of();
  volatile boolean major;

  /**
   * @param onSsd when the store's files on SSD were written, by name; milliseconds since 1970
   * @param writtenBy files written until then must leave
   * @param behindOthers whether compactions of HBase's own wait for a thread: the exit then runs
   *     only if HBase would not compact older files of the store now
   */
  public ExitRequest(
      Map<String, Long> onSsd, long writtenBy, long nowMillis, boolean behindOthers) {
    this(onSsd, writtenBy, nowMillis, behindOthers, false);
  }

  private ExitRequest(
      Map<String, Long> onSsd,
      long writtenBy,
      long nowMillis,
      boolean behindOthers,
      boolean whole) {
    this.onSsd = Map.copyOf(onSsd);
    this.writtenBy = writtenBy;
    this.nowMillis = nowMillis;
    this.behindOthers = behindOthers;
    this.whole = whole;
  }

  /** For all files, so that the store's hot rows get a file of their own. */
  static ExitRequest ofWholeStore() {
    return new ExitRequest(Map.of(), 0, 0, true, true);
  }

  public boolean whole() {
    return whole;
  }

  static boolean mayRewrite(HStoreFile file) {
    return !isElsewhere(file) && HotFiles.length(file) > 0 && !file.excludeFromMinorCompaction();
  }

  private static boolean isElsewhere(HStoreFile file) {
    return file.isReference() || file.getFileInfo().isLink();
  }

  /**
   * @param inSequence files that may be compacted, by sequence id, oldest first
   * @param limits of one compaction; the first file goes however large it is
   * @return empty if none must leave
   */
  public List<HStoreFile> choose(List<HStoreFile> inSequence, Limits limits) {
    if (whole) {
      boolean all =
          inSequence.size() <= limits.files
              && inSequence.stream().noneMatch(ExitRequest::isElsewhere);
      return all ? inSequence : List.of();
    }
    return choose(
        inSequence,
        file -> mayRewrite(file) ? written(file.getPath().getName()) : null,
        HotFiles::length,
        limits);
  }

  /** When a file on SSD was written, in milliseconds since 1970; null for other files. */
  public Long written(String name) {
    return onSsd.get(name);
  }

  /**
   * @param written when a file on SSD that HBase may rewrite was written; null for one that stays
   */
  public <F> List<F> choose(
      List<F> inSequence, Function<F, Long> written, ToLongFunction<F> bytes, Limits limits) {
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
                  && sum + size <= limits.bytes;
      if (goes) {
        first = run.isEmpty() ? when : first;
        run.add(file);
        sum += size;
      } else if (!run.isEmpty()) {
        break;
      }
      if (run.size() == limits.files) {
        break;
      }
    }
    return run;
  }

  /**
   * Chooses between the run and HBase's own choice. A queued file keeps older ones of its store
   * from being compacted, so behind other compactions nothing is requested if HBase would compact
   * older ones now.
   *
   * @param run the result of {@link #choose}
   * @param usual what HBase would compact now; may be empty
   */
  public <F> Take take(List<F> inSequence, List<F> run, Collection<F> usual) {
    if (run.isEmpty() || whole) {
      return run.isEmpty() ? Take.NOTHING : Take.RUN;
    }
    F first = run.get(0);
    if (usual.contains(first)) {
      return Take.USUAL;
    }
    boolean olderFirst =
        inSequence.subList(0, inSequence.indexOf(first)).stream().anyMatch(usual::contains);
    return behindOthers && olderFirst ? Take.NOTHING : Take.RUN;
  }

  public void selected(Collection<String> files) {
    names = Set.copyOf(files);
  }

  public void takesMajor() {
    major = true;
  }

  public void large() {
    outcome = Outcome.LARGE;
  }

  public void begins() {
    outcome = Outcome.RUNNING;
  }

  public Outcome outcome() {
    return outcome;
  }

  public Set<String> names() {
    return outcome == Outcome.RUNNING ? names : Set.of();
  }
}
