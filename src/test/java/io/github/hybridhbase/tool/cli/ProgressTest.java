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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@InterfaceAudience.Private
class ProgressTest {
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private String steps(int count, long millisEach, long start) {
    AtomicLong now = new AtomicLong(start);
    Progress progress =
        new Progress(new PrintStream(err, true, StandardCharsets.UTF_8), "reading", now::get);
    for (int i = 0; i < count; i++) {
      now.addAndGet(TimeUnit.MILLISECONDS.toNanos(millisEach));
      progress.step();
    }
    return err.toString(StandardCharsets.UTF_8).replace(System.lineSeparator(), "\n");
  }

  @ParameterizedTest
  @CsvSource({
    "12000, 1, 7, 'reading: 5,000 so far|reading: 10,000 so far|'",
    "4999, 1, 7, ''",
    // The clock wraps around.
    "6, 1000, 9223372036854775806, reading: 5 so far|"
  })
  void longWorkIsSeenToGoOnEveryFiveSeconds(int count, long millisEach, long start, String lines) {
    assertEquals(lines.replace('|', '\n'), steps(count, millisEach, start));
  }
}
