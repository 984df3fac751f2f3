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
import java.io.UncheckedIOException;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Replicas as the DataNodes have reported them: of a file that was just closed one is enough.
 * Hadoop's own {@code DFSTestUtil.waitReplication} sleeps a second where it is a moment too early.
 */
@InterfaceAudience.Private
public final class Replicas {
  private Replicas() {}

  /**
   * Returns when each block of a file has so many.
   *
   * @throws AssertionError after {@link Await#MILLIS}
   */
  public static void await(FileSystem fs, Path file, int replicas) {
    Await.until(replicas + " replicas of " + file, () -> has(fs, file, replicas));
  }

  private static boolean has(FileSystem fs, Path file, int replicas) {
    try {
      for (BlockLocation block : fs.getFileBlockLocations(file, 0, Long.MAX_VALUE)) {
        if (block.getNames().length != replicas) {
          return false;
        }
      }
      return true;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
