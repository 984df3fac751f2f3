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
package io.github.hybridhbase.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class KnownGapsTest {
  @Test
  void aParagraphStandsForEachOfItsLines() {
    KnownGaps known =
        KnownGaps.parse(
            List.of(
                "# why",
                "at 1, 2",
                "- one (A)",
                "- two (A)",
                "  so",
                "",
                "at 2",
                "- x (B)",
                "  y"));
    assertEquals(Set.of("1", "2"), known.lines());
    assertEquals(Set.of("- one (A)", "- two (A)"), known.at("1"));
    assertEquals(Set.of("- one (A)", "- two (A)", "- x (B)"), known.at("2"));
    assertEquals(Set.of(), known.at("3"));
  }

  @Test
  void aGapNeedsAnExplanationAndStandsOnce() {
    for (List<String> wrong :
        List.of(
            List.of("at 1", "- one (A)"),
            List.of("at 1", "  so"),
            List.of("- one (A)", "  so"),
            List.of("at 1", "- one (A)", "  so", "", "at 1", "- one (A)", "  so"))) {
      assertThrows(IllegalArgumentException.class, () -> KnownGaps.parse(wrong));
    }
  }
}
