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
            Path.of(""), "paper", rows, 10, 30, 10, Scale.of(rows, 7.5, 2), 500, Map.of("k", "v"))
        .describe();
  }

  private static ObjectNode cell(String id) {
    return new ObjectMapper().createObjectNode().put("id", id);
  }

  @Test
  void whatWasMeasuredIsThereForTheNextRun() throws IOException {
    Path file = directory.resolve("r.json");
    ResultFile first = ResultFile.open(file, settings(1_000));
    first.load("hdd/64k", cell("load"));
    first.add(cell("one"));
    ResultFile second = ResultFile.open(file, settings(1_000));
    second.add(cell("two"));
    assertEquals(Set.of("one", "two"), ResultFile.read(file).done());
    assertEquals("paper", second.settings().path("devices").asText());
    assertEquals(List.of("r.json"), List.of(directory.toFile().list()));
  }

  @Test
  void otherSettingsDoNotGoIntoOneFile() throws IOException {
    Path file = directory.resolve("r.json");
    ResultFile.open(file, settings(1_000)).add(cell("one"));
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class, () -> ResultFile.open(file, settings(100_000_000)));
    assertTrue(refused.getMessage().contains("--out"), refused.getMessage());
  }

  @Test
  void anythingElseIsNoResult() throws IOException {
    Path file = Files.writeString(directory.resolve("r.json"), "{\"cells\": 1}");
    assertThrows(IllegalArgumentException.class, () -> ResultFile.read(file));
  }
}
