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
package io.github.hybridhbase.report;

import io.github.hybridhbase.report.FindingId.Severity;
import java.util.ArrayList;
import java.util.List;
import org.apache.yetus.audience.InterfaceAudience;

/** Width and colours of a report's destination. Immutable. */
@InterfaceAudience.Private
public final class Screen {
  public static final Screen PLAIN = new Screen(0, false);

  private static final String RESET = "\u001b[0m";

  private final int width;
  private final boolean colours;

  /**
   * @param width characters of a line; 0 for no limit
   * @param colours ANSI escape sequences
   */
  public Screen(int width, boolean colours) {
    this.width = width;
    this.colours = colours;
  }

  boolean fits(int characters) {
    return width == 0 || characters <= width;
  }

  public String paint(Severity severity, String text) {
    if (!colours) {
      return text;
    }
    String colour =
        severity == Severity.ERROR ? "1;31" : severity == Severity.WARNING ? "1;33" : "1;32";
    return "\u001b[" + colour + "m" + text + RESET;
  }

  /**
   * Breaks text at blanks. A long path stays whole, so that it can be copied.
   *
   * @param before start of the first line; others are indented as far
   */
  public List<String> wrap(String before, String text) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder(before);
    boolean empty = true;
    for (String word : text.split(" ", -1)) {
      if (!empty && !fits(line.length() + 1 + word.length())) {
        lines.add(line.toString());
        line = new StringBuilder(" ".repeat(before.length()));
        empty = true;
      }
      line.append(empty ? "" : " ").append(word);
      empty = false;
    }
    lines.add(line.toString());
    return lines;
  }
}
