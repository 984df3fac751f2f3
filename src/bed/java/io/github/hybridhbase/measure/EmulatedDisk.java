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
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.apache.yetus.audience.InterfaceAudience;

/** A device that can be made as slow as a disk, a directory on it, and what was used of it. */
@InterfaceAudience.Private
public final class EmulatedDisk extends Disk {
  private static final String IOS = "blkio.throttle.io_serviced";
  private static final String BYTES = "blkio.throttle.io_service_bytes";

  /** {@code major:minor}. */
  private final String id;

  /** Directory of the cgroup that is throttled, of v1 or v2. */
  private final Path group;

  private final long[] limits = new long[3];

  /** What the throttle was told: whole numbers, of which a slow disk has few. */
  private final long[] inForce = new long[3];

  /**
   * @param text directory, {@code major:minor}, I/Os, bytes read and bytes written a second, with
   *     commas
   * @param group directory of the cgroup that is throttled, of v1 or v2
   */
  public EmulatedDisk(String text, Path group) {
    this(text.split(",", -1), group);
  }

  private EmulatedDisk(String[] parts, Path group) {
    super(
        parts[2] + " I/Os, " + parts[3] + " B read, " + parts[4] + " B written a second",
        Path.of(parts[0]));
    this.id = parts[1];
    this.group = group;
    for (int i = 0; i < limits.length; i++) {
      limits[i] = Long.parseLong(parts[i + 2]);
    }
  }

  /**
   * Sets limits a second, the first for reads and writes each; 0 lifts one. A request has up to 1
   * MiB, so few of them are many bytes to who writes in one piece.
   */
  @Override
  void limit(int slower) throws IOException {
    for (int i = 0; i < limits.length; i++) {
      inForce[i] = slower == 0 ? 0 : Math.max(1, Math.round((double) limits[i] / slower));
    }
    if (version1()) {
      String[] names = {"read_iops", "write_iops", "read_bps", "write_bps"};
      for (int i = 0; i < names.length; i++) {
        Files.writeString(
            group.resolve("blkio.throttle." + names[i] + "_device"),
            id + " " + inForce[Math.max(0, i - 1)]);
      }
    } else {
      String all =
          String.format(
              "riops=%d wiops=%d rbps=%d wbps=%d", inForce[0], inForce[0], inForce[1], inForce[2]);
      Files.writeString(group.resolve("io.max"), id + " " + all.replaceAll("=0\\b", "=max"));
    }
  }

  private boolean version1() {
    return Files.exists(group.resolve(IOS));
  }

  @Override
  Traffic all() throws IOException {
    if (version1()) {
      Map<String, Long> ios = values(IOS);
      Map<String, Long> bytes = values(BYTES);
      return new Traffic(
          ios.getOrDefault("read", 0L),
          ios.getOrDefault("write", 0L),
          bytes.getOrDefault("read", 0L),
          bytes.getOrDefault("write", 0L),
          0);
    }
    Map<String, Long> all = values("io.stat");
    return new Traffic(
        all.getOrDefault("rios", 0L),
        all.getOrDefault("wios", 0L),
        all.getOrDefault("rbytes", 0L),
        all.getOrDefault("wbytes", 0L),
        0);
  }

  /** Of lines {@code 7:0 Read 12} in version 1, {@code 7:0 rios=12 wios=3} in version 2. */
  private Map<String, Long> values(String file) throws IOException {
    Map<String, Long> values = new HashMap<>();
    for (String line : Files.readAllLines(group.resolve(file))) {
      String[] words = line.toLowerCase(Locale.ROOT).split("[ =]", -1);
      for (int i = 1; words[0].equals(id) && i + 1 < words.length; i += 2) {
        values.put(words[i], Long.parseLong(words[i + 1]));
      }
    }
    return values;
  }

  @Override
  long ios() {
    return inForce[0];
  }

  /**
   * Of the limit in force that was nearest; the throttle has one for reads and one for writes. A
   * burst that it lets through is above 1.
   */
  @Override
  double use(Traffic traffic, double seconds) {
    double ios = Math.max(traffic.reads, traffic.writes) / (double) inForce[0];
    double read = traffic.bytesRead / (double) inForce[1];
    double written = traffic.bytesWritten / (double) inForce[2];
    return Math.max(ios, Math.max(read, written)) / seconds;
  }
}
