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
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Directories as they once were, of processes that are down. A finalized block of a DataNode is
 * kept by a hard link, as HDFS's own upgrade does: HDFS changes such a file only after it has
 * replaced it by a copy. So a restore costs no time, and blocks lie where they lay on the medium.
 * All else is copied.
 */
@InterfaceAudience.Private
final class SavedFiles {
  /** Of the names of saved directories. */
  static final String SUFFIX = ".saved";

  private final List<Path> directories;

  private SavedFiles(List<Path> directories) {
    this.directories = directories;
  }

  /**
   * Saves some directories, each beside itself: on its own file system.
   *
   * @param directories those that do not exist are left out
   */
  static SavedFiles of(List<Path> directories) throws IOException {
    List<Path> there = new ArrayList<>();
    for (Path directory : directories) {
      if (Files.exists(directory)) {
        there.add(directory);
        delete(saved(directory));
        copy(directory, saved(directory));
      }
    }
    return new SavedFiles(List.copyOf(there));
  }

  /** Makes all directories what they were, as often as one likes. */
  void restore() throws IOException {
    for (Path directory : directories) {
      delete(directory);
      copy(saved(directory), directory);
    }
  }

  private static Path saved(Path directory) {
    return directory.resolveSibling(directory.getFileName() + SUFFIX);
  }

  private static boolean linked(Path file) {
    return file.getFileName().toString().startsWith("blk_")
        && file.toString().contains("/finalized/");
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.walkFileTree(
        from,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
              throws IOException {
            Files.copy(
                directory,
                to.resolve(from.relativize(directory).toString()),
                StandardCopyOption.COPY_ATTRIBUTES);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Path copy = to.resolve(from.relativize(file).toString());
            if (linked(file)) {
              Files.createLink(copy, file);
            } else {
              Files.copy(file, copy, StandardCopyOption.COPY_ATTRIBUTES);
            }
            return FileVisitResult.CONTINUE;
          }
        });
  }

  /** Deletes a directory and all below it, if it is there. */
  static void delete(Path directory) throws IOException {
    if (Files.notExists(directory)) {
      return;
    }
    Files.walkFileTree(
        directory,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path each, IOException e) throws IOException {
            Files.delete(each);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
