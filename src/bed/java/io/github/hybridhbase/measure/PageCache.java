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

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.apache.yetus.audience.InterfaceAudience;

/** The kernel's cache of files, as it is before a cell. */
@InterfaceAudience.Private
final class PageCache {
  private PageCache() {}

  /** Writes what waits in it, and empties it; answers whether that was allowed. */
  static boolean empty() throws IOException, InterruptedException {
    new ProcessBuilder(List.of("sync")).start().waitFor();
    try {
      Files.writeString(Path.of("/proc/sys/vm/drop_caches"), "3");
      return true;
    } catch (AccessDeniedException e) {
      return false;
    }
  }

  /**
   * Reads all files below a directory, but what is saved there. They stay until memory is short: it
   * is this process that is charged for them, not the bounded ones.
   */
  static void fill(Path directory) throws IOException {
    SavedFiles.each(
        directory,
        (file, attributes) -> {
          try (InputStream bytes = Files.newInputStream(file)) {
            bytes.transferTo(OutputStream.nullOutputStream());
          } catch (NoSuchFileException e) {
            return; // it was there a moment ago
          }
        });
  }
}
