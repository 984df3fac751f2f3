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
package io.github.hybridhbase.tool.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

@InterfaceAudience.Private
class ProgressLineTest {
  private static final String CLEAR = "\r\u001b[K";

  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private String steps(int count, long millisEach, boolean shown) {
    AtomicLong now = new AtomicLong(Long.MAX_VALUE - 1);
    Progress.Line progress =
        new Progress.Line(
            new PrintStream(err, true, StandardCharsets.UTF_8), shown, "files", now::get);
    for (int i = 0; i < count; i++) {
      now.addAndGet(TimeUnit.MILLISECONDS.toNanos(millisEach));
      progress.step();
    }
    progress.done();
    return err.toString(StandardCharsets.UTF_8);
  }

  @Test
  void longWorkShowsALineThatIsGoneInTheEnd() {
    assertEquals(
        CLEAR + "files: 2 so far" + CLEAR + "files: 3 so far" + CLEAR, steps(3, 1_000, true));
  }

  @Test
  void shortWorkIsSilent() {
    assertEquals("", steps(1_999, 1, true));
  }

  @Test
  void anywhereElseItIsSilent() {
    assertEquals("", steps(100, 1_000, false));
  }
}
