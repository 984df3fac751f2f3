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
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.hybridhbase.runtime.Action;
import io.github.hybridhbase.tool.cli.WholeFile.Owner;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
    WholeFile.write(file, "new é".getBytes(StandardCharsets.UTF_8), Owner.MUST_STAY, () -> {});
    assertEquals("new é", Files.readString(file));
    assertEquals(was, Files.readAttributes(file, "unix:uid,gid"));
    assertEquals("rw-rw----", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
    assertEquals(List.of("file"), names());
  }

  /** An access control list is an extended attribute too, which Java cannot set. */
  @Test
  void extendedAttributesAndAccessControlListStay() throws Exception {
    Path file = Files.writeString(directory.resolve("file"), "old");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r--r-----"));
    assumeTrue(
        Files.getFileStore(file).supportsFileAttributeView(UserDefinedFileAttributeView.class));
    UserDefinedFileAttributeView note =
        Files.getFileAttributeView(file, UserDefinedFileAttributeView.class);
    note.write("note", ByteBuffer.wrap(new byte[] {1, 2}));
    String listed = accessControlList(file);
    WholeFile.write(file, new byte[] {'n'}, Owner.MUST_STAY, () -> {});
    assertEquals("n", Files.readString(file));
    assertEquals(List.of("note"), note.list());
    assertEquals("r--r-----", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
    assertEquals(listed, run("ls", "-l", file.toString()).split(" ", 2)[0]);
  }

  /** Gives user 4711 the right to read, if a command for that is installed. */
  private static String accessControlList(Path file) throws Exception {
    String set =
        "import os, struct, sys\n"
            + "e = lambda *entry: struct.pack('<HHI', *entry)\n"
            + "none = 0xffffffff\n"
            + "acl = struct.pack('<I', 2) + e(1, 4, none) + e(2, 4, 4711) + e(4, 4, none)\n"
            + "os.setxattr(sys.argv[1], 'system.posix_acl_access',\n"
            + "    acl + e(16, 4, none) + e(32, 0, none))\n";
    run("python3", "-c", set, file.toString());
    return run("ls", "-l", file.toString()).split(" ", 2)[0];
  }

  private static String run(String... command) throws Exception {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      process.waitFor();
      return out;
    } catch (IOException e) {
      return ""; // not installed
    }
  }

  @Test
  void whatMustStayStaysAndNothingIsLeftBeside() throws Exception {
    Path file = Files.writeString(directory.resolve("file"), "old");
    Action<IOException> refuses =
        () -> {
          assertEquals(2, names().size(), "the new one is there by now");
          throw new IOException("edited meanwhile");
        };
    assertThrows(
        IOException.class, () -> WholeFile.write(file, new byte[] {1}, Owner.MAY_CHANGE, refuses));
    assertEquals("old", Files.readString(file));
    assertEquals(List.of("file"), names());
  }

  @Test
  void aDirectoryThatIsNotThereIsAnError() {
    Path file = directory.resolve("no/file");
    assertThrows(
        IOException.class, () -> WholeFile.write(file, new byte[] {1}, Owner.MAY_CHANGE, () -> {}));
  }

  /** As Linux's fs.protected_symlinks, also for a directory on the way. */
  @ParameterizedTest
  @ValueSource(strings = {"shared/link", "shared/to-inner/file", "again/link"})
  void follow_anothersLinkInASharedStickyDirectory_isRefused(String name) throws Exception {
    assumeTrue(Files.getAttribute(directory, "unix:uid").equals(0), "only root gives files away");
    Path inner = Files.createDirectory(directory.resolve("inner"));
    Path file = Files.writeString(inner.resolve("file"), "root's").toRealPath();
    Path shared = Files.createDirectory(directory.resolve("shared"));
    Files.setAttribute(shared, "unix:mode", 01777);
    Files.createSymbolicLink(directory.resolve("again"), Path.of("inner/../shared"));
    List<Path> links =
        List.of(
            Files.createSymbolicLink(shared.resolve("link"), Path.of("../inner/file")),
            Files.createSymbolicLink(shared.resolve("to-inner"), inner));
    Path path = directory.resolve(name);
    assertEquals(file, WholeFile.follow(path), "this user's own link");
    for (Path link : links) {
      Files.setAttribute(link, "unix:uid", 4711, LinkOption.NOFOLLOW_LINKS);
    }
    String text =
        assertThrows(AccessDeniedException.class, () -> WholeFile.follow(path)).getMessage();
    assertTrue(text.contains("a link of another user"), text);
    Files.setAttribute(shared, "unix:uid", 4711);
    assertEquals(file, WholeFile.follow(path), "the link of the directory's owner");
    Files.setAttribute(shared, "unix:uid", 0);
    Files.setAttribute(shared, "unix:mode", 0755);
    assertEquals(file, WholeFile.follow(path), "nobody else can make a link there any more");
  }

  @Test
  void follow_linksInACircle_isAnError() throws Exception {
    Path first = directory.resolve("first");
    Files.createSymbolicLink(first, Files.createSymbolicLink(directory.resolve("second"), first));
    assertThrows(FileSystemLoopException.class, () -> WholeFile.follow(first));
  }
}
