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
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

@InterfaceAudience.Private
class KeyTest {
  private static Configuration conf(Key<?> key, String value) {
    Configuration conf = new Configuration(false);
    conf.set(key.name(), value);
    return conf;
  }

  @Test
  void everyDeclaredKeyIsListedOnceUnderTheCommonPrefix() throws IllegalAccessException {
    Set<Object> declared = new HashSet<>();
    for (Field field : HybridKeys.class.getFields()) {
      if (Modifier.isStatic(field.getModifiers()) && field.getType() == Key.class) {
        declared.add(field.get(null));
      }
    }
    for (Component component : Component.values()) {
      if (component != Component.USER && component != Component.ARCHIVE) {
        declared.add(HybridKeys.policy(component));
        assertEquals(component.policyKey(), HybridKeys.policy(component).name());
      }
    }
    assertEquals(declared, new HashSet<>(HybridKeys.all()));
    assertEquals(declared.size(), HybridKeys.all().size());
    for (Key<?> key : HybridKeys.all()) {
      assertTrue(key.name().startsWith(Key.PREFIX), key.name());
      assertSame(key, HybridKeys.find(key.name()).orElseThrow());
    }
  }

  @Test
  void aTimeThatIsTooShortToMeanAnythingIsRefusedAndZeroIsNone() {
    Map.of("0", 0, "100ms", 100, "20s", 20_000, "20000MS", 20_000, "1s", 1_000)
        .forEach(
            (right, millis) ->
                assertEquals(
                    (long) millis,
                    HybridKeys.WAL_STALL.get(conf(HybridKeys.WAL_STALL, right)).toMillis()));
    for (String wrong : new String[] {"1", "200", "99ms", "20001ms", "00", "1 s", "5ns", "-1s"}) {
      Configuration conf = conf(HybridKeys.WAL_STALL, wrong);
      String said = HybridKeys.WAL_STALL.problem(conf).orElseThrow();
      assertTrue(said.startsWith("hbase.hybrid.wal.stall=" + wrong), said);
      assertTrue(said.contains("0 or a number with a unit (ms, s or m) from 100ms to 20s"), said);
    }
  }

  @Test
  void bothEndsOfARangeAreAllowedAndWhatIsBeyondIsNot() {
    assertEquals(Optional.of(0.1), HybridKeys.HOT_SHARE.find(conf(HybridKeys.HOT_SHARE, "0.1")));
    assertEquals(Optional.of(50.0), HybridKeys.HOT_SHARE.find(conf(HybridKeys.HOT_SHARE, " 50 ")));
    for (String wrong :
        new String[] {"-1", "0", "51", "10%", "0.09", "1e1", "NaN", "50.001", "1,5"}) {
      Configuration conf = conf(HybridKeys.HOT_SHARE, wrong);
      assertEquals(Optional.empty(), HybridKeys.HOT_SHARE.find(conf), wrong);
      assertEquals(2.0, HybridKeys.HOT_SHARE.get(conf), wrong);
      assertEquals("2", HybridKeys.HOT_SHARE.inForce(conf), wrong);
      assertEquals(
          "hbase.hybrid.hot.share="
              + wrong
              + " is not understood; allowed: a number from 0.1 to 50 (percent); a table or"
              + " family may have its own. Correct or remove it; the default 2 is in force.",
          HybridKeys.HOT_SHARE.problem(conf).orElseThrow());
    }
  }

  @Test
  void whatIsNotSetOrBlankIsTheDefaultAndNoProblem() {
    for (Configuration conf :
        new Configuration[] {new Configuration(false), conf(HybridKeys.MODE, "  ")}) {
      assertEquals(Mode.PREFER, HybridKeys.MODE.get(conf));
      assertEquals(Optional.empty(), HybridKeys.MODE.problem(conf));
      assertEquals("prefer", HybridKeys.MODE.inForce(conf));
    }
  }

  @Test
  void onlyWhatDiffersFromItsDefaultIsInTheSummary() {
    Configuration conf = conf(HybridKeys.WAL_HSYNC, "AUTO");
    conf.set("hbase.hybrid.wal.policy", " All_ssd ");
    conf.set(HybridKeys.TIER_BUDGET.name(), "20 %");
    conf.set(HybridKeys.HOT_SHARE.name(), "91");
    assertEquals(
        "Set in the site file, other than the defaults: hbase.hybrid.wal.hsync=AUTO (default"
            + " stock)",
        HybridSettings.read(conf).summary().orElseThrow());
    assertEquals(Optional.empty(), HybridSettings.read(new Configuration(false)).summary());
  }
}
