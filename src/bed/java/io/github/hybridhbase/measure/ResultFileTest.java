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
package io.github.hybridhbase.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Results on disk. */
@InterfaceAudience.Private
class ResultFileTest {
  @TempDir private Path directory;

  private static ObjectNode settings(long rows) {
    return new RunSettings(
            Path.of(""),
            "paper",
            rows,
            10,
            30,
            10,
            Scale.of(rows, 7.5, 2),
            500,
            1,
            Map.of("k", "v"))
        .describe();
  }

  private static ObjectNode cell(String id) {
    return new ObjectMapper().createObjectNode().put("id", id);
  }

  private static final String PLAN = "short on paper";

  private ResultFile open(String plan, long rows) throws IOException {
    return ResultFile.open(directory.resolve("r.json"), plan, settings(rows));
  }

  @Test
  void whatWasMeasuredIsThereForTheNextRun() throws IOException {
    try (ResultFile first = open(PLAN, 1_000)) {
      first.load("hdd/64k", cell("load"));
      first.add(cell("one"));
    }
    try (ResultFile second = open(PLAN, 1_000)) {
      second.add(cell("two"));
    }
    try (ResultFile third = open(PLAN, 1_000)) {
      assertEquals(Set.of("one", "two"), third.done());
      assertEquals("paper", third.settings().path("devices").asText());
    }
    assertEquals(
        Set.of("r.json", "r.json.lock"), Set.of(directory.toFile().list()), "and nothing else");
  }

  /** Each has what it has read, and would write over what the other has added. */
  @Test
  void ofTwoRunsAtOnceTheSecondIsRefused() throws IOException {
    try (ResultFile first = open(PLAN, 1_000)) {
      first.add(cell("one"));
      IllegalArgumentException refused =
          assertThrows(IllegalArgumentException.class, () -> open("recovery on paper", 5_000));
      assertTrue(refused.getMessage().contains("another run writes"), refused.getMessage());
    }
    open("recovery on paper", 5_000).close();
  }

  @Test
  void oneFileHasSeveralPlansThatDoNotMeet() throws IOException {
    try (ResultFile one = open(PLAN, 1_000)) {
      one.add(cell("one"));
    }
    try (ResultFile other = open("recovery on paper", 5_000)) {
      assertEquals(Set.of(), other.done());
      other.add(cell("one"));
      other.add(cell("two"));
    }
    try (ResultFile one = open(PLAN, 1_000)) {
      assertEquals(Set.of("one"), one.done());
    }
    try (ResultFile other = open("recovery on paper", 5_000)) {
      assertEquals(2, other.cells().size());
    }
  }

  @Test
  void aCellThatIsMeasuredAgainIsThereOnce() throws IOException {
    try (ResultFile results = open(PLAN, 1_000)) {
      results.add(cell("one").put("opsPerSecond", 1));
      results.add(cell("one").put("opsPerSecond", 2));
      assertEquals(1, results.cells().size());
      assertEquals(2, results.cells().get(0).path("opsPerSecond").asInt());
      results.belongs("one", List.of("A", "B"));
      results.belongs("one", List.of("B", "C"));
    }
    try (ResultFile results = open(PLAN, 1_000)) {
      assertEquals("[\"A\",\"B\",\"C\"]", results.cells().get(0).path("sections").toString());
    }
  }

  @Test
  void otherSettingsDoNotGoIntoOnePlan() throws IOException {
    try (ResultFile one = open(PLAN, 1_000)) {
      one.add(cell("one"));
    }
    for (int twice = 0; twice < 2; twice++) {
      IllegalArgumentException refused =
          assertThrows(IllegalArgumentException.class, () -> open(PLAN, 100_000_000));
      assertTrue(refused.getMessage().contains("--out\n"), refused.getMessage());
    }
  }

  @Test
  void anythingElseIsNoResult() throws IOException {
    Files.writeString(directory.resolve("r.json"), "{\"cells\": 1}");
    assertThrows(IllegalArgumentException.class, () -> open(PLAN, 1_000));
  }

  @Test
  void logsAloneAreCellsBesideTheOthers() throws IOException {
    String line =
        "{\"round\":2,\"fileSystem\":\"ext4\",\"device\":\"today\",\"rival\":\"HYBRID_ASYNCFS\","
            + "\"writers\":100,\"hsync\":true,\"opsPerSecond\":800,\"p50ms\":1,\"p99ms\":9,"
            + "\"iosPerEdit\":0.1}";
    WalLines lines =
        WalLines.of(List.of("# ssd /dev/loop0", line, line.replace("HYBRID_", "MULTI_")));
    assertEquals("today", lines.device());
    assertEquals("wal/ext4/durable/100/hybrid/2", lines.cells().get(0).path("id").asText());
    assertEquals(1, lines.cells().size(), "of rivals that are compared");
    Path from = Files.write(directory.resolve("lines"), List.of(line));
    Path file = directory.resolve("all.json");
    String[] arguments = {"wal", "--lines", from.toString(), "--out", file.toString()};
    for (int twice = 0; twice < 2; twice++) {
      assertEquals(BenchCommand.FINE, BenchCommand.run(arguments, System.out, System.err));
    }
    try (ResultFile all = ResultFile.open(file, "wal on today", lines.settings())) {
      assertEquals(1, all.cells().size());
    }
    assertThrows(
        IllegalArgumentException.class,
        () -> WalLines.of(List.of(line, line.replace("today", "paper"))));
    for (String other : new String[] {"\"seconds\":15", "\"datanodes\":3", "\"policy\":\"HOT\""}) {
      String told = line.replace("\"round\":2", "\"round\":2," + other);
      assertThrows(IllegalArgumentException.class, () -> WalLines.of(List.of(line, told)));
    }
    assertThrows(IllegalArgumentException.class, () -> WalLines.of(List.of("{\"round\":1}")));
  }
}
