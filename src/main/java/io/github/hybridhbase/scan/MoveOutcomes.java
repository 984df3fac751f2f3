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
 * The outcome of requested moves as later scans see it, since HDFS reports none. A file is moved
 * once a scan finds it in place, and is forgotten once deleted. One thread.
 *
 * <p>Records at most {@value #MOST} files a scan and ignores the rest; an incomplete scan keeps
 * earlier records too.
 */
@InterfaceAudience.Private
final class MoveOutcomes {
  static final int MOST = 10_000;

  private Set<String> asked = new HashSet<>();
  private Set<String> still = new HashSet<>();
  private long done;

  void begin() {
    still = new HashSet<>();
    done = 0;
  }

  void asked(Path file) {
    if (still.size() < MOST) {
      still.add(file.toString());
    }
  }

  boolean follows(Path file) {
    return !asked.isEmpty() && asked.contains(file.toString());
  }

  /** Records a followed file that the scan saw. */
  void seen(Path file, boolean misplaced) {
    if (misplaced) {
      asked(file);
    } else {
      asked.remove(file.toString());
      done++;
    }
  }

  /**
   * Ends the scan.
   *
   * @param whole whether all files were seen; unseen ones are forgotten then
   * @return number of followed files found in place
   */
  long end(boolean whole) {
    if (!whole) {
      still.addAll(asked);
    }
    asked = still;
    return done;
  }

  int underWay() {
    return asked.size();
  }
}
