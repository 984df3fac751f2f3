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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@InterfaceAudience.Private
class BlockDevicesTest {
  @TempDir Path root;

  @BeforeEach
  void twoDisksAndAnOverlay() throws IOException {
    Files.createDirectories(root.resolve("proc/self"));
    Files.writeString(
        root.resolve("proc/self/mountinfo"),
        "1 0 0:25 / / rw - overlay overlay rw\n"
            + "2 1 8:1 / /data rw - ext4 /dev/sda1 rw\n"
            + "3 1 259:0 / /data/zk\\040log rw shared:1 - xfs /dev/nvme0n1 rw\n");
    disk("sda", "1");
    Files.createDirectories(root.resolve("sys/devices/sda/sda1"));
    disk("nvme0n1", "0");
    Files.createDirectories(root.resolve("sys/dev/block"));
    Files.createSymbolicLink(
        root.resolve("sys/dev/block/8:1"), root.resolve("sys/devices/sda/sda1"));
    Files.createSymbolicLink(
        root.resolve("sys/dev/block/259:0"), root.resolve("sys/devices/nvme0n1"));
  }

  private void disk(String name, String rotational) throws IOException {
    Path queue =
        Files.createDirectories(root.resolve("sys/devices").resolve(name).resolve("queue"));
    Files.writeString(queue.resolve("rotational"), rotational + "\n");
  }

  @Test
  void aPartitionIsJudgedByItsDisk() throws IOException {
    assertTrue(new BlockDevices(root).rotates(Path.of("/data/zk")));
  }

  @Test
  void theInnermostMountDecides() throws IOException {
    assertFalse(new BlockDevices(root).rotates(Path.of("/data/zk log/version-2")));
  }

  @Test
  void theFileSystemIsThatOfTheInnermostMount() throws IOException {
    BlockDevices devices = new BlockDevices(root);
    assertEquals("ext4", devices.fileSystem(Path.of("/data/zk")));
    assertEquals("xfs", devices.fileSystem(Path.of("/data/zk log/version-2")));
    assertEquals("overlay", devices.fileSystem(Path.of("/var")));
    BlockDevices nowhere = new BlockDevices(root.resolve("data"));
    assertThrows(IOException.class, () -> nowhere.fileSystem(Path.of("/var")));
  }

  @Test
  void whatIsNoDiskIsNotGuessed() {
    assertThrows(IOException.class, () -> new BlockDevices(root).rotates(Path.of("/var/zk")));
  }
}
