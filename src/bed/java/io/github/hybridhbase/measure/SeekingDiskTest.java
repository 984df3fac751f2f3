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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the harness tells a disk with one head, and reads of it. */
@InterfaceAudience.Private
class SeekingDiskTest {
  @TempDir Path fuse;

  @Test
  void isToldHowSlowItIsAndTellsWhatItDid() throws IOException {
    Path control = fuse.resolve("control");
    String told = "/mnt/hdd," + control + ",6600,161000000,128000000";
    assertTrue(SeekingDisk.isTold(told));
    assertFalse(SeekingDisk.isTold("/mnt/hdd,7:0,151,161000000,128000000"));
    Files.writeString(control, "0 0 0 0 0 0\n");
    SeekingDisk disk = new SeekingDisk(told);
    assertEquals(Path.of("/mnt/hdd"), disk.directory());
    assertEquals(151, disk.ios());
    Files.writeString(control, "5000000000 10 20 30 4000 5000\n");
    disk.count();
    Files.writeString(control, "9000000000 11 23 34 9000 11000\n");
    BlockDevice.Traffic traffic = disk.traffic();
    assertEquals(3, traffic.reads);
    assertEquals(4, traffic.writes);
    assertEquals(5_000, traffic.bytesRead);
    assertEquals(6_000, traffic.bytesWritten);
    assertEquals(0.4, disk.use(traffic, 10), 1e-9);
    disk.release();
    assertEquals("0", Files.readString(control));
  }
}
