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
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.hybridhbase.tool.cli.Verb.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
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
  void whatIsNoRegularFileIsLeftAlone() throws Exception {
    Path link = Files.createSymbolicLink(directory.resolve("link"), Path.of("nothing.html"));
    for (String name : List.of("/dev/null", link.toString())) {
      String text = assertThrows(UsageException.class, () -> HtmlFile.of(name)).getMessage();
      assertTrue(text.contains(name) && text.contains("no regular file"), text);
    }
    assertEquals(List.of("link"), names());
  }

  @Test
  void aLinkStaysAndItsFileKeepsItsRights() throws Exception {
    Path inner = Files.createDirectory(directory.resolve("inner"));
    Path file = Files.writeString(inner.resolve("page.html"), "old");
    Set<PosixFilePermission> rights = PosixFilePermissions.fromString("rw-rw-rw-");
    Files.setPosixFilePermissions(file, rights);
    Path link = Files.createSymbolicLink(directory.resolve("link"), file);
    HtmlFile.of(link.toString()).write("new");
    assertTrue(Files.isSymbolicLink(link));
    assertEquals("new", Files.readString(file));
    assertEquals(rights, Files.getPosixFilePermissions(file));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    HtmlFile.of(file.toString()).write("newer");
    assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
    assertEquals(List.of("inner", "link"), names().stream().sorted().collect(Collectors.toList()));
  }

  @Test
  void of_anothersLinkInASharedStickyDirectory_isRefused() throws Exception {
    assumeTrue(Files.getAttribute(directory, "unix:uid").equals(0), "only root gives files away");
    Path file = Files.writeString(directory.resolve("roots"), "root's");
    Path shared = Files.createDirectory(directory.resolve("shared"));
    Files.setAttribute(shared, "unix:mode", 01777);
    Path link = Files.createSymbolicLink(shared.resolve("page.html"), file);
    Files.setAttribute(link, "unix:uid", 4711, LinkOption.NOFOLLOW_LINKS);
    String text =
        assertThrows(UsageException.class, () -> HtmlFile.of(link.toString())).getMessage();
    assertTrue(text.contains("a link of another user") && text.contains("name another"), text);
    assertEquals("root's", Files.readString(file));
  }

  @Test
  void aNewFileHasTheRightsThatTheUmaskLeaves() throws Exception {
    Path other = Files.writeString(directory.resolve("other"), "");
    Path file = directory.resolve("page.html");
    HtmlFile.of(file.toString()).write("new");
    assertEquals(Files.getPosixFilePermissions(other), Files.getPosixFilePermissions(file));
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
