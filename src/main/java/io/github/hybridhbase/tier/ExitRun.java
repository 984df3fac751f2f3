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
import java.util.List;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Which files of a store leave SSD in one compaction: a pure function. They are next to each other
 * in the order of their sequence ids, as HBase requires, begin with the oldest that has to go, and
 * are all on SSD, so that a byte is written to DISK once.
 *
 * <p>A file that has to go takes those that follow along where they are at least half as old: one
 * file on DISK costs fewer compactions later than two do. A younger one stays, since it may still
 * die on SSD.
 */
@InterfaceAudience.Private
final class ExitRun {
  /** One store file. Immutable. */
  static final class Candidate {
    private final String name;
    private final long writtenMillis;
    private final boolean mayLeave;

    private Candidate(String name, long writtenMillis, boolean mayLeave) {
      this.name = name;
      this.writtenMillis = writtenMillis;
      this.mayLeave = mayLeave;
    }

    /**
     * A file on SSD that HBase may rewrite.
     *
     * @param writtenMillis since 1970
     */
    static Candidate onSsd(String name, long writtenMillis) {
      return new Candidate(name, writtenMillis, true);
    }

    /** Any other: on DISK, a reference, or one that minor compactions leave out. */
    static Candidate other(String name) {
      return new Candidate(name, 0, false);
    }

    String name() {
      return name;
    }

    @Override
    public String toString() {
      return name + (mayLeave ? " written " + writtenMillis : " stays");
    }
  }

  private ExitRun() {}

  /**
   * Chooses files.
   *
   * @param inSequence what may be compacted now, by sequence id, oldest first
   * @param writtenBy files on SSD written until then have to go, in milliseconds since 1970
   * @param most how many files one compaction takes
   * @return none where none has to go
   */
  static List<Candidate> choose(
      List<Candidate> inSequence, long writtenBy, long nowMillis, int most) {
    List<Candidate> run = new ArrayList<>();
    for (Candidate file : inSequence) {
      boolean due = file.mayLeave && file.writtenMillis <= writtenBy;
      if (run.isEmpty() ? due : due || goesAlong(file, run.get(0), nowMillis)) {
        run.add(file);
      } else if (!run.isEmpty()) {
        break;
      }
      if (run.size() == Math.max(1, most)) {
        break;
      }
    }
    return run;
  }

  private static boolean goesAlong(Candidate file, Candidate first, long nowMillis) {
    return file.mayLeave && 2 * (nowMillis - file.writtenMillis) >= nowMillis - first.writtenMillis;
  }
}
