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
import java.util.Set;
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
    private final long bytes;
    private final boolean mayLeave;

    private Candidate(String name, long writtenMillis, long bytes, boolean mayLeave) {
      this.name = name;
      this.writtenMillis = writtenMillis;
      this.bytes = bytes;
      this.mayLeave = mayLeave;
    }

    /**
     * A file on SSD that HBase may rewrite.
     *
     * @param writtenMillis since 1970
     * @param bytes its length
     */
    static Candidate onSsd(String name, long writtenMillis, long bytes) {
      return new Candidate(name, writtenMillis, bytes, true);
    }

    /** Any other: on DISK, a reference, or one that minor compactions leave out. */
    static Candidate other(String name) {
      return new Candidate(name, 0, 0, false);
    }

    String name() {
      return name;
    }

    @Override
    public String toString() {
      return name + (mayLeave ? " written " + writtenMillis : " stays");
    }
  }

  /** How many files, and how many bytes of them, HBase puts into one minor compaction. */
  static final class Limits {
    private final int files;
    private final long bytes;

    Limits(int files, long bytes) {
      this.files = Math.max(1, files);
      this.bytes = bytes;
    }

    /** Whether one compaction takes so many files. */
    boolean hasFiles(int count) {
      return count <= files;
    }
  }

  /** Which compaction to ask for. */
  enum Take {
    /** The files that have to go. */
    RUN,
    /** HBase's own choice, which holds the first of them: those bytes would be written anyway. */
    USUAL,
    /** None now. */
    NOTHING
  }

  private ExitRun() {}

  /**
   * Chooses files.
   *
   * @param inSequence what may be compacted now, by sequence id, oldest first
   * @param writtenBy files on SSD written until then have to go, in milliseconds since 1970
   * @param limits what one compaction takes; the first file goes however large it is
   * @return none where none has to go
   */
  static List<Candidate> choose(
      List<Candidate> inSequence, long writtenBy, long nowMillis, Limits limits) {
    List<Candidate> run = new ArrayList<>();
    long bytes = 0;
    for (Candidate file : inSequence) {
      boolean due = file.mayLeave && file.writtenMillis <= writtenBy;
      boolean goes =
          run.isEmpty()
              ? due
              : (due || goesAlong(file, run.get(0), nowMillis))
                  && bytes + file.bytes <= limits.bytes;
      if (goes) {
        run.add(file);
        bytes += file.bytes;
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
   * Chooses between these files and HBase's own choice. A file that waits for a thread keeps all
   * older ones of its store from being compacted, so behind other compactions nothing is asked for
   * where HBase would compact older ones now.
   *
   * @param inSequence names of what may be compacted now, oldest first
   * @param run what {@link #choose} chose of them
   * @param usual what HBase would compact now; empty where it would compact nothing
   * @param behindOthers whether compactions wait for a thread
   */
  static Take take(
      List<String> inSequence, List<String> run, Set<String> usual, boolean behindOthers) {
    if (run.isEmpty()) {
      return Take.NOTHING;
    }
    String first = run.get(0);
    if (usual.contains(first)) {
      return Take.USUAL;
    }
    boolean olderFirst =
        inSequence.subList(0, inSequence.indexOf(first)).stream().anyMatch(usual::contains);
    return behindOthers && olderFirst ? Take.NOTHING : Take.RUN;
  }

  private static boolean goesAlong(Candidate file, Candidate first, long nowMillis) {
    return file.mayLeave && 2 * (nowMillis - file.writtenMillis) >= nowMillis - first.writtenMillis;
  }
}
