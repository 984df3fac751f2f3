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
package io.github.hybridhbase.hdfs;

import org.apache.yetus.audience.InterfaceAudience;

/** How one DataNode took a small file that was meant for it alone. */
@InterfaceAudience.Private
public enum NodeProbe {
  /** Each flush was answered in time. */
  QUICK,
  /** One was not, or the DataNode did not take the file at all. */
  SLOW,
  /** HDFS put the file elsewhere, at once: nothing is known. */
  ELSEWHERE;

  /**
   * Of a file that HDFS put elsewhere: at once, or after it had waited for this DataNode in vain.
   *
   * @param firstMillis that the first flush took, the other DataNode's block included
   * @param patienceMillis that HDFS's client waits for a DataNode at least
   */
  static NodeProbe elsewhere(long firstMillis, int patienceMillis) {
    return firstMillis < patienceMillis ? ELSEWHERE : SLOW;
  }
}
