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
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileUtil;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Directories as they once were, of processes that are down. A finalized block of a DataNode is
 * kept by a hard link, as HDFS's own upgrade does: HDFS changes such a file only after it has
 * replaced it by a copy. So a restore costs no time, and blocks lie where they lay on the medium.
 * All else is copied.
 */
@InterfaceAudience.Private
final class SavedFiles {
  /** In the names of saved directories, before a number. */
  private static final String SUFFIX = ".saved";

  private final List<Path> directories;
  private final int number;

  private SavedFiles(List<Path> directories, int number) {
    this.directories = directories;
    this.number = number;
  }

  /**
   * Saves some directories, each beside itself: on its own file system.
   *
   * @param directories those that do not exist are left out
   * @param number of its own among those of the same directories
   */
  static SavedFiles of(List<Path> directories, int number) throws IOException {
    SavedFiles made =
        new SavedFiles(
            directories.stream().filter(Files::exists).collect(Collectors.toList()), number);
    for (Path directory : made.directories) {
      delete(made.saved(directory));
      copy(directory, made.saved(directory));
    }
    return made;
  }

  /** Makes all directories what they were, as often as one likes. */
  void restore() throws IOException {
    for (Path directory : directories) {
      delete(directory);
      copy(saved(directory), directory);
    }
  }

  private Path saved(Path directory) {
    return directory.resolveSibling(directory.getFileName() + SUFFIX + number);
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> all = Files.walk(from)) {
      for (Path each : (Iterable<Path>) all::iterator) {
        Path copy = to.resolve(from.relativize(each).toString());
        if (each.getFileName().toString().startsWith("blk_")
            && each.toString().contains("/finalized/")) {
          Files.createLink(copy, each);
        } else {
          Files.copy(each, copy, StandardCopyOption.COPY_ATTRIBUTES);
        }
      }
    }
  }

  /** Deletes a directory and all below it, if it is there. */
  static void delete(Path directory) throws IOException {
    if (!FileUtil.fullyDelete(directory.toFile()) && Files.exists(directory)) {
      throw new IOException("could not delete " + directory);
    }
  }

  /** Bytes of all files below a directory but what is saved there, and bucket caches. */
  static long bytes(Path directory) throws IOException {
    long[] bytes = new long[1];
    each(directory, (file, attributes) -> bytes[0] += attributes.size());
    return bytes[0];
  }

  interface FileAction {
    void on(Path file, BasicFileAttributes attributes) throws IOException;
  }

  /** Does something with the same files; those that go meanwhile are left out. */
  static void each(Path directory, FileAction action) throws IOException {
    Files.walkFileTree(
        directory,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path each, BasicFileAttributes attributes) {
            String name = each.getFileName().toString();
            return name.contains(SUFFIX) || name.equals(BenchBed.CACHE)
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            action.on(file, attributes);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) {
            return FileVisitResult.CONTINUE; // it was there a moment ago
          }

          @Override
          public FileVisitResult postVisitDirectory(Path each, IOException e) {
            return FileVisitResult.CONTINUE; // so was what is missing in it
          }
        });
  }
}
