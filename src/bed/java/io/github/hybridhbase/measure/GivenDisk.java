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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A device that somebody has: that of a directory's file system, as {@code /proc/diskstats} counts
 * it, whoever uses it. It counts nothing where the file system is not on one block device.
 */
@InterfaceAudience.Private
final class GivenDisk extends Disk {
  private static final Pattern BLANKS = Pattern.compile("\\s+");
  private static final Path STATISTICS = Path.of("/proc/diskstats");
  private static final int SECTOR = 512;
  private static final long MILLI = 1_000_000;

  GivenDisk(Path directory) throws IOException {
    super(idOf(directory), directory);
  }

  /** {@code major:minor} of a directory's device, as glibc splits the number. */
  private static String idOf(Path directory) throws IOException {
    long device = (Long) Files.getAttribute(directory, "unix:dev");
    return (device >> 8 & 0xfff) + ":" + (device & 0xff | device >> 12 & 0xfff00);
  }

  @Override
  void limit(int slower) {
    if (slower > 1) {
      throw new IllegalArgumentException("a device that is given cannot be made slower");
    }
  }

  @Override
  Traffic all() throws IOException {
    for (String line : Files.readAllLines(STATISTICS)) {
      String[] words = BLANKS.split(line.trim(), -1);
      if (words.length > 12 && (words[0] + ":" + words[1]).equals(label)) {
        return new Traffic(
            Long.parseLong(words[3]),
            Long.parseLong(words[7]),
            Long.parseLong(words[5]) * SECTOR,
            Long.parseLong(words[9]) * SECTOR,
            Long.parseLong(words[12]) * MILLI);
      }
    }
    return null;
  }

  @Override
  long ios() {
    return 0;
  }
}
