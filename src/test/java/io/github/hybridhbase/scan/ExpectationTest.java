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

import io.github.hybridhbase.runtime.Component;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.StoragePolicy;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
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
}
