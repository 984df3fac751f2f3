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
import java.util.List;
import java.util.regex.Pattern;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A device that somebody has: that of a directory's file system, as {@code /proc/diskstats} counts
 * it, whoever uses it. It counts nothing where the file system is not on one block device.
 */
@InterfaceAudience.Private
final class GivenDisk implements Disk {
  private static final Pattern BLANKS = Pattern.compile("\\s+");
  private static final int SECTOR = 512;

  private final Path directory;
  private final String id;
  private final Path statistics;
  private long[] before;

  GivenDisk(Path directory) throws IOException {
    this(directory, idOf(directory), Path.of("/proc/diskstats"));
  }

  /**
   * @param id {@code major:minor}
   */
  GivenDisk(Path directory, String id, Path statistics) {
    this.directory = directory.toAbsolutePath();
    this.id = id;
    this.statistics = statistics;
  }

  /** {@code major:minor} of a directory's device, as glibc splits the number. */
  private static String idOf(Path directory) throws IOException {
    long device = (Long) Files.getAttribute(directory, "unix:dev");
    return (device >> 8 & 0xfff) + ":" + (device & 0xff | device >> 12 & 0xfff00);
  }

  @Override
  public String label() {
    return id;
  }

  @Override
  public Path directory() {
    return directory;
  }

  @Override
  public void start(int slower) throws IOException {
    if (slower != 1) {
      throw new IllegalArgumentException("a device that is given cannot be made slower");
    }
    count();
  }

  @Override
  public void count() throws IOException {
    before = read(Files.readAllLines(statistics), id);
  }

  @Override
  public long ios() {
    return 0;
  }

  @Override
  public void release() {}

  /** Reads, bytes read, writes, bytes written, milliseconds in which it had something to do. */
  static long[] read(List<String> lines, String id) {
    for (String line : lines) {
      String[] words = BLANKS.split(line.trim(), -1);
      if (words.length > 12 && (words[0] + ":" + words[1]).equals(id)) {
        return new long[] {
          Long.parseLong(words[3]),
          Long.parseLong(words[5]) * SECTOR,
          Long.parseLong(words[7]),
          Long.parseLong(words[9]) * SECTOR,
          Long.parseLong(words[12])
        };
      }
    }
    return null;
  }

  @Override
  public BlockDevice.Traffic traffic() throws IOException {
    long[] now = read(Files.readAllLines(statistics), id);
    return now == null || before == null
        ? null
        : new BlockDevice.Traffic(
            now[0] - before[0], now[2] - before[2], now[1] - before[1], now[3] - before[3]);
  }

  /** The share of the time in which it had something to do. */
  @Override
  public double use(BlockDevice.Traffic traffic, double seconds) throws IOException {
    long[] now = read(Files.readAllLines(statistics), id);
    return now == null || before == null ? Double.NaN : (now[4] - before[4]) / 1e3 / seconds;
  }
}
