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
import java.util.Map;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

@InterfaceAudience.Private
class SsdShortfallTest {
  private static final Map<String, String> FOUR =
      Map.of("a", "/r1", "b", "/r1", "c", "/r2", "d", "/r2");

  private static FavouredNodes.Shortfall ofThree(String... outOfService) {
    return new FavouredNodes.Shortfall(3, 2, List.of(outOfService));
  }

  private static String cause(
      Map<String, String> racks, List<String> excluded, List<String> full, List<String> rejected) {
    return ofThree().cause(racks, excluded, full, rejected);
  }

  @Test
  void noneOrTooFewHaveSsd() {
    assertEquals("no DataNode with SSD is known", cause(Map.of(), List.of(), List.of(), List.of()));
    assertEquals(
        "only 2 DataNodes have SSD",
        cause(Map.of("a", "/r1", "c", "/r2"), List.of(), List.of(), List.of()));
  }

  @Test
  void whatIsInTheWayIsNamed() {
    assertEquals(
        "excluded after failures or stalls: a; no space: b, c",
        cause(FOUR, List.of("a", "x"), List.of("b", "c"), List.of()));
    assertEquals(
        "out of service: y, z",
        ofThree("z", "y").cause(Map.of("a", "/r1"), List.of(), List.of(), List.of()));
  }

  @Test
  void allInOneOfSeveralRacks() {
    assertEquals(
        "HDFS puts 2 replicas into one rack, and DataNodes with SSD are in /r1 only",
        cause(Map.of("a", "/r1", "b", "/r1", "c", "/r1"), List.of(), List.of(), List.of("c")));
  }

  @Test
  void whatHdfsPassedOver() {
    assertEquals(
        "passed over by HDFS (full, stale or slow): b, c",
        cause(FOUR, List.of("a"), List.of(), List.of("c", "b")));
  }

  @Test
  void otherwiseItIsTheirLoad() {
    assertEquals(
        "HDFS passed over DataNodes with SSD, probably for their load (finding ssd-overloaded of"
            + " 'hbase-hybrid doctor')",
        cause(FOUR, List.of(), List.of(), List.of()));
  }
}
