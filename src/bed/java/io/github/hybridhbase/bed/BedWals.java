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
package io.github.hybridhbase.bed;

import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.yetus.audience.InterfaceAudience;

/** The WALs of a bed that are being written, at one moment. Immutable. */
@InterfaceAudience.Private
public final class BedWals {
  static final String DIRECTORY = "/hbase/WALs";

  private final List<Fsck.File> files;
  private final int least;

  private BedWals(List<Fsck.File> files, int least) {
    this.files = files;
    this.least = least;
  }

  /** Those of its RegionServers and of the master's store. */
  public static BedWals of(Bed bed) throws IOException, InterruptedException {
    Fsck fsck = bed.fsck("/hbase");
    return new BedWals(
        Stream.of(DIRECTORY, "/hbase/MasterData/WALs")
            .flatMap(directory -> fsck.below(directory).stream())
            .filter(Fsck.File::isOpen)
            .collect(Collectors.toList()),
        bed.processes(Role.REGIONSERVER).size() + 1);
  }

  /** Whether each server has one at least, and all are on a medium as a whole. */
  public boolean allOn(String medium) {
    return files.size() >= least && files.stream().allMatch(file -> file.isAllOn(medium));
  }

  /** Whether no RegionServer has one that is on SSD as a whole; the master rolls its own alone. */
  boolean offSsd() {
    return files.stream()
        .filter(wal -> wal.path.startsWith(DIRECTORY))
        .noneMatch(wal -> wal.isAllOn("SSD"));
  }

  /** How many there are on each medium. */
  String describe() {
    long ssd = files.stream().filter(wal -> wal.isAllOn("SSD")).count();
    long disk = files.stream().filter(wal -> wal.isAllOn("DISK")).count();
    return String.format(
        "%d open: %d on SSD, %d in part, %d on DISK",
        files.size(), ssd, files.size() - ssd - disk, disk);
  }

  @Override
  public String toString() {
    return files.toString();
  }
}
