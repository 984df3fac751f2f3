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
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.DoubleStream;
import org.apache.yetus.audience.InterfaceAudience;

/** A device that can be made as slow as a disk, a directory on it, and what was used of it. */
@InterfaceAudience.Private
public final class EmulatedDisk implements Disk {
  private static final double MB = 1e6;

  private final String name;
  private final Path directory;
  private final BlockDevice device;
  private final long[] limits = new long[3];

  /** What the throttle was told: whole numbers, of which a slow disk has few. */
  private final long[] inForce = new long[3];

  private BlockDevice.Traffic before;

  /**
   * @param text directory, {@code major:minor}, I/Os, bytes read and bytes written a second, with
   *     commas
   */
  public EmulatedDisk(String name, String text, Path counters) {
    String[] parts = text.split(",");
    this.name = name;
    this.directory = Path.of(parts[0]);
    this.device = new BlockDevice(parts[1], counters);
    for (int i = 0; i < limits.length; i++) {
      limits[i] = Long.parseLong(parts[i + 2]);
    }
  }

  @Override
  public String label() {
    return limits[0] + " I/Os, " + limits[1] + " B read, " + limits[2] + " B written a second";
  }

  @Override
  public Path directory() {
    return directory;
  }

  /** Makes it as slow as it is said to be, and begins to count. */
  public void start() throws IOException {
    start(1);
  }

  @Override
  public void start(int times) throws IOException {
    for (int i = 0; i < limits.length; i++) {
      inForce[i] = Math.max(1, Math.round((double) limits[i] / times));
    }
    device.limit(inForce[0], inForce[1], inForce[2]);
    count();
  }

  @Override
  public void count() throws IOException {
    before = device.traffic();
  }

  @Override
  public long ios() {
    return inForce[0];
  }

  /** Makes it as fast as it can be. */
  @Override
  public void release() throws IOException {
    device.limit(0, 0, 0);
  }

  @Override
  public BlockDevice.Traffic traffic() throws IOException {
    return device.traffic().since(before);
  }

  /**
   * Of the limit in force that was nearest; the throttle has one for reads and one for writes. A
   * burst that it lets through is above 1.
   */
  @Override
  public double use(BlockDevice.Traffic traffic, double seconds) {
    return DoubleStream.of(
                (double) traffic.reads / inForce[0],
                (double) traffic.writes / inForce[0],
                (double) traffic.bytesRead / inForce[1],
                (double) traffic.bytesWritten / inForce[2])
            .max()
            .getAsDouble()
        / seconds;
  }

  /** Fields of a JSON object. */
  public String json(double seconds) throws IOException {
    BlockDevice.Traffic traffic = traffic();
    return String.format(
        Locale.ROOT,
        ",\"%1$sUse\":%2$.2f,\"%1$sWrittenMb\":%3$.0f,\"%1$sReadMb\":%4$.0f",
        name,
        use(traffic, seconds),
        traffic.bytesWritten / MB,
        traffic.bytesRead / MB);
  }
}
