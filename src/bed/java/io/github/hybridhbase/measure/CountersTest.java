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

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the kernel counts, and what is made of it. */
@InterfaceAudience.Private
class CountersTest {
  private static final String BEFORE =
      "   8       0 sda 100 5 2000 70 50 9 4000 90 0 1000 160 0 0 0 0 7 12\n"
          + "   8       1 sda1 90 5 1900 70 50 9 4000 90 0 900 160 0 0 0 0 0 0";

  @TempDir private Path directory;

  @Test
  void aLineOfDiskstatsIsFoundByItsDevice() {
    List<String> lines = BEFORE.lines().collect(java.util.stream.Collectors.toList());
    assertArrayEquals(
        new long[] {100, 1_024_000, 50, 2_048_000, 1_000}, GivenDisk.read(lines, "8:0"));
    assertEquals(90, GivenDisk.read(lines, "8:1")[0]);
    assertNull(GivenDisk.read(lines, "8:2"));
  }

  @Test
  void trafficAndUseAreSinceTheStart() throws IOException {
    Path statistics = Files.writeString(directory.resolve("diskstats"), BEFORE);
    GivenDisk disk = new GivenDisk(directory, "8:0", statistics);
    disk.start(1);
    Files.writeString(
        statistics, "   8       0 sda 130 5 2020 70 60 9 4040 90 0 1500 160 0 0 0 0 7 12");
    BlockDevice.Traffic traffic = disk.traffic();
    assertEquals(30, traffic.reads);
    assertEquals(10, traffic.writes);
    assertEquals(20 * 512, traffic.bytesRead);
    assertEquals(40 * 512, traffic.bytesWritten);
    assertEquals(0.5, disk.use(traffic, 1), 1e-9);
  }

  @Test
  void whatIsGivenCannotBeMadeSlower() {
    GivenDisk disk = new GivenDisk(directory, "8:0", directory.resolve("diskstats"));
    assertThrows(IllegalArgumentException.class, () -> disk.start(2));
  }

  @Test
  void anEmulatedDeviceIsSlowerByAllItsLimits() throws IOException {
    for (String counter : new String[] {"io_serviced", "io_service_bytes"}) {
      Files.writeString(directory.resolve("blkio.throttle." + counter), "7:3 Read 0\n");
    }
    EmulatedDisk disk = new EmulatedDisk("hdd", "/x,7:3,151,160000000,128000000", directory);
    disk.start(8);
    assertEquals("7:3 19", limit("read_iops"));
    assertEquals("7:3 19", limit("write_iops"));
    assertEquals("7:3 20000000", limit("read_bps"));
    assertEquals("7:3 16000000", limit("write_bps"));
    BlockDevice.Traffic half = new BlockDevice.Traffic(0, 0, 0, 80_000_000);
    assertEquals(0.5, disk.use(half, 10), 1e-9);
    disk.release();
    assertEquals("7:3 0", limit("write_bps"));
  }

  /** 151 / 12 is no whole number: what it does is compared to what it may. */
  @Test
  void aDeviceThatDoesAllThatItMayIsFullyUsed() throws IOException {
    for (String counter : new String[] {"io_serviced", "io_service_bytes"}) {
      Files.writeString(directory.resolve("blkio.throttle." + counter), "7:3 Read 0\n");
    }
    EmulatedDisk disk = new EmulatedDisk("hdd", "/x,7:3,151,160000000,128000000", directory);
    disk.start(12);
    assertEquals("7:3 13", limit("write_iops"));
    assertEquals(13, disk.ios());
    assertEquals(1, disk.use(new BlockDevice.Traffic(130, 130, 0, 0), 10), 1e-9);
    Files.delete(directory.resolve("blkio.throttle.write_iops_device"));
    Files.writeString(directory.resolve("blkio.throttle.io_serviced"), "7:3 Read 5\n");
    disk.count();
    assertEquals(0, disk.traffic().reads, "it counts anew");
    assertTrue(
        Files.notExists(directory.resolve("blkio.throttle.write_iops_device")),
        "and its limit is not set again");
  }

  private String limit(String name) throws IOException {
    return Files.readString(directory.resolve("blkio.throttle." + name + "_device"));
  }

  @Test
  void aFileSystemWithoutADeviceIsNotCounted() throws IOException {
    Path statistics = Files.writeString(directory.resolve("diskstats"), BEFORE);
    GivenDisk disk = new GivenDisk(directory, "0:44", statistics);
    disk.start(1);
    assertNull(disk.traffic());
    assertTrue(Double.isNaN(disk.use(null, 1)));
    assertTrue(CellRun.device(disk, 1).isNull());
  }

  @Test
  void processorTimeIsReadBehindAnyName() {
    String fields = "S 1 1 1 0 -1 4 10 0 0 0 250 50 0 0 20 0 30 0 99";
    assertEquals(3.0, Sample.seconds("123 (java) " + fields), 1e-9);
    assertEquals(3.0, Sample.seconds("123 (a b) c) " + fields), 1e-9);
  }

  @Test
  void aServerThatWasStartedAgainCountsFromZero() {
    String fields = " S 1 1 1 0 -1 4 10 0 0 0 %d 0 0 0 20 0 30 0 %d";
    Sample before = new Sample();
    before.process("dn0", 10, "10 (java)" + String.format(fields, 1_000, 77));
    before.process("rs0", 11, "11 (java)" + String.format(fields, 5_000, 78));
    Sample after = new Sample();
    after.process("dn0", 10, "10 (java)" + String.format(fields, 1_200, 77));
    after.process("rs0", 11, "11 (java)" + String.format(fields, 6_000, 99));
    double seconds = (after.nanos - before.nanos) / 1e9;
    JsonNode used = new ObjectMapper().valueToTree(after.since(before)).path("processor");
    assertEquals(2, used.path("dn0").asDouble() * seconds, 0.01);
    assertEquals(60, used.path("rs0").asDouble() * seconds, 0.1, "of the same id, not of its life");
  }

  @Test
  void whatTheMachineDidBesideIsSeen() {
    Sample before = new Sample();
    before.machine("cpu  100 0 100 1000 200 0 0 0 0 0");
    Sample after = new Sample();
    after.machine("cpu  130 0 120 1030 210 0 0 10 0 0");
    JsonNode used = new ObjectMapper().valueToTree(after.since(before)).path("processor");
    assertEquals(0.6, used.path("machineBusy").asDouble(), 1e-9);
    assertEquals(0.1, used.path("stolen").asDouble(), 1e-9);
  }

  @Test
  void numbersAreRoundedToWhatTheyAreWorth() {
    assertEquals(12_346, Numbers.rounded(12_345.678));
    assertEquals(1.235, Numbers.rounded(1.23456));
    assertEquals(0.001235, Numbers.rounded(0.00123456));
    assertEquals(0, Numbers.rounded(0));
    assertTrue(Double.isNaN(Numbers.median(List.of())));
    assertEquals(2.5, Numbers.median(List.of(4.0, 1.0, 2.0, 3.0)));
    assertEquals(2, Numbers.geometricMean(List.of(1.0, 4.0)), 1e-9);
    assertEquals(
        "1,235 12.3 1.23 –",
        String.join(
            " ",
            Numbers.text(1_234.6),
            Numbers.text(12.34),
            Numbers.text(1.234),
            Numbers.text(Double.NaN)));
  }

  @Test
  void latenciesAreByKindAndInMilliseconds() {
    Latencies latencies = new Latencies();
    for (int i = 1; i <= 100; i++) {
      latencies.record("read", i * 1_000_000L);
    }
    Latencies all = new Latencies();
    all.add(latencies);
    assertEquals(100, all.count("read"));
    assertEquals(0, all.count("scan"));
    assertTrue(
        all.describe().get("read").toString().contains("p99Ms=99"), all.describe().toString());
  }
}
