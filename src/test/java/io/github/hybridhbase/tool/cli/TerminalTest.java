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
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.report.Finding;
import io.github.hybridhbase.report.FindingId;
import io.github.hybridhbase.report.FindingId.Severity;
import io.github.hybridhbase.report.Report;
import io.github.hybridhbase.report.Screen;
import io.github.hybridhbase.report.Table;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@InterfaceAudience.Private
class TerminalTest {
  private static String painted(Map<String, String> environment, String out) {
    return Terminal.of(environment, fd -> fd == 1 ? out : "pipe:[1]", System.in)
        .screen
        .paint(Severity.ERROR, "x");
  }

  @Test
  void coloursAreForATerminalThatWantsThem() {
    assertEquals("\u001b[1;31mx\u001b[0m", painted(Map.of("TERM", "xterm"), "/dev/pts/3"));
    assertEquals("\u001b[1;31mx\u001b[0m", painted(Map.of("NO_COLOR", ""), "/dev/tty1"));
    assertEquals("x", painted(Map.of("NO_COLOR", "1"), "/dev/pts/3"));
    assertEquals("x", painted(Map.of("TERM", "dumb"), "/dev/pts/3"));
    assertEquals("x", painted(Map.of(), "/tmp/file"));
    assertEquals("x", painted(Map.of(), "pipe:[123]"));
    assertEquals("x", painted(Map.of(), ""));
  }

  @Test
  void progressIsForStandardErrorThatIsATerminal() {
    assertTrue(Terminal.of(Map.of(), fd -> fd == 2 ? "/dev/pts/0" : "/tmp/x", System.in).progress);
    assertFalse(Terminal.of(Map.of(), fd -> fd == 1 ? "/dev/pts/0" : "/tmp/x", System.in).progress);
    assertFalse(Terminal.of(Map.of("TERM", "dumb"), fd -> "/dev/pts/0", System.in).progress);
    assertFalse(Terminal.NONE.progress);
  }

  private static String printed(Map<String, String> environment, String target) {
    Screen screen = Terminal.of(environment, fd -> target, System.in).screen;
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    new Table()
        .row("component", "declared", "a long title of a column", "another long title")
        .row("wal", "ALL_SSD", "1", "2")
        .print(out, screen);
    Finding one =
        Finding.of(FindingId.UNREADABLE, "/a", "one two ".repeat(20) + "/a/" + "b".repeat(90));
    new Report("about", List.of(one), List.of(), List.of()).print(out, screen);
    return bytes.toString(StandardCharsets.UTF_8);
  }

  /** But for a word that does not fit; a width that is none is 80. */
  @ParameterizedTest
  @CsvSource({"40, 40", "80, 80", "200, 200", "'', 80", "x, 80", "0, 80", "9, 80", "10, 40"})
  void linesFitTheTerminal(String columns, int width) {
    String text = printed(Map.of("COLUMNS", columns, "NO_COLOR", "1"), "/dev/pts/1");
    int longest =
        text.lines().filter(line -> !line.contains("bbb")).mapToInt(String::length).max().orElse(0);
    assertTrue(longest <= width && longest > Math.min(width, 80) - 10, longest + "\n" + text);
    assertTrue(text.contains("ALL_SSD"), text);
  }

  @Test
  void aFileGetsWholeLines() {
    String text = printed(Map.of("COLUMNS", "40"), "/tmp/file");
    assertTrue(text.contains("one two ".repeat(20) + "/a/" + "b".repeat(90) + "\n"), text);
    assertFalse(text.contains("\u001b"), text);
  }

  private static boolean hidesQuestions(String input, String error) {
    return Terminal.of(Map.of(), fd -> fd == 0 ? input : fd == 2 ? error : "/dev/pts/0", System.in)
        .hidesQuestions;
  }

  @Test
  void aQuestionThatNobodySeesIsHidden() {
    assertTrue(hidesQuestions("/dev/pts/0", "/var/log/apply.log"));
    assertFalse(hidesQuestions("/dev/pts/0", "/dev/pts/0"));
    assertFalse(hidesQuestions("/dev/null", "/var/log/apply.log"), "nobody is asked");
  }

  private static boolean confirms(String input, String answer) throws Exception {
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Terminal terminal =
        Terminal.of(
            Map.of(),
            fd -> fd == 0 ? input : "/dev/pts/0",
            new ByteArrayInputStream(answer.getBytes(StandardCharsets.UTF_8)));
    boolean yes = terminal.confirms("Go on?", new PrintStream(err, true), () -> answer.isEmpty());
    assertEquals(
        input.startsWith("/dev/pts") ? "Go on? [y/N] " : "", err.toString(StandardCharsets.UTF_8));
    return yes;
  }

  @Test
  void onlyAYesIsAYesAndNobodyIsAskedWithoutATerminal() throws Exception {
    assertTrue(confirms("/dev/pts/0", "y\n"));
    assertTrue(confirms("/dev/pts/0", " Yes \n"));
    for (String no : List.of("\n", "n\n", "yellow\n", "")) {
      assertFalse(confirms("/dev/pts/0", no), no);
    }
    assertTrue(confirms("pipe:[7]", "n\n"));
    assertTrue(confirms("/dev/null", ""));
  }
}
