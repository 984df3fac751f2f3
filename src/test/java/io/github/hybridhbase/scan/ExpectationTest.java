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
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.hdfs.PolicyProvenance;
import io.github.hybridhbase.hdfs.StorageNamespace.PolicyStatus;
import io.github.hybridhbase.placement.DirectoryState;
import io.github.hybridhbase.runtime.Component;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.Layout;
import io.github.hybridhbase.runtime.Layout.DirectoryRule;
import io.github.hybridhbase.runtime.StoragePolicy;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

@InterfaceAudience.Private
class ExpectationTest {
  private final HybridSettings settings = HybridSettings.read(new Configuration(false));

  @Test
  void newStoreFilesAreDeclaredForSsdAndHeldAgainstWhereTheyStay() {
    Expectation expectation = Expectation.of(settings, false, List.of());
    assertEquals(StoragePolicy.ALL_SSD, expectation.of(Component.TIER));
    assertEquals(StoragePolicy.HOT, expectation.wanted(Component.TIER));
    assertEquals(StoragePolicy.ALL_SSD, expectation.of(Component.WAL));
  }

  @Test
  void underAHoldNothingIsDeclared() {
    Expectation held = Expectation.of(settings, true, List.of());
    for (Component component : Component.values()) {
      assertEquals(StoragePolicy.NONE, held.of(component), component::label);
    }
  }

  /** A record that outlives its demotion: the component was declared for HDD meanwhile. */
  @Test
  void onlyWhatIsInForceIsDemoted() {
    PolicyProvenance bySpace =
        PolicyProvenance.first(StoragePolicy.UNSPECIFIED, StoragePolicy.HOT).asDemoted();
    assertFalse(expected("ALL_SSD", StoragePolicy.HOT, bySpace).whole());
    assertTrue(expected("ALL_SSD", StoragePolicy.ALL_SSD, bySpace).whole(), "put back by hand");
    Expectation now = expected("HOT", StoragePolicy.HOT, bySpace);
    assertTrue(now.whole());
    assertEquals(StoragePolicy.HOT, now.of(Component.META));
  }

  private static Expectation expected(
      String declared, StoragePolicy inForce, PolicyProvenance record) {
    Configuration conf = new Configuration(false);
    conf.set("hbase.hybrid.meta.policy", declared);
    HybridSettings settings = HybridSettings.read(conf);
    Path path = new Path("/hbase/data/hbase");
    Optional<DirectoryRule> rule =
        new Layout(new Path("/hbase"), new Path("/hbase"))
            .rules(settings).stream().filter(one -> one.path().equals(path)).findFirst();
    return Expectation.of(
        settings,
        false,
        List.of(
            DirectoryState.of(
                path,
                rule,
                Optional.of(new PolicyStatus(inForce.id(), inForce.id())),
                Optional.of(record))));
  }
}
