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
package io.github.hybridhbase.hot;

import java.util.function.Predicate;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The hot rows of a compaction with two outputs: constant, since a row's cells reach a writer in
 * several batches. The compaction's thread only.
 */
@InterfaceAudience.Private
public final class Split {
  final Predicate<byte[]> hot;
  private final long estimate;
  private final long most;
  private boolean makesHot;
  boolean placed = true;

  /**
   * @param estimate expected bytes of the hot file, one replica
   * @param most bytes from which on all rows go to the cold file
   */
  public Split(Predicate<byte[]> hot, long estimate, long most) {
    this.hot = hot;
    this.estimate = estimate;
    this.most = most;
  }

  /** Of a compaction with one output. */
  static Split none() {
    return new Split(HotFiles.NONE, 0, 0);
  }

  public boolean makesHot() {
    return makesHot;
  }

  void makesHot(boolean makes) {
    makesHot = makes;
  }

  public long estimate() {
    return estimate;
  }

  /** If false the hot file cannot be on SSD: its rows go to the cold file. */
  public void placed(boolean onSsd) {
    placed = onSsd;
  }

  boolean takes(long bytes) {
    return placed && bytes < most;
  }
}
