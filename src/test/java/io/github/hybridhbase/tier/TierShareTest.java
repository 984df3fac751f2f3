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
package io.github.hybridhbase.tier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.placement.TierGrant;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

/** A share is the budget's part where there is room, and follows the room where there is less. */
@InterfaceAudience.Private
class TierShareTest {
  private static TierGrant room(long free, int servers) {
    return TierGrant.of(10_000, free, 20, 2_000, servers);
  }

  private static TierShare share(TierGrant room, long used) {
    return TierShare.of(room.budget(), room.room(), used);
  }

  private static boolean differ(TierGrant now, TierGrant told) {
    return now.differsFrom(told.budget(), told.room());
  }

  @Test
  void withRoomEnoughItIsThePartOfTheBudget() {
    TierShare share = share(room(9_000, 4), 0);
    assertEquals(500, share.bytes());
    assertEquals(400, share.threshold());
    assertEquals(500, share(room(9_000, 4), 800).bytes());
  }

  @Test
  void whatTheTierHoldsItselfIsNotCountedAgainstIt() {
    TierGrant none = room(2_000, 4);
    assertEquals(0, none.room());
    assertEquals(0, share(none, 0).bytes());
    assertEquals(300, share(none, 300).bytes());
    assertEquals(300, share(none, 300).threshold());
  }

  @Test
  void whatOthersTookBeyondTheMarkIsGivenBack() {
    TierGrant missing = room(1_800, 4);
    assertEquals(-50, missing.room());
    assertEquals(250, share(missing, 300).bytes());
    assertEquals(0, share(missing, 20).bytes());
    assertEquals(0, share(missing, 0).threshold());
  }

  @Test
  void aWordIsWorthWritingWhereTheShareMayDiffer() {
    assertFalse(differ(room(9_000, 4), room(9_000, 4)));
    assertFalse(differ(room(8_000, 4), room(9_000, 4)), "beyond the budget anyway");
    assertTrue(differ(room(9_000, 5), room(9_000, 4)));
    assertTrue(differ(room(2_500, 4), room(9_000, 4)));
    assertTrue(differ(room(2_500, 4), room(2_300, 4)));
    assertFalse(differ(room(2_350, 4), room(2_300, 4)), "half a percent of SSD");
    assertTrue(differ(room(1_700, 4), room(2_300, 4)));
  }
}
