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
package io.github.hybridhbase.bed;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

@InterfaceAudience.Private
class AbortsTest {
  @Test
  void eachLineIsToldOnceWhateverServerItIsOf() {
    Aborts aborts = new Aborts();
    assertEquals(List.of(), aborts.fresh(List.of()));
    assertEquals(List.of("rs1: x"), aborts.fresh(List.of("rs1: x")));
    assertEquals(List.of("rs0: y"), aborts.fresh(List.of("rs0: y", "rs1: x")));
    assertEquals(List.of("rs1: x"), aborts.fresh(List.of("rs0: y", "rs1: x", "rs1: x")));
    assertEquals(List.of(), aborts.fresh(List.of("rs0: y", "rs1: x", "rs1: x")));
  }
}
