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
package io.github.hybridhbase.scan;

import java.util.HashSet;
import java.util.Set;
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * What became of the moves that HDFS was asked for, told by the scans that come after: HDFS itself
 * tells nobody. A file counts as moved when a scan finds it in its place, and is forgotten when it
 * is gone. Remembers {@value #MOST} files at most; those asked for beyond that are not followed.
 * One thread.
 */
@InterfaceAudience.Private
final class MoveOutcomes {
  static final int MOST = 10_000;

  private Set<String> asked = new HashSet<>();
  private Set<String> still = new HashSet<>();
  private long done;

  /** A scan begins. */
  void begin() {
    still = new HashSet<>();
    done = 0;
  }

  /** HDFS took a request to move a file. */
  void asked(Path file) {
    if (still.size() < MOST) {
      still.add(file.toString());
    }
  }

  /** Whether an earlier scan asked for its move. */
  boolean follows(Path file) {
    return !asked.isEmpty() && asked.contains(file.toString());
  }

  /**
   * The scan saw a file that is followed.
   *
   * @param misplaced whether it still has a replica on the wrong medium
   */
  void seen(Path file, boolean misplaced) {
    if (misplaced) {
      asked(file);
    } else {
      asked.remove(file.toString());
      done++;
    }
  }

  /**
   * The scan is over.
   *
   * @param whole whether it saw all files: those that it did not see are gone then
   * @return files that were moved since the scan before
   */
  long end(boolean whole) {
    if (!whole) {
      still.addAll(asked);
    }
    asked = still;
    return done;
  }

  /** Files asked to be moved and not seen in their place yet. */
  int underWay() {
    return asked.size();
  }
}
