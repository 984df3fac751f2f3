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
package io.github.hybridhbase.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class LineTestsTest {
  private static LineTests tests() {
    Properties reasons = new Properties();
    reasons.setProperty("2.6.1-hadoop3/OneIT", "it lacks this");
    reasons.setProperty("2.6.1-hadoop3/TwoIT.some", "it lacks that");
    return new LineTests(reasons);
  }

  @Test
  void aTestIsSkippedOnItsLineOnly() {
    assertEquals("it lacks this", tests().reason("2.6.1", "OneIT"));
    assertEquals("it lacks this", tests().reason("2.6.1-hadoop3", "OneIT"));
    assertNull(tests().reason("2.6.4", "OneIT"));
    assertNull(tests().reason("2.6.11", "OneIT"));
    assertNull(tests().reason("", "OneIT"));
  }

  @Test
  void aMethodIsSkippedAlone() {
    assertEquals("it lacks that", tests().reason("2.6.1", "TwoIT.some"));
    assertNull(tests().reason("2.6.1", "TwoIT.other"));
    assertNull(tests().reason("2.6.1", "TwoIT"));
  }

  @Test
  void everySkippedTestIsThere() throws IOException {
    List<Path> sources = new ArrayList<>();
    for (String root : List.of("src/test/java", "src/bed/java")) {
      try (Stream<Path> all = Files.walk(Path.of(root))) {
        all.filter(path -> path.toString().endsWith("IT.java")).forEach(sources::add);
      }
    }
    for (String key : new LineTests().names()) {
      String[] parts = key.split("[/]", 2);
      assertEquals(parts[0], Line.of(parts[0]).version());
      String[] name = parts[1].split("\\.", 2);
      Path source =
          sources.stream()
              .filter(path -> path.endsWith(name[0] + ".java"))
              .findFirst()
              .orElseThrow(() -> new AssertionError(key));
      String text = Files.readString(source);
      assertTrue(text.contains("@ExtendWith(LineTests.class)"), key);
      assertTrue(name.length == 1 || text.contains("void " + name[1] + "("), key);
    }
  }
}
