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

import io.github.hybridhbase.tool.cli.Verb.UsageException;
import io.github.hybridhbase.tool.cli.WholeFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import org.apache.yetus.audience.InterfaceAudience;

/** The file that {@code audit --html} writes. */
@InterfaceAudience.Private
final class HtmlFile {
  private final Path path;

  private HtmlFile(Path path) {
    this.path = path;
  }

  /**
   * Does not write it.
   *
   * @throws UsageException if it could not be written, before the audit starts
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
    // A rename would replace a device or a pipe, and the target of a dangling link is arbitrary.
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

  private static Path real(String name, Path path) throws UsageException {
    try {
      return WholeFile.follow(path);
    } catch (IOException e) {
      throw new UsageException("--html " + name + " cannot be followed (" + e + "); name another");
    }
  }

  /**
   * With the same permissions and owner.
   *
   * @throws IOException with file, cause and remedy in its message
   */
  void write(String page) throws IOException {
    try {
      WholeFile.write(
          path, page.getBytes(StandardCharsets.UTF_8), WholeFile.Owner.MAY_CHANGE, () -> {});
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
