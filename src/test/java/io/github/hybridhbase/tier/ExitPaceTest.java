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

import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

/** How many stores are asked in a turn, by what HBase's compaction threads have to do. */
@InterfaceAudience.Private
class ExitPaceTest {
  private static final long PATIENCE = 100;

  private static String pace(int waiting, long busy, boolean closed, boolean underWay) {
    return ExitPace.of(true, waiting, busy, PATIENCE, closed, underWay).toString();
  }

  @Test
  void whereNothingWaitsManyAreAsked() {
    assertEquals("20", pace(0, 0, false, false));
    assertEquals("20", pace(0, 0, false, true));
    assertEquals("20", pace(0, 0, true, true));
  }

  @Test
  void behindOthersOneIsAskedAfterATimeAndTheNextWhenItIsDone() {
    assertEquals("0", pace(1, PATIENCE - 1, false, false));
    assertEquals("1 behind others", pace(1, PATIENCE, false, false));
    assertEquals("1 behind others", pace(500, 10 * PATIENCE, false, false));
    assertEquals("0", pace(500, 10 * PATIENCE, false, true));
  }

  @Test
  void whereSsdIsNeededOneIsAskedAtOnce() {
    assertEquals("1 behind others", pace(1, 0, true, false));
    assertEquals("0", pace(1, 0, true, true));
  }

  @Test
  void whereCompactionsAreOffNoneIsAsked() {
    assertEquals("0", ExitPace.of(false, 0, 0, PATIENCE, true, false).toString());
    assertEquals("0", ExitPace.of(false, 9, 1_000, PATIENCE, true, false).toString());
  }
}
