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

/** One block device under the kernel's throttle, which counts what it lets through. */
@InterfaceAudience.Private
public final class BlockDevice {
  private static final String IOS = "blkio.throttle.io_serviced";
  private static final String BYTES = "blkio.throttle.io_service_bytes";

  private final String id;
  private final Path group;

  /**
   * Names a device.
   *
   * @param id {@code major:minor}
   * @param group directory of the cgroup that is throttled, of v1 or v2
   */
  BlockDevice(String id, Path group) {
    this.id = id;
    this.group = group;
  }

  /** What went through since some moment, or since the start. */
  @InterfaceAudience.Private
  public static final class Traffic {
    public final long reads;
    public final long writes;
    public final long bytesRead;
    public final long bytesWritten;

    Traffic(long reads, long writes, long bytesRead, long bytesWritten) {
      this.reads = reads;
      this.writes = writes;
      this.bytesRead = bytesRead;
      this.bytesWritten = bytesWritten;
    }

    Traffic since(Traffic before) {
      return new Traffic(
          reads - before.reads,
          writes - before.writes,
          bytesRead - before.bytesRead,
          bytesWritten - before.bytesWritten);
    }
  }

  /**
   * Sets limits a second, the first for reads and writes each; 0 lifts one. A request has up to 1
   * MiB, so few of them are many bytes to who writes in one piece.
   */
  void limit(long ios, long bytesRead, long bytesWritten) throws IOException {
    if (version1()) {
      limitOfVersion1("read_iops", ios);
      limitOfVersion1("write_iops", ios);
      limitOfVersion1("read_bps", bytesRead);
      limitOfVersion1("write_bps", bytesWritten);
    } else {
      String all =
          String.format("riops=%d wiops=%d rbps=%d wbps=%d", ios, ios, bytesRead, bytesWritten);
      Files.writeString(group.resolve("io.max"), id + " " + all.replaceAll("=0\\b", "=max"));
    }
  }

  private void limitOfVersion1(String limit, long value) throws IOException {
    Files.writeString(group.resolve("blkio.throttle." + limit + "_device"), id + " " + value);
  }

  private boolean version1() {
    return Files.exists(group.resolve(IOS));
  }

  Traffic traffic() throws IOException {
    if (version1()) {
      Map<String, Long> ios = ofVersion1(IOS);
      Map<String, Long> bytes = ofVersion1(BYTES);
      return new Traffic(
          ios.getOrDefault("read", 0L),
          ios.getOrDefault("write", 0L),
          bytes.getOrDefault("read", 0L),
          bytes.getOrDefault("write", 0L));
    }
    Map<String, Long> all = ofVersion2();
    return new Traffic(
        all.getOrDefault("rios", 0L),
        all.getOrDefault("wios", 0L),
        all.getOrDefault("rbytes", 0L),
        all.getOrDefault("wbytes", 0L));
  }

  private Map<String, Long> ofVersion1(String file) throws IOException {
    Map<String, Long> values = new HashMap<>();
    for (String line : Files.readAllLines(group.resolve(file))) {
      String[] words = line.split(" ");
      if (words[0].equals(id)) {
        values.put(words[1].toLowerCase(Locale.ROOT), Long.parseLong(words[2]));
      }
    }
    return values;
  }

  private Map<String, Long> ofVersion2() throws IOException {
    Map<String, Long> values = new HashMap<>();
    for (String line : Files.readAllLines(group.resolve("io.stat"))) {
      String[] words = line.split(" ");
      for (int i = 1; words[0].equals(id) && i < words.length; i++) {
        values.put(words[i].split("=")[0], Long.parseLong(words[i].split("=")[1]));
      }
    }
    return values;
  }
}
