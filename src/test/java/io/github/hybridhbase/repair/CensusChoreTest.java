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
package io.github.hybridhbase.repair;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.hybridhbase.hdfs.FakeNamespace;
import io.github.hybridhbase.hdfs.FileBlocks;
import io.github.hybridhbase.hdfs.Hold;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.placement.DirectoryRule;
import io.github.hybridhbase.placement.HybridSettings;
import io.github.hybridhbase.placement.Layout;
import io.github.hybridhbase.placement.StoragePolicy;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

@InterfaceAudience.Private
class CensusChoreTest {
  private static final Path ROOT = new Path("/hbase");
  private static final StorageType SSD = StorageType.SSD;
  private static final StorageType DISK = StorageType.DISK;

  private final FakeNamespace hdfs =
      new FakeNamespace()
          .with("/hbase/WALs", StoragePolicy.ALL_SSD.id())
          .with("/hbase/oldWALs", StoragePolicy.HOT.id())
          .with("/hbase/data", StoragePolicy.HOT.id())
          .file("/hbase/WALs/a,1,1/good", 10, SSD, SSD, SSD)
          .file("/hbase/WALs/a,1,1/bad", 10, SSD, DISK, SSD)
          .file("/hbase/oldWALs/left", 10, SSD, SSD, SSD)
          .file("/hbase/data/default/t/r/cf/good", 10, DISK, DISK, DISK)
          .file(
              "/hbase/WALs/a,1,1/open",
              StoragePolicy.UNSPECIFIED,
              true,
              new FileBlocks.Block(10, DISK, DISK, DISK));
  private final Configuration conf = new Configuration(false);
  private boolean stopped;

  private long turn() throws IOException {
    conf.setInt(
        "hbase.hybrid.repair.move.rate", conf.getInt("hbase.hybrid.repair.move.rate", 1000));
    DirectoryKeeper.Namespaces roots =
        new DirectoryKeeper.Namespaces() {
          @Override
          public Optional<StorageNamespace> of(DirectoryRule rule) {
            return Optional.of(hdfs);
          }

          @Override
          public boolean held() {
            return hdfs.hold(ROOT).isPresent();
          }
        };
    return new CensusChore(
            new Layout(ROOT, ROOT),
            HybridSettings.read(conf),
            roots,
            path -> Optional.of(hdfs),
            () -> LandedFiles.NONE,
            () -> stopped)
        .doWork();
  }

  @Test
  void asksForExactlyTheClosedMisplacedFiles() throws IOException {
    assertEquals(2, turn());
    assertEquals(
        List.of(new Path("/hbase/WALs/a,1,1/bad"), new Path("/hbase/oldWALs/left")),
        hdfs.satisfied());
  }

  @Test
  void doesNothingWhileAHoldStands() throws IOException {
    hdfs.setHold(ROOT, new Hold("a test"));
    assertEquals(0, turn());
    assertEquals(List.of(), hdfs.satisfied());
  }

  @Test
  void aRateOfZeroOnlyLooks() throws IOException {
    conf.setInt("hbase.hybrid.repair.move.rate", 0);
    assertEquals(0, turn());
    assertEquals(List.of(), hdfs.satisfied());
  }

  @Test
  void endsAsSoonAsItIsStopped() throws IOException {
    stopped = true;
    assertEquals(0, turn());
    assertEquals(List.of(), hdfs.satisfied());
  }

  @Test
  void aFileThatHdfsWouldMoveElsewhereIsLeftAlone() throws IOException {
    hdfs.with("/hbase/WALs", StoragePolicy.HOT.id());
    assertEquals(1, turn());
    assertEquals(List.of(new Path("/hbase/oldWALs/left")), hdfs.satisfied());
  }
}
