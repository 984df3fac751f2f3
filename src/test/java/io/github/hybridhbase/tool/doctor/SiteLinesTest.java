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
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@InterfaceAudience.Private
class SiteLinesTest {
  private static final String MASTER = "io.github.hybridhbase.coprocessor.HybridMasterObserver";
  private static final String REGION = "io.github.hybridhbase.coprocessor.HybridRegionObserver";

  private final Configuration conf = new Configuration(false);

  private static String property(String key, String value) {
    return "<property><name>" + key + "</name><value>" + value + "</value></property>";
  }

  private static final String PROVIDER =
      property("hbase.wal.provider", "io.github.hybridhbase.wal.HybridWALProvider");

  private static final List<String> ALL =
      List.of(
          PROVIDER,
          property("hbase.coprocessor.master.classes", MASTER),
          property("hbase.coprocessor.region.classes", REGION));

  private void assertMissing(String... first) {
    List<String> wanted = new ArrayList<>(List.of(first));
    wanted.addAll(ALL);
    assertEquals(wanted, SiteLines.missing(conf));
  }

  @Test
  void missing_listsWithOthers_areAppendedTo() {
    conf.set("hbase.coprocessor.master.classes", " org.Access , org.Phoenix|9 ,");
    conf.set("hbase.coprocessor.region.classes", "org.Access," + REGION);
    String appended = "org.Access,org.Phoenix|9," + MASTER;
    assertEquals(
        List.of(PROVIDER, property("hbase.coprocessor.master.classes", appended)),
        SiteLines.missing(conf));
  }

  @ParameterizedTest
  @CsvSource({
    "asyncfs, asyncfs",
    "FileSystem, filesystem",
    "multiwal, multiwal",
    "org.apache.hadoop.hbase.wal.FSHLogProvider, filesystem"
  })
  void missing_providerOfHBase_becomesTheDelegate(String given, String delegate) {
    conf.set("hbase.wal.provider", given);
    assertMissing(property("hbase.hybrid.wal.delegate", delegate));
  }

  @Test
  void missing_otherProviders() {
    assertMissing();
    conf.set("hbase.wal.provider", "defaultProvider");
    assertMissing();
    conf.set("hbase.wal.provider", "org.example.Wals");
    String givenUp = SiteLines.missing(conf).get(0);
    assertTrue(givenUp.startsWith("hbase.wal.provider=org.example.Wals "), givenUp);
    assertMissing(givenUp);
  }

  @Test
  void missing_keysThatWin_areToBeRemoved() {
    conf.set("hbase.wal.storage.policy", "NONE");
    conf.set("hbase.hstore.block.storage.policy", "");
    assertMissing();
    conf.set("hbase.wal.storage.policy", "ALL_SSD");
    conf.set("hbase.hstore.block.storage.policy", "HOT");
    List<String> lines = SiteLines.missing(conf);
    assertTrue(lines.get(3).startsWith("Remove hbase.wal.storage.policy=ALL_SSD"), lines::toString);
    assertTrue(lines.get(4).startsWith("Remove hbase.hstore.block."), lines::toString);
  }

  @Test
  void missing_installed_isNothing() {
    conf.set("hbase.wal.provider", "multiwal");
    conf.set(
        "hbase.wal.regiongrouping.delegate.provider",
        "io.github.hybridhbase.wal.HybridWALProvider");
    conf.set("hbase.coprocessor.master.classes", MASTER);
    conf.set("hbase.coprocessor.region.classes", REGION + "|1001");
    conf.set("hbase.hybrid.mode", "require");
    assertEquals(List.of(), SiteLines.missing(conf));
    conf.set("hbase.hybrid.mode", "off");
    assertEquals(List.of(property("hbase.hybrid.mode", "prefer")), SiteLines.missing(conf));
  }

  @Test
  void changed_listsKeysThatDifferFromTheirDefaultWithTheirFile() {
    conf.set("hbase.hybrid.hot.share", "12", "hbase-site.xml");
    conf.set("hbase.hybrid.tier.max.age", "60m");
    assertEquals(List.of("hbase.hybrid.hot.share=12 (hbase-site.xml)"), SiteLines.changed(conf));
  }
}
