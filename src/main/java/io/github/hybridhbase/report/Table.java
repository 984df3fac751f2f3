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

import io.github.hybridhbase.runtime.Text;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.yetus.audience.InterfaceAudience;

/** A text table: the first column is left-aligned, the others right-aligned. Cells are escaped. */
@InterfaceAudience.Private
public final class Table {
  private final List<String[]> rows = new ArrayList<>();

  public Table row(String... cells) {
    rows.add(Arrays.stream(cells).map(Text::escape).toArray(String[]::new));
    return this;
  }

  /** Prints the table; if wider than the screen, each row as a block with a line per cell. */
  public void print(PrintStream out, Screen screen) {
    int columns = rows.get(0).length;
    int[] widths = new int[columns];
    for (String[] row : rows) {
      for (int i = 0; i < columns; i++) {
        widths[i] = Math.max(widths[i], row[i].length());
      }
    }
    if (!screen.fits(Arrays.stream(widths).sum() + 2 * (columns - 1))) {
      blocks(out);
      return;
    }
    for (String[] row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < columns; i++) {
        String gap = " ".repeat(widths[i] - row[i].length());
        line.append(i == 0 ? "" : "  ").append(i == 0 ? row[i] + gap : gap + row[i]);
      }
      out.println(line.toString().stripTrailing());
    }
  }

  private void blocks(PrintStream out) {
    String[] titles = rows.get(0);
    int longest = Arrays.stream(titles).skip(1).mapToInt(String::length).max().orElse(0);
    for (String[] row : rows.subList(1, rows.size())) {
      out.println(titles[0] + " " + row[0]);
      for (int i = 1; i < row.length; i++) {
        out.println("  " + titles[i] + " ".repeat(longest - titles[i].length() + 2) + row[i]);
      }
    }
  }
}
