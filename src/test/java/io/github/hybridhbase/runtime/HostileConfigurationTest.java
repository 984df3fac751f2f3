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
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.testing.HostileText;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

/** Whatever a site file has, the settings are read. */
@InterfaceAudience.Private
class HostileConfigurationTest {
  private static final int CASES = 2_000;
  private static final String[] RIGHT =
      ("ALL_SSD NONE HOT prefer require 20% 500g 1 60 true auto multiwal ${hbase.hybrid.mode}"
              + " ${hbase.hybrid.hot.share}0")
          .split(" ");

  private final HostileText text = new HostileText(getClass().getSimpleName());

  @Test
  void everyValueIsReadOrNamedAsAProblem() {
    List<Key<?>> keys = new ArrayList<>(HybridKeys.all());
    for (int i = 0; i < CASES; i++) {
      Configuration conf = new Configuration(false);
      for (int some = 1 + text.random().nextInt(6); some > 0; some--) {
        String name = keys.get(text.random().nextInt(keys.size())).name();
        String below = "." + text.next("policy", "wal", "mode");
        conf.set(text.random().nextInt(8) == 0 ? name + below : name, text.next(RIGHT));
      }
      HybridSettings settings = HybridSettings.read(conf);
      for (Key<?> key : keys) {
        assertNotNull(key.get(conf));
        // Neither or one of the two: what is set is in force, or is a problem.
        assertTrue(key.find(conf).isEmpty() || key.problem(conf).isEmpty());
        assertNotNull(key.inForce(conf));
      }
      assertNotNull(settings.summary());
      assertTrue(settings.get(HybridKeys.TIER_BUDGET).of(1L << 40) <= 1L << 40);
      assertTrue(settings.get(HybridKeys.TIER_BUDGET).of(Long.MAX_VALUE) >= 0);
    }
  }

  @Test
  void aValueThatRefersToOthersTooOftenIsAProblem() {
    Configuration conf = new Configuration(false);
    for (int i = 0; i < 50; i++) {
      conf.set("a" + i, "${a" + (i + 1) + "}");
    }
    conf.set("hbase.hybrid.mode", "${a0}");
    conf.set("hbase.hybrid.no.such", "${a0}");
    HybridSettings settings = HybridSettings.read(conf);
    assertEquals(Mode.OFF, settings.mode());
    assertEquals(2, settings.problems().size(), settings.problems()::toString);
  }
}
