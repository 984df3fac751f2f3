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

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class NodeProberTest {
  @Test
  @DisplayName(
      "a file that HDFS placed on another DataNode after a wait means that this one is slow")
  void otherNodeAfterWait_isSlow() {
    assertEquals(NodeProber.Answer.ELSEWHERE, NodeProber.Answer.ofOtherNode(0, 1_000));
    assertEquals(NodeProber.Answer.ELSEWHERE, NodeProber.Answer.ofOtherNode(999, 1_000));
    assertEquals(NodeProber.Answer.SLOW, NodeProber.Answer.ofOtherNode(1_000, 1_000));
    assertEquals(NodeProber.Answer.SLOW, NodeProber.Answer.ofOtherNode(9_000, 4_000));
  }
}
