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

import io.github.hybridhbase.tier.ExitRun.Candidate;
import io.github.hybridhbase.tier.ExitRun.Limits;
import io.github.hybridhbase.tier.ExitRun.Take;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A request to rewrite a store's old files to DISK. HBase selects on the requesting thread, so the
 * request travels with that thread and returns what was selected. One thread.
 */
@InterfaceAudience.Private
final class ExitRequest {
  enum Outcome {
    /** Compactions are switched off for the table or the server. */
    NOT_ASKED,
    /** No file that must leave may be compacted now. */
    NOTHING,
    /** It belongs on the thread of large compactions. */
    LARGE,
    /** The compaction runs, or has run. */
    RUNNING
  }

  private final Map<String, Long> onSsd;
  private final long writtenBy;
  private final long nowMillis;
  private final boolean behindOthers;
  private final boolean whole;
  private volatile Outcome outcome = Outcome.NOT_ASKED;
  private volatile Set<String> names = Set.of();
  private volatile boolean major;

  /**
   * @param onSsd when the store's files on SSD were written, by name; milliseconds since 1970
   * @param writtenBy files written until then must leave
   * @param behindOthers whether compactions wait for a thread
   */
  ExitRequest(Map<String, Long> onSsd, long writtenBy, long nowMillis, boolean behindOthers) {
    this.onSsd = Map.copyOf(onSsd);
    this.writtenBy = writtenBy;
    this.nowMillis = nowMillis;
    this.behindOthers = behindOthers;
    this.whole = false;
  }

  private ExitRequest() {
    this.onSsd = Map.of();
    this.writtenBy = 0;
    this.nowMillis = 0;
    this.behindOthers = true;
    this.whole = true;
  }

  /** For all files of a store, so that its hot rows get a file of their own. */
  static ExitRequest ofWholeStore() {
    return new ExitRequest();
  }

  boolean whole() {
    return whole;
  }

  /**
   * Whether compactions of HBase's own wait for a thread: the exit then runs only if HBase would
   * not compact older files of the store now.
   */
  boolean behindOthers() {
    return behindOthers;
  }

  /**
   * @param inSequence files that may be compacted now, by sequence id, oldest first
   */
  List<HStoreFile> choose(List<HStoreFile> inSequence, Limits limits) {
    if (whole) {
      boolean all =
          limits.hasFiles(inSequence.size())
              && inSequence.stream()
                  .noneMatch(file -> file.isReference() || file.getFileInfo().isLink());
      return all ? inSequence : List.of();
    }
    List<Candidate> candidates = new ArrayList<>();
    for (HStoreFile file : inSequence) {
      String name = file.getPath().getName();
      candidates.add(
          HBaseFiles.mayRewrite(file)
              ? candidate(name, HBaseFiles.length(file))
              : Candidate.other(name));
    }
    Set<String> run = Set.copyOf(names(candidates, limits));
    return inSequence.stream()
        .filter(file -> run.contains(file.getPath().getName()))
        .collect(Collectors.toList());
  }

  /** As {@link #choose}, of files of which all may be rewritten. */
  Set<String> chooseNames(List<String> inSequence, Limits limits) {
    return Set.copyOf(
        names(
            inSequence.stream().map(name -> candidate(name, 0)).collect(Collectors.toList()),
            limits));
  }

  private Candidate candidate(String name, long bytes) {
    Long written = onSsd.get(name);
    return written == null ? Candidate.other(name) : Candidate.onSsd(name, written, bytes);
  }

  private List<String> names(List<Candidate> candidates, Limits limits) {
    return ExitRun.choose(candidates, writtenBy, nowMillis, limits).stream()
        .map(Candidate::name)
        .collect(Collectors.toList());
  }

  /**
   * @param run what {@link #choose} chose
   * @param usual what HBase would compact now
   */
  Take take(List<HStoreFile> inSequence, List<HStoreFile> run, Collection<HStoreFile> usual) {
    if (whole) {
      return run.isEmpty() ? Take.NOTHING : Take.RUN;
    }
    return ExitRun.take(names(inSequence), names(run), Set.copyOf(names(usual)), behindOthers);
  }

  private static List<String> names(Collection<HStoreFile> files) {
    return files.stream().map(file -> file.getPath().getName()).collect(Collectors.toList());
  }

  void selected(Collection<HStoreFile> files) {
    selectedNames(Set.copyOf(names(files)));
  }

  void selectedNames(Set<String> files) {
    names = Set.copyOf(files);
    outcome = Outcome.NOTHING;
  }

  /** The selection is the major compaction that somebody has requested of HBase. */
  void takesMajor() {
    major = true;
  }

  boolean tookMajor() {
    return major;
  }

  /** The selection is cancelled: it belongs on the thread of large compactions. */
  void large() {
    outcome = Outcome.LARGE;
  }

  void begins() {
    outcome = Outcome.RUNNING;
  }

  Outcome outcome() {
    return outcome;
  }

  /** Empty while the compaction does not run. */
  Set<String> names() {
    return outcome == Outcome.RUNNING ? names : Set.of();
  }
}
