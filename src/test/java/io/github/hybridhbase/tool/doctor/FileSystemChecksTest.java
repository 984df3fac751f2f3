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
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.placement.Observed;
import io.github.hybridhbase.report.FindingId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an SSD volume is formatted with matters where WALs are to be durable, and only there. */
@InterfaceAudience.Private
public class FileSystemChecksTest extends HealthyFacts {
  @TempDir Path root;

  private ClusterFacts on(String fileSystem) {
    ClusterFacts facts = healthy();
    facts.ssdFileSystems = Observed.at(Map.of("/ssd0", "xfs", "/ssd1", fileSystem));
    return facts;
  }

  @Test
  void ext4IsNamedWhereWalsAreDurable() {
    finds(on("ext4"));
    conf.setBoolean("hbase.wal.hsync", true);
    finds(on("ext4"), FindingId.SSD_FILE_SYSTEM);
    assertEquals("/ssd1", Doctor.examine(on("ext4")).findings().get(0).subject());
    finds(on("xfs"));
    conf.unset("hbase.wal.hsync");
    conf.set("hbase.hybrid.wal.hsync", "auto");
    finds(on("ext4"), FindingId.SSD_FILE_SYSTEM);
    conf.set("hbase.hybrid.wal.policy", "HOT");
    finds(on("ext4"));
  }

  @Test
  void anotherHostIsNotAccusedAndNothingFailsWhereLinuxDoesNotSay() {
    conf.set("hbase.hybrid.wal.hsync", "auto");
    ClusterFacts facts = healthy();
    facts.ssdFileSystems = Observed.at(Map.of());
    finds(facts);
    facts.ssdFileSystems = Observed.unknown("no /proc");
    finds(facts);
    assertTrue(Doctor.examine(facts).notChecked().toString().contains("no /proc"));
  }

  @Test
  void taggedDirectoriesThatAreHereAreLookedUp() throws IOException {
    Path here = Files.createDirectories(root.resolve("ssd"));
    Files.createDirectories(root.resolve("proc/self"));
    Files.writeString(
        root.resolve("proc/self/mountinfo"),
        "1 0 8:1 / / rw - xfs /dev/sda1 rw\n2 1 8:2 / " + here + " rw - ext4 /dev/sdb1 rw\n");
    BlockDevices devices = new BlockDevices(root);
    String volumes = "[DISK]/hdd, [ssd]file://" + here + ",[SSD]/nowhere/dfs,/plain";
    assertEquals(Map.of(here.toString(), "ext4"), FileSystemChecks.find(volumes, devices));
    assertEquals(List.of(here, Path.of("/nowhere/dfs")), FileSystemChecks.onSsd(volumes));
    assertEquals(List.of(), FileSystemChecks.onSsd("[SSD]file:// a b"));
    BlockDevices none = new BlockDevices(root.resolve("gone"));
    assertEquals(Map.of(), FileSystemChecks.find("", none));
    assertThrows(IOException.class, () -> FileSystemChecks.find(volumes, none));
  }
}
