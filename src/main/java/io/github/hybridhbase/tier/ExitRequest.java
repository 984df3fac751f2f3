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

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * What a store is asked for: to have its old files rewritten to DISK. HBase selects on the thread
 * that asks, so the request travels with that thread and comes back with what was selected. One
 * thread.
 */
@InterfaceAudience.Private
final class ExitRequest {
  /** What became of a request. */
  enum Outcome {
    /** HBase did not even select: compactions are switched off for the table or the server. */
    NOT_ASKED,
    /** Nothing that has to go may be compacted now. */
    NOTHING,
    /** A compaction is queued. */
    QUEUED
  }

  private final Map<String, Long> onSsd;
  private final long writtenBy;
  private final long nowMillis;
  private Outcome outcome = Outcome.NOT_ASKED;
  private Set<String> names = Set.of();

  /**
   * Describes it.
   *
   * @param onSsd when the store's files on SSD were written, by their names; milliseconds since
   *     1970
   * @param writtenBy those written until then have to go
   */
  ExitRequest(Map<String, Long> onSsd, long writtenBy, long nowMillis) {
    this.onSsd = Map.copyOf(onSsd);
    this.writtenBy = writtenBy;
    this.nowMillis = nowMillis;
  }

  /**
   * The files to take, see {@link ExitRun#choose}.
   *
   * @param inSequence what may be compacted now, by sequence id, oldest first
   */
  List<HStoreFile> choose(List<HStoreFile> inSequence, int most) {
    List<ExitRun.Candidate> candidates = new ArrayList<>();
    for (HStoreFile file : inSequence) {
      String name = file.getPath().getName();
      candidates.add(HBaseFiles.mayRewrite(file) ? candidate(name) : ExitRun.Candidate.other(name));
    }
    Set<String> run = names(candidates, most);
    return inSequence.stream()
        .filter(file -> run.contains(file.getPath().getName()))
        .collect(Collectors.toList());
  }

  /** As {@link #choose}, of files of which all may be rewritten. */
  Set<String> chooseNames(List<String> inSequence, int most) {
    return names(inSequence.stream().map(this::candidate).collect(Collectors.toList()), most);
  }

  private ExitRun.Candidate candidate(String name) {
    Long written = onSsd.get(name);
    return written == null ? ExitRun.Candidate.other(name) : ExitRun.Candidate.onSsd(name, written);
  }

  private Set<String> names(List<ExitRun.Candidate> candidates, int most) {
    return ExitRun.choose(candidates, writtenBy, nowMillis, most).stream()
        .map(ExitRun.Candidate::name)
        .collect(Collectors.toSet());
  }

  /** HBase has selected these. */
  void selected(Collection<HStoreFile> files) {
    selectedNames(files.stream().map(file -> file.getPath().getName()).collect(Collectors.toSet()));
  }

  void selectedNames(Set<String> files) {
    outcome = files.isEmpty() ? Outcome.NOTHING : Outcome.QUEUED;
    names = Set.copyOf(files);
  }

  /** What became of it. */
  Outcome outcome() {
    return outcome;
  }

  /** What the compaction takes; empty where there is none. */
  Set<String> names() {
    return names;
  }
}
