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
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

@InterfaceAudience.Private
class MoveOutcomesTest {
  private final ScanChore.MoveOutcomes outcomes = new ScanChore.MoveOutcomes();

  private void ask(String... files) {
    outcomes.begin();
    for (String file : files) {
      outcomes.asked(new Path(file));
    }
    outcomes.end(true);
  }

  @Test
  void aLaterScanTellsWhatWasMovedWhatIsNotYetAndWhatIsGone() {
    ask("/moved", "/waits", "/gone");
    assertEquals(3, outcomes.underWay());
    outcomes.begin();
    assertTrue(outcomes.follows(new Path("/moved")));
    assertFalse(outcomes.follows(new Path("/never asked for")));
    outcomes.seen(new Path("/moved"), false);
    outcomes.seen(new Path("/waits"), true);
    assertEquals(1, outcomes.end(true));
    assertEquals(1, outcomes.underWay());
    outcomes.begin();
    outcomes.seen(new Path("/waits"), false);
    assertEquals(1, outcomes.end(true));
    assertEquals(0, outcomes.underWay());
  }

  @Test
  void aScanThatWasStoppedForgetsNothingThatItDidNotSee() {
    ask("/moved", "/unseen");
    outcomes.begin();
    outcomes.seen(new Path("/moved"), false);
    assertEquals(1, outcomes.end(false));
    assertTrue(outcomes.follows(new Path("/unseen")));
    assertFalse(outcomes.follows(new Path("/moved")));
  }

  @Test
  void itRemembersNoMoreThanItMay() {
    outcomes.begin();
    for (int i = 0; i < ScanChore.MoveOutcomes.MOST + 10; i++) {
      outcomes.asked(new Path("/" + i));
    }
    outcomes.end(true);
    assertEquals(ScanChore.MoveOutcomes.MOST, outcomes.underWay());
  }
}
