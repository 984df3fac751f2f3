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

import java.util.List;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

/** Rates of parts of a span. */
@InterfaceAudience.Private
class RatesTest {
  @Test
  void eachTenSecondsHaveARateOfTheirOwn() {
    Rates rates = new Rates();
    rates.look(500, 5);
    assertEquals(List.of(), rates.all());
    rates.look(1_000, 10);
    rates.look(1_060, 22); // the first look after ten seconds
    rates.look(9_999, 31);
    assertEquals(List.of(100.0, 5.0), rates.all());
  }
}
