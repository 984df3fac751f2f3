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
import io.github.hybridhbase.tool.cli.WholeFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
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
      return WholeFile.follow(path);
    } catch (IOException e) {
      throw new UsageException("--html " + name + " cannot be followed (" + e + "); name another");
    }
  }

  /**
   * Writes it, in place of what stands there and with the same rights and owner.
   *
   * @throws IOException with the file, the cause and what to do in its message
   */
  void write(String page) throws IOException {
    try {
      WholeFile.write(path, page, WholeFile.Owner.MAY_CHANGE, () -> {});
    } catch (IOException e) {
      throw new IOException(
          path
              + " could not be written ("
              + e
              + "). Name a file that this user may write, on a"
              + " volume with space",
          e);
    }
  }

  @Override
  public String toString() {
    return path.toString();
  }
}
