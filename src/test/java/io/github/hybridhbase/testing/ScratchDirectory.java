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
package io.github.hybridhbase.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.commons.io.FileUtils;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A directory of one's own that is gone after {@link #close()}, also when threads that were told to
 * stop still write into it for a moment.
 */
@InterfaceAudience.Private
public final class ScratchDirectory implements AutoCloseable {
  /** A slow disk takes long to delete gigabytes; what comes back so long comes back for ever. */
  private static final long GIVE_UP_NANOS = TimeUnit.SECONDS.toNanos(120);

  private static final long SETTLE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final Path path;

  private ScratchDirectory(Path path) {
    this.path = path;
  }

  /** Makes a new directory {@code prefix…} under {@code parent}, which is made too if missing. */
  public static ScratchDirectory under(Path parent, String prefix) throws IOException {
    Files.createDirectories(parent);
    return new ScratchDirectory(Files.createTempDirectory(parent, prefix).toAbsolutePath());
  }

  /** The absolute path. */
  public Path path() {
    return path;
  }

  /**
   * Deletes the directory and all below it, again and again until nothing comes back. Safe to call
   * twice, and from any thread.
   */
  @Override
  public void close() throws IOException {
    long start = System.nanoTime();
    do {
      FileUtils.deleteQuietly(path.toFile()); // in part if a file is written meanwhile
      LockSupport.parkNanos(SETTLE_NANOS); // a straggler's mkdirs gives no event to await
      if (!Files.exists(path)) {
        return;
      }
    } while (System.nanoTime() - start < GIVE_UP_NANOS);
    throw new IOException(path + " is made again and again");
  }
}
