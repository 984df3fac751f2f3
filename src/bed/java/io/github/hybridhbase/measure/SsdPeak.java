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
import java.nio.file.attribute.BasicFileAttributes;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The most bytes that files below a directory had at once, looked at every other second by a thread
 * of its own until {@link #close()}: what SSD must be bought for. What {@link SavedFiles} keeps
 * does not count; the bucket cache counts apart.
 */
@InterfaceAudience.Private
final class SsdPeak implements AutoCloseable {
  /** Directory of bucket caches. */
  static final String CACHE = "cache";

  private static final long PERIOD_MILLIS = 2_000;

  private final Path directory;
  private final Thread thread = new Thread(this::look, "ssd-peak");
  private volatile long peak;
  private volatile boolean ended;

  SsdPeak(Path directory) {
    this.directory = directory;
    thread.setDaemon(true);
    thread.start();
  }

  private void look() {
    while (!ended) {
      try {
        peak = Math.max(peak, bytes(directory));
      } catch (IOException e) {
        // A DataNode has moved a file meanwhile: the next time.
      }
      try {
        Thread.sleep(PERIOD_MILLIS);
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  /** Bytes now. */
  static long bytes(Path directory) throws IOException {
    long[] bytes = new long[1];
    Files.walkFileTree(
        directory,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path each, BasicFileAttributes attributes) {
            String name = each.getFileName().toString();
            return name.endsWith(SavedFiles.SUFFIX) || name.equals(CACHE)
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            bytes[0] += attributes.size();
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
    return bytes[0];
  }

  /** Bytes at most, so far. */
  long peak() {
    return peak;
  }

  @Override
  public void close() throws InterruptedException {
    ended = true;
    thread.interrupt();
    thread.join();
  }
}
