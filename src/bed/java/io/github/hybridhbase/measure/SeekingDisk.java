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
import java.util.Arrays;
import org.apache.yetus.audience.InterfaceAudience;

/** A disk with one head, which {@code bench/seeking-disk.c} makes, and a directory on it. */
@InterfaceAudience.Private
final class SeekingDisk implements Disk {
  private static final String CONTROL = "/control";
  private static final int WORDS = 6;

  private final Path directory;
  private final Path control;
  private final long seekMicros;
  private final String label;
  private long[] before = new long[WORDS];

  /**
   * Describes it.
   *
   * @param text directory, control file, microseconds of a seek, bytes read and bytes written a
   *     second, with commas
   */
  SeekingDisk(String text) {
    String[] parts = text.split(",");
    directory = Path.of(parts[0]);
    control = Path.of(parts[1]);
    seekMicros = Long.parseLong(parts[2]);
    label =
        String.format(
            "%s us a seek, %s B read, %s B written a second", parts[2], parts[3], parts[4]);
  }

  /** Whether such a disk is described. */
  static boolean isTold(String text) {
    return text.contains(CONTROL + ",");
  }

  @Override
  public String label() {
    return label;
  }

  @Override
  public Path directory() {
    return directory;
  }

  @Override
  public void start(int slower) throws IOException {
    Files.writeString(control, Integer.toString(slower));
    count();
  }

  @Override
  public void count() throws IOException {
    before = read();
  }

  /** Nanoseconds busy, seeks, reads, writes, bytes read, bytes written. */
  private long[] read() throws IOException {
    return Arrays.stream(Files.readString(control).trim().split(" "))
        .mapToLong(Long::parseLong)
        .toArray();
  }

  /** Those that seek. */
  @Override
  public long ios() {
    return 1_000_000 / seekMicros;
  }

  @Override
  public void release() throws IOException {
    Files.writeString(control, "0");
  }

  @Override
  public BlockDevice.Traffic traffic() throws IOException {
    long[] now = read();
    return new BlockDevice.Traffic(
        now[2] - before[2], now[3] - before[3], now[4] - before[4], now[5] - before[5]);
  }

  /** The share of the time in which the head was busy. */
  @Override
  public double use(BlockDevice.Traffic traffic, double seconds) throws IOException {
    return (read()[0] - before[0]) / 1e9 / seconds;
  }
}
