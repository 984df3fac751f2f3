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
package io.github.hybridhbase.scan;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.hybridhbase.hdfs.FakeNamespace;
import io.github.hybridhbase.placement.TierState;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.Layout;
import io.github.hybridhbase.runtime.StoragePolicy;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What HBase deletes in a few minutes is not moved, whether the SSD tier is on or off. */
@InterfaceAudience.Private
class TierFilesTest {
  private static final Path ROOT = new Path("/hbase");
  private static final StorageType SSD = StorageType.SSD;

  private final Configuration conf = new Configuration(false);
  private final FakeNamespace hdfs =
      new FakeNamespace()
          .with("/hbase", StoragePolicy.UNSPECIFIED)
          .with("/hbase/data", StoragePolicy.HOT.id())
          .with("/hbase/oldWALs", StoragePolicy.HOT.id())
          .with("/hbase/archive", StoragePolicy.HOT.id())
          .with("/hbase/corrupt", StoragePolicy.HOT.id())
          .with("/hbase/.hbase-snapshot", StoragePolicy.HOT.id())
          .with("/hbase/MasterData/oldWALs", StoragePolicy.HOT.id());

  private void files(String name, long minutesAgo) {
    hdfs.at(System.currentTimeMillis() - TimeUnit.MINUTES.toMillis(minutesAgo));
    for (String at :
        List.of(
            "oldWALs",
            "MasterData/oldWALs",
            "archive/data/default/t/r/cf",
            "corrupt",
            ".hbase-snapshot/s",
            "data/default/t/r/cf")) {
      hdfs.file("/hbase/" + at + "/" + name, 10, SSD, SSD, SSD);
    }
  }

  private List<String> misplaced() throws IOException {
    HybridSettings settings = HybridSettings.read(conf);
    Layout layout = new Layout(ROOT, ROOT);
    Expectation expectation =
        new Expectation(
            layout,
            settings,
            TierFiles.now(FakeNamespace.namespaces(hdfs), layout, settings, conf));
    List<Path> found = new ArrayList<>();
    new BlockScanner(layout, FakeNamespace.namespaces(hdfs))
        .walk(
            (context, file) -> {
              if (file.misplaced(expectation.of(context, file)) > 0) {
                found.add(file.path);
              }
            });
    return found.stream()
        .map(path -> path.toString().substring("/hbase/".length()))
        .sorted()
        .collect(Collectors.toList());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatIsArchivedAndAboutToBeDeletedIsLeft(boolean tier) throws IOException {
    if (tier) {
      TierState.open(1, 1, System.currentTimeMillis(), "master").writeTo(hdfs, ROOT);
    } else {
      // Whatever is on SSD then was there before.
      hdfs.removeXattr(ROOT, TierState.XATTR);
    }
    files("young", 5);
    files("old", 300);
    List<String> expected =
        new ArrayList<>(
            List.of(
                ".hbase-snapshot/s/old",
                ".hbase-snapshot/s/young",
                "MasterData/oldWALs/old",
                "archive/data/default/t/r/cf/old",
                "corrupt/old",
                "corrupt/young",
                "data/default/t/r/cf/old",
                "oldWALs/old"));
    if (!tier) {
      expected.add("data/default/t/r/cf/young");
    }
    assertEquals(expected.stream().sorted().collect(Collectors.toList()), misplaced());
  }

  @ParameterizedTest
  @ValueSource(ints = {20, 79})
  void theTimesThatHBaseKeepsThemAreItsOwn(int minutes) throws IOException {
    conf.setLong("hbase.master.logcleaner.ttl", TimeUnit.HOURS.toMillis(1));
    files("a", minutes);
    assertEquals(false, misplaced().contains("oldWALs/a"));
    conf.setLong("hbase.master.logcleaner.ttl", 0);
    conf.setLong("hbase.master.hfilecleaner.ttl", 0);
    conf.setLong("hbase.master.cleaner.interval", 1000);
    assertEquals(true, misplaced().contains("oldWALs/a"));
  }
}
