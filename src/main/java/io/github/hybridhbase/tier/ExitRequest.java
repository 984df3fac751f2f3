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

import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
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

  /** When a file of this name was written; empty where it is not known to be on SSD. */
  OptionalLong written(String name) {
    Long written = onSsd.get(name);
    return written == null ? OptionalLong.empty() : OptionalLong.of(written);
  }

  /** The files to take of those that may be compacted now, see {@link ExitRun#choose}. */
  List<ExitRun.Candidate> choose(List<ExitRun.Candidate> inSequence, int most) {
    return ExitRun.choose(inSequence, writtenBy, nowMillis, most);
  }

  /** HBase has selected these. */
  void selected(Set<String> files) {
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
