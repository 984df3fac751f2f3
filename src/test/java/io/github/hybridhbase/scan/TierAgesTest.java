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

import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

@InterfaceAudience.Private
class TierAgesTest {
  private static final long NOW = 1_000_000_000_000L;

  @Test
  void eachFileIsOfOneGroup() {
    TierAges ages = new TierAges(NOW);
    for (int group = 0; group < TierAges.groups(); group++) {
      ages.add(1L << 2 * group, NOW - 1_000 * TierAges.begins(group));
      ages.add(1L << 2 * group, NOW - 1_000 * (TierAges.begins(group) + 1));
    }
    for (int group = 0; group < TierAges.groups(); group++) {
      assertEquals(2L << 2 * group, ages.bytes(group), "group " + group);
    }
    assertEquals(2L * TierAges.groups(), ages.files());
    assertEquals(86_401, ages.oldestSeconds());
    assertEquals(2 * ((1 << 2 * TierAges.groups()) - 1) / 3, ages.bytes());
  }

  @Test
  void whatIsNotOnSsdIsNotCountedAndTheFutureIsNow() {
    TierAges ages = new TierAges(NOW);
    ages.add(0, NOW - 5_000_000);
    assertEquals(0, ages.files());
    assertEquals(0, ages.oldestSeconds());
    ages.add(7, NOW + 99_000);
    assertEquals(7, ages.bytes(0));
  }
}
