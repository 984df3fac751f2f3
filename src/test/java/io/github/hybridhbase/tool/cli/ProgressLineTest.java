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
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

@InterfaceAudience.Private
class ProgressLineTest {
  private static final String CLEAR = "\r\u001b[K";

  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final AtomicInteger asked = new AtomicInteger();

  private String steps(int count, long millisEach, boolean shown) {
    AtomicLong now = new AtomicLong(Long.MAX_VALUE - 1);
    Progress.Line progress =
        new Progress.Line(
            new PrintStream(err, true, StandardCharsets.UTF_8),
            shown,
            "files",
            answer -> {
              asked.incrementAndGet();
              answer.set(8);
            },
            now::get);
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
        CLEAR
            + "files: 2 of about 8 (25 %), 6 s left"
            + CLEAR
            + "files: 3 of about 8 (37 %), 5 s left"
            + CLEAR,
        steps(3, 1_000, true));
    assertEquals(1, asked.get());
  }

  @Test
  void shortWorkIsSilentAndAsksNobody() {
    assertEquals("", steps(1_999, 1, true));
    assertEquals(0, asked.get());
  }

  @Test
  void anywhereElseItIsSilent() {
    assertEquals("", steps(100, 1_000, false));
    assertEquals(0, asked.get());
  }

  @Test
  void itFitsATerminalOf80Columns() {
    String text =
        Progress.Line.text(
            "block locations of files", 12_234_567, 22_345_678, TimeUnit.MINUTES.toNanos(100));
    assertTrue(text.length() < 80, text);
  }

  @Test
  void whatIsNotKnownIsNotGuessed() {
    assertEquals("files: 5 so far", Progress.Line.text("files", 5, 0, 1));
    assertEquals("files: 5 so far", Progress.Line.text("files", 5, 4, 1));
    assertEquals(
        "files: 1,000 of about 61,000 (1 %), 10 min left",
        Progress.Line.text("files", 1_000, 61_000, TimeUnit.SECONDS.toNanos(10)));
  }
}
