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
package io.github.hybridhbase.tool.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.hybridhbase.tool.cli.WholeFile.Owner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@InterfaceAudience.Private
class WholeFileTest {
  @TempDir private Path directory;

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(path -> path.getFileName().toString()).collect(Collectors.toList());
    }
  }

  @Test
  void rightsAndOwnerStay() throws Exception {
    Path file = Files.writeString(directory.resolve("file"), "old");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw----"));
    Map<String, Object> was = Files.readAttributes(file, "unix:uid,gid");
    if (was.get("uid").equals(0)) {
      // As root: a file of somebody else's.
      Files.setAttribute(file, "unix:uid", 4711);
      Files.setAttribute(file, "unix:gid", 4712);
      was = Files.readAttributes(file, "unix:uid,gid");
      assertEquals(4711, was.get("uid"));
    }
    WholeFile.write(file, "new é", Owner.MUST_STAY, () -> {});
    assertEquals("new é", Files.readString(file));
    assertEquals(was, Files.readAttributes(file, "unix:uid,gid"));
    assertEquals("rw-rw----", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
    assertEquals(List.of("file"), names());
  }

  @Test
  void whatMustStayStaysAndNothingIsLeftBeside() throws Exception {
    Path file = Files.writeString(directory.resolve("file"), "old");
    WholeFile.LastLook refuses =
        () -> {
          assertEquals(2, names().size(), "the new one is there by now");
          throw new IOException("edited meanwhile");
        };
    assertThrows(IOException.class, () -> WholeFile.write(file, "new", Owner.MAY_CHANGE, refuses));
    assertEquals("old", Files.readString(file));
    assertEquals(List.of("file"), names());
  }

  @Test
  void aDirectoryThatIsNotThereIsAnError() {
    Path file = directory.resolve("no/file");
    assertThrows(IOException.class, () -> WholeFile.write(file, "new", Owner.MAY_CHANGE, () -> {}));
  }
}
