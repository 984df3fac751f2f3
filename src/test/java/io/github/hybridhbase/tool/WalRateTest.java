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
package io.github.hybridhbase.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.tool.LiveCluster.WalRate;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

@InterfaceAudience.Private
class WalRateTest {
  @Test
  void eachLogTellsByItsNamesAndAllAreAddedUp() {
    WalRate rate = new WalRate();
    rate.add("a%2C1%2C9.1000000", 500);
    rate.add("a%2C1%2C9.1010000", 1_500);
    rate.add("a%2C1%2C9.1020000", 77); // open: not counted
    rate.add("b%2C1%2C9.1010000", 10_000);
    rate.add("b%2C1%2C9.1000000", 10_000);
    assertEquals(2_000 / 20.0 + 10_000 / 10.0, rate.bytesPerSecond().getAsDouble());
  }

  @Test
  void aServerThatWasStartedAgainIsTheSameLog() {
    WalRate rate = new WalRate();
    rate.add("a%2C1%2C9.1000000", 1_000);
    rate.add("a%2C1%2C9.1010000", 1_000);
    rate.add("a%2C1%2C99.1020000", 1_000);
    rate.add("a%2C1%2C99.1030000", 5);
    rate.add("a%2C2%2C9.1000000", 600);
    rate.add("a%2C2%2C9.1030000", 5);
    assertEquals(3_000 / 30.0 + 600 / 30.0, rate.bytesPerSecond().getAsDouble());
  }

  @Test
  void theLogOfMetaIsAnotherOne() {
    WalRate rate = new WalRate();
    rate.add("a%2C1%2C9.1000000", 500);
    rate.add("a%2C1%2C9.meta.1000000.meta", 500);
    rate.add("a%2C1%2C9.meta.2000000.meta", 5);
    assertEquals(0.5, rate.bytesPerSecond().getAsDouble());
  }

  @Test
  void oneFileALogTellsNothing() {
    WalRate rate = new WalRate();
    assertTrue(rate.bytesPerSecond().isEmpty());
    rate.add("a%2C1%2C9.1000000", 500);
    rate.add("b%2C1%2C9.2000000", 500);
    rate.add("no-time", 500);
    assertTrue(rate.bytesPerSecond().isEmpty());
  }
}
