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

import io.github.hybridhbase.hdfs.FileBlocks;
import io.github.hybridhbase.runtime.Component;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.Layout;
import io.github.hybridhbase.runtime.StoragePolicy;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@InterfaceAudience.Private
class ExpectationTest {
  private static final Layout LAYOUT = new Layout(new Path("/hbase"), new Path("/hbase"));
  private static final String META = "data/hbase/meta/1588230740/info/";
  private static final int UNKNOWN = 9;

  private final Configuration conf = new Configuration(false);

  private StoragePolicy wanted(String path, int policy, boolean erasureCoded) {
    Path file = new Path("/hbase", path);
    Component component = LAYOUT.componentOf(file).orElseThrow();
    FileBlocks.Block block = new FileBlocks.Block(1, StorageType.DISK);
    return new Expectation(
            LAYOUT,
            HybridSettings.read(conf),
            new TierFiles(LAYOUT, Long.MAX_VALUE, Long.MAX_VALUE))
        .of(
            new FileContext(component, (byte) 0, erasureCoded),
            new FileBlocks(file, 1, 3, (byte) policy, false, List.of(block), 0, false));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '>',
      value = {
        // without a policy, or HOT: as declared, if the plugin would have created it
        "WALs/a,1,1/w > ALL_SSD",
        "MasterData/WALs/m,1,1/w > ALL_SSD",
        "MasterData/data/master/store/1595e783b53d99cd5eef43b6debb2682/proc/0a1b2c > NONE",
        "data/hbase/meta/1588230740/info/0a1b2c > ALL_SSD",
        "data/hbase/acl/0a/l/0a1b2c_SeqId_7_ > ALL_SSD",
        "data/hbase/slowlog/0a/info/0a1b2c > HOT",
        "data/hbase/acl/0a/l/0a1b2c.0d3e4f > HOT",
        "data/hbase/acl/.tabledesc/.tableinfo.0000000001.607 > HOT",
        "data/hbase/meta/1588230740/.regioninfo > HOT",
        "data/hbase/meta/1588230740/recovered.edits/4.seqid > HOT",
        "data/hbase/meta/1588230740/.tmp/info/0a1b2c > HOT",
        "MasterData/data/master/store/.tabledesc/.tableinfo.0000000001.1 > HOT",
        "MasterData/oldWALs/w > HOT",
        "oldWALs/w > HOT",
        "data/default/t/0a/cf/0a1b2c > HOT",
        "data/default/t/0a/.tmp/cf/0a1b2c > HOT",
      })
  void aFileWithoutAPolicyIsJudgedByTheDeclaration(String path, StoragePolicy expected) {
    assertEquals(expected, wanted(path, StoragePolicy.UNSPECIFIED, false), path);
    assertEquals(expected, wanted(path, StoragePolicy.HOT.id(), false), path);
  }

  @Test
  void aPolicyInForceIsJudgedByItself() {
    for (String path :
        List.of("WALs/a,1,1/w", META + "0a", "data/default/t/0a/cf/0a1b", "oldWALs/w")) {
      for (StoragePolicy policy :
          List.of(StoragePolicy.ALL_SSD, StoragePolicy.ONE_SSD, StoragePolicy.COLD)) {
        assertEquals(policy, wanted(path, policy.id(), false), path);
      }
      assertEquals(StoragePolicy.NONE, wanted(path, UNKNOWN, false), path);
      assertEquals(StoragePolicy.NONE, wanted(path, 0, true), path);
    }
  }

  /** HBase creates them in mobdir/.tmp, under the policy of the family that wrote there last. */
  @Test
  void aMobFileMayBeOnAnyMedium() {
    String mob = "mobdir/data/default/t/0a/cf/0a1b2c";
    for (StoragePolicy policy : List.of(StoragePolicy.HOT, StoragePolicy.ALL_SSD)) {
      assertEquals(StoragePolicy.NONE, wanted(mob, policy.id(), false));
    }
    assertEquals(StoragePolicy.NONE, wanted(mob, StoragePolicy.UNSPECIFIED, false));
  }

  @Test
  void withoutADeclarationNothingIsWanted() {
    conf.set("hbase.hybrid.wal.policy", "NONE");
    assertEquals(StoragePolicy.HOT, wanted("WALs/a,1,1/w", 0, false));
    conf.set("hbase.hybrid.mode", "off");
    assertEquals(StoragePolicy.HOT, wanted(META + "0a", 0, false));
  }
}
