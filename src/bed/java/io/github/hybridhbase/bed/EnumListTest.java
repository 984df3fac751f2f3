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
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Set;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

@InterfaceAudience.Private
class EnumListTest {
  @Test
  void namesAreRead() {
    assertEquals(Set.of(), EnumList.parse("campaign.loads", "", LoadKind.class));
    assertEquals(
        Set.of(LoadKind.ITBLL, LoadKind.YCSB),
        EnumList.parse("campaign.loads", "ycsb, itbll", LoadKind.class));
    assertEquals(
        Set.of(Fault.Kind.LOSE_SSD),
        EnumList.parse("campaign.kinds", "LOSE_SSD", Fault.Kind.class));
  }

  @Test
  void anUnknownNameIsRefusedWithThoseThatThereAre() {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () -> EnumList.parse("campaign.loads", "itbll,pe", LoadKind.class));
    assertEquals("campaign.loads=itbll,pe: \"pe\" is none of itbll,verify,ycsb", e.getMessage());
  }
}
