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
package io.github.hybridhbase.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LayoutTest {
  private static final Path ROOT = new Path("hdfs://nn:8020/hbase");
  private static final Path WAL_ROOT = new Path("hdfs://nn:8020/wal");
  private static final Layout ONE_ROOT = new Layout(ROOT, ROOT);
  private static final Layout TWO_ROOTS = new Layout(ROOT, WAL_ROOT);

  @ParameterizedTest
  @CsvSource({
    "WALs/rs1,WAL",
    "WALs/rs1%2C16020%2C1/rs1.meta.1.meta,WAL",
    "MasterData/data/master/store/1588/proc/f,MASTER",
    "MasterData/WALs/m/w,MASTER",
    "MasterData/oldWALs/w,ARCHIVE",
    "MasterData/archive/data/master/store/1/proc/f,ARCHIVE",
    "data/hbase/meta/1588230740/info/f,META",
    "data/hbase/meta/1588230740/.tmp/info/f,META",
    "data/hbase/slowlog/1/info/f,USER",
    "data/default/t/r/cf/f,USER",
    "data/default/t/r/recovered.edits/1,TIER",
    "data/default/t/r/.tmp/cf/f,TIER",
    "data/default/t/.tabledesc/.tableinfo.1,USER",
    "data/hbase2/meta/r/cf/f,USER",
    "oldWALs/w,ARCHIVE",
    "corrupt/w,ARCHIVE",
    "archive/data/default/t/r/cf/f,ARCHIVE",
    ".hbase-snapshot/s/data.manifest,ARCHIVE",
    "mobdir/data/default/t/r/cf/f,USER",
    "staging/u/f,USER",
    ".tmp/data/default/t/f,TIER",
  })
  void aFileBelongsToTheComponentOfItsDirectory(String file, Component component) {
    assertEquals(Optional.of(component), ONE_ROOT.componentOf(new Path(ROOT, file)));
    assertEquals(Optional.of(component), TWO_ROOTS.componentOf(new Path(WAL_ROOT, file)));
  }

  @ParameterizedTest
  @CsvSource({"/hbase/hbase.version", "/hbase/hbase.id", "/hbase", "/hbasetwo/WALs/w", "/x/WALs/w"})
  void otherFilesBelongToNoComponent(String file) {
    assertEquals(Optional.empty(), ONE_ROOT.componentOf(new Path("hdfs://nn:8020" + file)));
  }

  @Test
  void aRootOfTheFileSystemItselfWorks() {
    Path top = new Path("hdfs://nn:8020/");
    assertEquals(
        Optional.of(Component.WAL),
        new Layout(top, top).componentOf(new Path("hdfs://nn:8020/WALs/rs/w")));
  }
}
