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
package io.github.hybridhbase.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.report.Finding;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.Layout;
import io.github.hybridhbase.runtime.Layout.DirectoryRule;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Test;

class StartChecksTest {
  private final Configuration conf = new Configuration(false);

  /** On a local file system: what only HDFS knows is not found there, and nothing throws. */
  private List<String> findings() {
    Path root = new Path("file:///nowhere/hbase");
    HybridSettings settings = HybridSettings.read(conf);
    List<DirectoryRule> rules = new Layout(root, root).rules(settings);
    assertEquals(Optional.empty(), StartChecks.room(conf, settings, rules));
    return texts(StartChecks.findings(conf, rules));
  }

  private static List<String> texts(List<Finding> found) {
    return found.stream().map(Finding::line).collect(Collectors.toList());
  }

  private void assertFinds(String... parts) {
    List<String> found = findings();
    assertEquals(1, found.size(), found::toString);
    for (String part : parts) {
      assertTrue(found.get(0).contains(part), found.get(0));
    }
  }

  @Test
  void nothingIsFoundWithTheDefaults() {
    assertEquals(List.of(), findings());
  }

  @Test
  void hbasesOwnWalPolicyBesideThePlugin() {
    conf.set("hbase.wal.storage.policy", "ALL_SSD");
    assertFinds("hbase.wal.storage.policy is ALL_SSD", "Remove hbase.wal", "hbase.hybrid.*.policy");
    conf.set("hbase.wal.storage.policy", "NONE");
    assertEquals(List.of(), findings());
  }

  @Test
  void oneSsdWithTheTopologyDefault() {
    conf.set("hbase.hybrid.wal.policy", "ONE_SSD");
    assertFinds("one replica", "dfs.use.dfs.network.topology=false");
    conf.setBoolean("dfs.use.dfs.network.topology", false);
    assertEquals(List.of(), findings());
  }

  @Test
  void policiesReservedToTheSuperuser() {
    conf.setBoolean("dfs.storage.policy.permissions.superuser-only", true);
    assertFinds(
        "superuser-only=true", "can set no policy", "'hbase-hybrid apply' as HDFS's superuser");
  }
}
