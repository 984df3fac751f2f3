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

import io.github.hybridhbase.runtime.Component;
import java.util.Set;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

@InterfaceAudience.Private
class SpaceLookTest {
  @Test
  void whatStaysAwayKeepsItsReasonAndItsTime() {
    SpaceLook.Demotions one =
        SpaceLook.Demotions.NONE.next(Set.of(Component.META), "it is full", 5);
    SpaceLook.Demotions two = one.next(Set.of(Component.META, Component.WAL), "refused", 9);
    assertEquals(Set.of(Component.META, Component.WAL), two.components());
    assertEquals(5, two.since(Component.META));
    assertEquals("it is full", two.why(Component.META));
    assertEquals(9, two.since(Component.WAL));
    assertEquals("refused", two.why(Component.WAL));
    SpaceLook.Demotions three = two.next(Set.of(Component.WAL), "", 11);
    assertEquals(Set.of(Component.WAL), three.components());
    assertEquals(12, three.next(Set.of(Component.META), "again", 12).since(Component.META));
  }
}
