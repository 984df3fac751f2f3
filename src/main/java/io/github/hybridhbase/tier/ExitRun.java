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
 * A pure choice of the files of a store that leave SSD in one compaction. They are adjacent in the
 * order of their sequence ids, as HBase requires, begin with the oldest that must leave, and are
 * all on SSD, so that a byte is written to DISK once.
 *
 * <p>A file that must leave takes those that follow along if they are at least half as old: one
 * file on DISK costs fewer compactions later than two do. A younger one stays, since it may still
 * be deleted on SSD.
 */
@InterfaceAudience.Private
final class ExitRun {
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
     */
    static Candidate onSsd(String name, long writtenMillis, long bytes) {
      return new Candidate(name, writtenMillis, bytes, true);
    }

    /** A file on DISK, a reference, or one that minor compactions exclude. */
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

  /** Files and bytes of one minor compaction of HBase's. */
  static final class Limits {
    private final int files;
    private final long bytes;

    Limits(int files, long bytes) {
      this.files = Math.max(1, files);
      this.bytes = bytes;
    }

    boolean hasFiles(int count) {
      return count <= files;
    }
  }

  enum Take {
    /** The files that must leave. */
    RUN,
    /**
     * HBase's own choice, which contains the first of them: those bytes would be written anyway.
     */
    USUAL,
    NOTHING
  }

  private ExitRun() {}

  /**
   * @param inSequence files that may be compacted now, by sequence id, oldest first
   * @param writtenBy files on SSD written until then must leave, in milliseconds since 1970
   * @param limits of one compaction; the first file goes however large it is
   * @return empty if none must leave
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
   * Chooses between these files and HBase's own choice. A queued file keeps all older ones of its
   * store from being compacted, so behind other compactions nothing is requested if HBase would
   * compact older ones now.
   *
   * @param inSequence files that may be compacted now, oldest first
   * @param run what {@link #choose} chose of them
   * @param usual what HBase would compact now; may be empty
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
