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
final class SeekingDisk extends Disk {
  private static final String CONTROL = "/control";

  private final Path control;
  private final long seekMicros;

  /**
   * Describes it.
   *
   * @param text directory, control file, microseconds of a seek, bytes read and bytes written a
   *     second, with commas
   */
  SeekingDisk(String text) {
    this(text.split(",", -1));
  }

  private SeekingDisk(String[] parts) {
    super(
        String.format(
            "%s us a seek, %s B read, %s B written a second", parts[2], parts[3], parts[4]),
        Path.of(parts[0]));
    control = Path.of(parts[1]);
    seekMicros = Long.parseLong(parts[2]);
  }

  /** Whether such a disk is described. */
  static boolean isTold(String text) {
    return text.contains(CONTROL + ",");
  }

  @Override
  void limit(int slower) throws IOException {
    Files.writeString(control, Integer.toString(slower));
  }

  /** Its file has nanoseconds busy, seeks, reads, writes, bytes read, bytes written. */
  @Override
  Traffic all() throws IOException {
    long[] now =
        Arrays.stream(Files.readString(control).trim().split(" ", -1))
            .mapToLong(Long::parseLong)
            .toArray();
    return new Traffic(now[2], now[3], now[4], now[5], now[0]);
  }

  /** Those that seek. */
  @Override
  long ios() {
    return 1_000_000 / seekMicros;
  }
}
