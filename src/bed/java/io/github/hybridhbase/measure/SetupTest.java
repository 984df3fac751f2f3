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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.runtime.Component;
import io.github.hybridhbase.runtime.HybridKeys;
import java.util.Map;
import java.util.Properties;
import org.apache.hadoop.conf.Configuration;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Set-ups and workloads by their names, and what they set. */
@InterfaceAudience.Private
class SetupTest {
  @ParameterizedTest
  @EnumSource(Setup.class)
  void everySetUpIsFoundByItsLabel(Setup setup) {
    assertEquals(setup, Setup.of(setup.label()));
  }

  @Test
  void labelsAreThoseOfThePage() {
    assertEquals("hybrid+cache", Setup.HYBRID_CACHE.label());
    assertEquals("hybrid+hot", Setup.HYBRID_HOT.label());
    assertEquals("wal-only", Setup.WAL_ONLY.label());
    assertThrows(IllegalArgumentException.class, () -> Setup.of("flash"));
  }

  @Test
  void aSingleComponentIsOnSsdAndNoOther() {
    Map<String, String> keys = Setup.ONLY_META.keys();
    assertEquals("ALL_SSD", keys.get("hbase.hybrid.meta.policy"));
    assertEquals("HOT", keys.get("hbase.hybrid.wal.policy"));
    assertEquals("HOT", keys.get("hbase.hybrid.master.policy"));
    assertEquals("NONE", keys.get("hbase.hybrid.tier.policy"));
    assertEquals("ALL_SSD", Setup.ONLY_TIER.keys().get("hbase.hybrid.tier.policy"));
    assertEquals("ALL_SSD", Setup.ONLY_WAL.keys().get("hbase.hybrid.wal.policy"));
    assertTrue(Setup.HYBRID.keys().isEmpty(), "the shipped site file, and nothing else");
    assertFalse(Setup.ONLY_ZOOKEEPER.plugin());
  }

  /** Else a cell would run with what the one before it was told. */
  @Test
  void setUpsOfOneStateSetTheSameKeys() {
    for (Setup setup : Setup.values()) {
      assertEquals(setup.stored().keys().keySet(), setup.keys().keySet(), setup.label());
    }
    assertEquals(Setup.HDD, Setup.WAL_ONLY.stored());
    assertEquals("ALL_SSD", Setup.WAL_ONLY.keys().get("hbase.wal.storage.policy"));
  }

  @Test
  void thePluginTakesWhatTheyAreGiven() {
    for (Setup setup : Setup.values()) {
      Configuration conf = new Configuration(false);
      setup.keys().forEach(conf::set);
      for (Component component :
          new Component[] {Component.WAL, Component.META, Component.MASTER, Component.TIER}) {
        HybridKeys.policy(component).get(conf); // throws where it may not be
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Mix.class)
  void proportionsAreWhole(Mix mix) {
    Properties properties = mix.properties("t", 10, 10, mix.keys());
    double all = 0;
    for (String name : properties.stringPropertyNames()) {
      all += name.endsWith("proportion") ? Double.parseDouble(properties.getProperty(name)) : 0;
    }
    assertEquals(1, all, 1e-9);
    assertEquals("100", properties.getProperty("fieldlength"));
    assertEquals(mix, Mix.of(mix.label()));
  }
}
