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
package io.github.hybridhbase.tool.doctor;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.yetus.audience.InterfaceAudience;

/** What Linux says of the device that a local directory lies on. */
@InterfaceAudience.Private
final class BlockDevices {
  private static final int DEVICE = 2;
  private static final int MOUNT_POINT = 4;

  /** Stands before the type of the file system, behind as many fields as there are. */
  private static final String SEPARATOR = "-";

  private final Path root;

  /**
   * Makes it.
   *
   * @param root where {@code proc} and {@code sys} are: {@code /}
   */
  BlockDevices(Path root) {
    this.root = root;
  }

  /**
   * Whether the device rotates.
   *
   * @throws IOException where Linux does not say, as of a network or overlay file system
   */
  boolean rotates(Path directory) throws IOException {
    String device = mountOf(directory)[DEVICE];
    Path at = root.resolve("sys/dev/block").resolve(device);
    if (!Files.exists(at)) {
      throw new IOException(directory + " lies on device " + device + ", which is no disk");
    }
    // A partition has no queue of its own; its disk is the directory above.
    Path real = at.toRealPath();
    for (Path queue : new Path[] {real.resolve("queue"), real.resolveSibling("queue")}) {
      Path rotational = queue.resolve("rotational");
      if (Files.exists(rotational)) {
        return Files.readString(rotational, StandardCharsets.UTF_8).trim().equals("1");
      }
    }
    throw new IOException("Linux does not say whether device " + device + " rotates");
  }

  /**
   * The type of the file system that a directory lies in, as ext4 or xfs.
   *
   * @throws IOException where Linux does not say
   */
  String fileSystem(Path directory) throws IOException {
    String[] mount = mountOf(directory);
    for (int i = MOUNT_POINT + 1; i < mount.length - 1; i++) {
      if (mount[i].equals(SEPARATOR)) {
        return mount[i + 1];
      }
    }
    throw new IOException("Linux does not say what file system " + directory + " lies in");
  }

  /** What Linux says of the mount that a directory lies in: the longest that holds it. */
  private String[] mountOf(Path relative) throws IOException {
    Path directory = relative.toAbsolutePath().normalize();
    String[] found = null;
    int longest = -1;
    for (String line :
        Files.readAllLines(root.resolve("proc/self/mountinfo"), StandardCharsets.UTF_8)) {
      String[] fields = line.split(" ", -1);
      if (fields.length > MOUNT_POINT) {
        // Blanks in a mount point are written as octal.
        Path mount = Path.of(fields[MOUNT_POINT].replace("\\040", " "));
        // The later of two mounts on one point hides the earlier.
        if (directory.startsWith(mount) && mount.getNameCount() >= longest) {
          longest = mount.getNameCount();
          found = fields;
        }
      }
    }
    if (found == null) {
      throw new IOException("no mount holds " + directory);
    }
    return found;
  }
}
