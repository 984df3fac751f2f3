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

/** A reader of Linux's facts about the device of a local directory. */
@InterfaceAudience.Private
final class BlockDevices {
  private static final int DEVICE = 2;
  private static final int MOUNT_POINT = 4;

  /** The file system type follows it; the number of fields before it varies. */
  private static final String SEPARATOR = "-";

  private final Path root;

  /**
   * @param root the directory of {@code proc} and {@code sys}, usually {@code /}
   */
  BlockDevices(Path root) {
    this.root = root;
  }

  /**
   * @throws IOException if Linux does not report it, as for network and overlay file systems
   */
  boolean rotates(Path directory) throws IOException {
    String device = mountOf(directory)[DEVICE];
    Path at = root.resolve("sys/dev/block").resolve(device);
    if (!Files.exists(at)) {
      throw new IOException(directory + " lies on device " + device + ", which is no disk");
    }
    // A partition has no queue of its own; its disk is the parent directory.
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
   * Such as ext4 or xfs.
   *
   * @throws IOException if Linux does not report it
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

  /** Of the longest mount point that contains the directory. */
  private String[] mountOf(Path relative) throws IOException {
    Path directory = relative.toAbsolutePath().normalize();
    String[] found = null;
    int longest = -1;
    for (String line :
        Files.readAllLines(root.resolve("proc/self/mountinfo"), StandardCharsets.UTF_8)) {
      String[] fields = line.split(" ", -1);
      if (fields.length > MOUNT_POINT) {
        // Mount points have octal escapes for blanks.
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
