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

import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.DatanodeInfoBuilder;
import org.junit.jupiter.api.Test;

class ExcludedNodesTest {
  private static DatanodeInfo node(String host, int port) {
    return new DatanodeInfoBuilder()
        .setNodeID(new DatanodeID("127.0.0.1", host, host, port, 1, 2, 3))
        .build();
  }

  @Test
  void whatIsWrittenIsRead() {
    ExcludedNodes two = ExcludedNodes.of(List.of(node("b", 9866), node("a", 1)));
    assertEquals("v1 a:1 b:9866", two.toString());
    assertEquals(
        List.of("a:1", "b:9866"), ExcludedNodes.parse(two.toString()).orElseThrow().addresses());
    ExcludedNodes none = ExcludedNodes.of(List.of());
    assertEquals(List.of(), ExcludedNodes.parse(none.toString()).orElseThrow().addresses());
  }

  @Test
  void whatIsNoneOfOursIsNotRead() {
    for (String text : new String[] {"", "v2 a:1", "v1 a", "v1a:1", "v1 a:b", "v1 "}) {
      assertEquals(Optional.empty(), ExcludedNodes.parse(text), text);
    }
  }
}
