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
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What cells of one plan have in common. */
@InterfaceAudience.Private
class MachineTest {
  @TempDir private Path directory;

  @Test
  void aDirectoryIsOnTheNearestMount() {
    List<String> lines =
        List.of(
            "22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw,errors=remount-ro",
            "30 22 8:2 / /data rw - xfs /dev/sdb rw,noquota",
            "31 22 7:0 / /data rw,noatime - ext4 /dev/loop0 rw");
    assertEquals("ext4 rw,noatime rw", Machine.mount(lines, Path.of("/data/x")));
    assertEquals(
        "ext4 rw,relatime rw,errors=remount-ro", Machine.mount(lines, Path.of("/database")));
  }

  @Test
  void otherDevicesMemoryAndCodeAreOtherSettings() throws Exception {
    Files.createDirectory(directory.resolve("conf"));
    Disk slow = new EmulatedDisk("hdd", directory + ",7:1,151,1000,1000", directory);
    Disk fast = new EmulatedDisk("ssd", directory + ",7:2,1460,1000,1000", directory);
    Disk again = new EmulatedDisk("ssd", directory + ",7:9,1460,1000,1000", directory);
    assertEquals(
        Machine.describe(directory, slow, fast, true),
        Machine.describe(directory, slow, again, true),
        "which loop device was free does not matter");
    assertNotEquals(
        Machine.describe(directory, slow, fast, true),
        Machine.describe(directory, slow, slow, true));
    assertNotEquals(
        Machine.describe(directory, slow, fast, true),
        Machine.describe(directory, slow, fast, false));
    assertEquals("unknown", Machine.describe(directory, slow, fast, true).path("commit").asText());
  }

  @Test
  void anSsdThatIsTheHddIsRefused() throws IOException {
    Path hdd = Files.createDirectory(directory.resolve("hdd"));
    Path ssd = Files.createDirectory(directory.resolve("ssd"));
    String out = directory.resolve("r.json").toString();
    String[] arguments = {"--hdd", "" + hdd, "--ssd", "" + ssd, "--workload", "C", "--out", out};
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    PrintStream err = new PrintStream(said, true, StandardCharsets.UTF_8);
    assertEquals(BenchCommand.USAGE, BenchCommand.run(arguments, System.out, err));
    assertTrue(said.toString(StandardCharsets.UTF_8).contains("one file system"), said.toString());
    assertTrue(Files.notExists(Path.of(out)));
  }
}
