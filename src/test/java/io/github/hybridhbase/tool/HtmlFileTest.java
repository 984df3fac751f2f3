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
package io.github.hybridhbase.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.tool.cli.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@InterfaceAudience.Private
class HtmlFileTest {
  @TempDir Path directory;

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(path -> path.getFileName().toString()).collect(Collectors.toList());
    }
  }

  @Test
  void takesThePlaceOfTheOldOneAndLeavesNothingElse() throws Exception {
    Path file = directory.resolve("page.html");
    HtmlFile.of(file.toString()).write("old");
    HtmlFile.of(file.toString()).write("new é");
    assertEquals("new é", Files.readString(file));
    assertEquals(List.of("page.html"), names());
  }

  @Test
  void whatCannotBeWrittenIsSaidBeforeAnybodyWaits() {
    String missing = directory.resolve("no/page.html").toString();
    String text = assertThrows(UsageException.class, () -> HtmlFile.of(missing)).getMessage();
    assertTrue(text.contains(missing) && text.contains("make it"), text);
    text = assertThrows(UsageException.class, () -> HtmlFile.of(directory.toString())).getMessage();
    assertTrue(text.contains("name a file in it"), text);
  }

  @Test
  void whatFailsLaterNamesTheFileAndLeavesNothingHalf() throws Exception {
    Path file = directory.resolve("page.html");
    HtmlFile html = HtmlFile.of(file.toString());
    Files.createDirectories(file.resolve("in the way"));
    String text = assertThrows(IOException.class, () -> html.write("x")).getMessage();
    assertTrue(text.contains(file.toString()) && text.contains("Name a file"), text);
    assertEquals(List.of("page.html"), names());
  }
}
