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

import io.github.hybridhbase.tool.cli.UsageException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.apache.yetus.audience.InterfaceAudience;

/** A file that is there as a whole or not at all: whoever reads it sees the old page or the new. */
@InterfaceAudience.Private
final class HtmlFile {
  private final Path path;

  private HtmlFile(Path path) {
    this.path = path;
  }

  /**
   * The file of this name, which is not written yet.
   *
   * @throws UsageException where it could not be written, before anybody waits for what goes into
   *     it
   */
  static HtmlFile of(String name) throws UsageException {
    Path path = Path.of(name).toAbsolutePath();
    if (Files.exists(path)) {
      path = real(name, path);
    }
    Path directory = path.getParent();
    if (directory == null || Files.isDirectory(path)) {
      throw new UsageException("--html " + name + " is a directory; name a file in it");
    }
    // A device or a pipe would be gone, and a link to nothing may lead anywhere.
    if (Files.exists(path, LinkOption.NOFOLLOW_LINKS) && !Files.isRegularFile(path)) {
      throw new UsageException(
          "--html " + name + " is there and is no regular file; name another file");
    }
    if (!Files.isDirectory(directory)) {
      throw new UsageException(
          "--html " + name + ": there is no directory " + directory + "; make it, or name another");
    }
    if (!Files.isWritable(directory)) {
      throw new UsageException(
          "--html " + name + ": this user may not write in " + directory + "; name another file");
    }
    return new HtmlFile(path);
  }

  /** The file that links lead to, so that they stay. */
  private static Path real(String name, Path path) throws UsageException {
    try {
      return path.toRealPath();
    } catch (IOException e) {
      throw new UsageException("--html " + name + " cannot be followed (" + e + "); name another");
    }
  }

  /**
   * Writes it, in place of what stands there and with the same rights; a new file has those that
   * the umask leaves.
   *
   * @throws IOException with the file, the cause and what to do in its message
   */
  void write(String page) throws IOException {
    // A name that nobody can guess, made anew: nobody can put a link in its place.
    Path part = path.resolveSibling(".hybrid-" + UUID.randomUUID() + ".part");
    try {
      create(part, rights(), page);
      try {
        Files.move(part, path, StandardCopyOption.ATOMIC_MOVE);
      } catch (AtomicMoveNotSupportedException e) {
        Files.move(part, path, StandardCopyOption.REPLACE_EXISTING);
      }
    } catch (IOException e) {
      Files.deleteIfExists(part);
      throw new IOException(
          path
              + " could not be written ("
              + e
              + "). Name a file that this user may write, on a"
              + " volume with space",
          e);
    }
  }

  private Optional<Set<PosixFilePermission>> rights() throws IOException {
    boolean has =
        Files.exists(path)
            && Files.getFileAttributeView(path, PosixFileAttributeView.class) != null;
    return has ? Optional.of(Files.getPosixFilePermissions(path)) : Optional.empty();
  }

  private static void create(Path part, Optional<Set<PosixFilePermission>> rights, String page)
      throws IOException {
    FileAttribute<?>[] attributes =
        rights
            .map(set -> new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(set)})
            .orElse(new FileAttribute<?>[0]);
    try (OutputStream out =
        Channels.newOutputStream(
            Files.newByteChannel(
                part,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                attributes))) {
      out.write(page.getBytes(StandardCharsets.UTF_8));
    }
    if (rights.isPresent()) {
      // The umask has taken from them.
      Files.setPosixFilePermissions(part, rights.get());
    }
  }

  @Override
  public String toString() {
    return path.toString();
  }
}
