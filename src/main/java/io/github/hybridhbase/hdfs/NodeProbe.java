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

/** The result of writing a small file to one DataNode. */
@InterfaceAudience.Private
public enum NodeProbe {
  QUICK,
  /** A flush was late, or the DataNode refused the file. */
  SLOW,
  /** HDFS chose another DataNode at once: inconclusive. */
  ELSEWHERE;

  /**
   * @param firstMillis duration of the first flush
   * @param patienceMillis minimum time that HDFS's client waits for a DataNode; a longer flush
   *     means that it tried this one first
   */
  static NodeProbe ofOtherNode(long firstMillis, int patienceMillis) {
    return firstMillis < patienceMillis ? ELSEWHERE : SLOW;
  }
}
