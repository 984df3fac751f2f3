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
package io.github.hybridhbase.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class LogOnChangeTest {
  private final LogOnChange logged = new LogOnChange();

  @Test
  void whatStandsIsNewsOnce() {
    assertTrue(logged.changed("a", "full"));
    assertFalse(logged.changed("a", "full"));
    assertTrue(logged.changed("b", "full"), "another subject");
    assertTrue(logged.changed("a", "broken"));
    assertTrue(logged.changed("a", "full"), "not what was logged last");
  }

  @Test
  void whatIsOverIsNewsWhenItComesBack() {
    assertFalse(logged.changed("a", ""));
    assertTrue(logged.changed("a", "full"));
    assertTrue(logged.clear("a"));
    assertFalse(logged.clear("a"));
    assertTrue(logged.changed("a", "full"));
    assertFalse(logged.changed("a", ""));
    assertTrue(logged.changed("a", "full"));
  }

  @Test
  void itRemembersSoMany() {
    int news = 0;
    for (int subject = 0; subject < 2_000; subject++) {
      news += logged.changed(subject, "full") ? 1 : 0;
    }
    assertEquals(1_000, news);
    assertTrue(logged.changed(1, "broken"), "a known one changes");
  }
}
