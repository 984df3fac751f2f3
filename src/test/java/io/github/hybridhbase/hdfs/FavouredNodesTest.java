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

import io.github.hybridhbase.hdfs.KnownSsdNodes.FavouredNodes;
import io.github.hybridhbase.hdfs.KnownSsdNodes.Node;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@InterfaceAudience.Private
class FavouredNodesTest {
  /** As {@code a1:7!?}: name, rack, last use, whether local, whether doubtful. */
  private static final Pattern NODE = Pattern.compile("([a-z])(\\d):(\\d+)(!?)(\\??)");

  /** Three are wanted, eight may be named. */
  @ParameterizedTest
  @CsvSource({
    "who was chosen longest ago comes first,              3, a1:2 b1:9 c1:1 d1:3,   c a d b",
    "the local one comes first,                           3, a1:1 b1:2 l1:99!,      l a b",
    "unless it is doubtful,                               3, a1:1 b1:2 l1:0!?,      a b l",
    "not all three share one of two racks,                2, a1:1 b1:2 c1:3 d2:4,   a b d c",
    "a full rack has one spare: the NameNode logs each,   2, a1:1 b1:2 c1:3 d1:4,   a b c",
  })
  void namesInOrder(String what, int perRack, String nodes, String expected) {
    List<Node> all =
        NODE.matcher(nodes)
            .results()
            .map(
                one ->
                    new Node(
                        one.group(1),
                        "/r" + one.group(2),
                        one.group(4).equals("!"),
                        one.group(5).equals("?"),
                        Long.parseLong(one.group(3))))
            .collect(Collectors.toList());
    assertEquals(List.of(expected.split(" ")), FavouredNodes.choose(all, 3, perRack, 8), what);
  }

  @Test
  void perRackIsAsHdfsCountsIt() {
    assertEquals(3, SsdNodes.perRack(3, 1));
    assertEquals(2, SsdNodes.perRack(3, 2));
    assertEquals(2, SsdNodes.perRack(3, 4));
    assertEquals(1, SsdNodes.perRack(2, 2)); // HDFS has 2, less one as both replicas
    assertEquals(1, SsdNodes.perRack(1, 9));
    assertEquals(3, SsdNodes.perRack(5, 3));
  }

  @Test
  void noneIsNamedWhereMostHaveSsdOrTooFewWouldBeLeftForDisk() {
    assertEquals(8, FavouredNodes.most(8, 40, 0, 3));
    assertEquals(0, FavouredNodes.most(3, 3, 0, 3));
    assertEquals(0, FavouredNodes.most(21, 40, 0, 3));
    assertEquals(1, FavouredNodes.most(2, 4, 0, 3));
    assertEquals(0, FavouredNodes.most(2, 4, 1, 3));
    assertEquals(2, FavouredNodes.most(3, 6, 1, 3));
    assertEquals(FavouredNodes.MOST, FavouredNodes.most(50, 500, 3, 3));
    assertEquals(0, FavouredNodes.most(0, 0, 0, 3));
  }
}
