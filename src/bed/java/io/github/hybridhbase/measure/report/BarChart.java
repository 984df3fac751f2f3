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
package io.github.hybridhbase.measure.report;

import io.github.hybridhbase.measure.Numbers;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiFunction;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Groups of upright bars with error bars from the least to the greatest, from zero, as one SVG; a
 * line where all HDD is. Pure.
 */
@InterfaceAudience.Private
final class BarChart {
  private static final Map<String, String> COLOURS =
      Map.of(
          "hdd", "#868e96",
          "wal-only", "#4dabf7",
          "hybrid", "#d9480f",
          "hybrid+cache", "#f59f00",
          "hybrid+hot", "#d6336c",
          "ssd", "#2b8a3e");
  private static final String[] OTHERS = {"#5f3dc4", "#1098ad", "#c2255c", "#74b816", "#495057"};

  private static final int BAR = 22;
  private static final int GAP = 28;
  private static final int LEFT = 60;
  private static final int TOP = 64;
  private static final int PLOT = 240;
  private static final int LINE = 14;
  private static final int LEAST_GROUP = 90;
  private static final int LEAST_WIDTH = 560;

  private BarChart() {}

  /**
   * Draws one.
   *
   * @param values of a group and a series
   * @param line a value that all are compared to, NaN for none
   */
  static String draw(
      String title,
      List<String> groups,
      List<String> series,
      BiFunction<String, String, Stat> values,
      double line) {
    double most = Double.isNaN(line) ? 0 : line;
    for (String group : groups) {
      for (String one : series) {
        Stat stat = values.apply(group, one);
        most = stat.known() ? Math.max(most, stat.greatest) : most;
      }
    }
    double step = step(most == 0 ? 1 : most);
    int ticks = Math.max(1, (int) Math.ceil(most / step));
    double top = step * ticks;
    int groupWidth = Math.max(series.size() * BAR, LEAST_GROUP);
    int width = Math.max(LEAST_WIDTH, LEFT + groups.size() * (groupWidth + GAP) + GAP);
    int longest = groups.stream().mapToInt(one -> lines(one).length).max().orElse(1);
    int height = TOP + PLOT + (longest + 1) * LINE;
    StringBuilder svg = new StringBuilder();
    add(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"%1$d\" height=\"%2$d\""
            + " viewBox=\"0 0 %1$d %2$d\" font-family=\"sans-serif\" font-size=\"12\">"
            + "<title>%3$s</title><rect width=\"%1$d\" height=\"%2$d\" fill=\"white\"/>"
            + "<text x=\"8\" y=\"20\" font-size=\"15\">%3$s</text>",
        width,
        height,
        Html.escape(title));
    int key = 8;
    for (int i = 0; i < series.size(); i++) {
      String label = label(series.get(i));
      add(
          svg,
          "<rect x=\"%d\" y=\"32\" width=\"12\" height=\"12\" fill=\"%s\"/>"
              + "<text x=\"%d\" y=\"42\">%s</text>",
          key,
          colour(series.get(i), i),
          key + 16,
          Html.escape(label));
      key += 32 + 7 * label.length();
    }
    for (int tick = 0; tick <= ticks; tick++) {
      double value = step * tick;
      double y = y(value, top);
      add(
          svg,
          "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#dee2e6\"/>"
              + "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>",
          LEFT,
          width - 8,
          y,
          y,
          LEFT - 6,
          y + 4,
          Numbers.text(value));
    }
    if (!Double.isNaN(line)) {
      add(
          svg,
          "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#343a40\""
              + " stroke-dasharray=\"4 3\"/>",
          LEFT,
          width - 8,
          y(line, top),
          y(line, top));
    }
    int x = LEFT + GAP / 2;
    for (String group : groups) {
      for (int i = 0; i < series.size(); i++) {
        bar(svg, x + i * BAR, values.apply(group, series.get(i)), top, colour(series.get(i), i));
      }
      String[] lines = lines(group);
      for (int part = 0; part < lines.length; part++) {
        add(
            svg,
            "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>",
            x + series.size() * BAR / 2,
            TOP + PLOT + (part + 1) * LINE,
            Html.escape(lines[part]));
      }
      x += groupWidth + GAP;
    }
    return svg.append("</svg>").toString();
  }

  private static void bar(StringBuilder svg, int x, Stat stat, double top, String colour) {
    if (!stat.known()) {
      return;
    }
    double y = y(stat.median, top);
    add(
        svg,
        "<rect x=\"%d\" y=\"%.1f\" width=\"%d\" height=\"%.1f\" fill=\"%s\"><title>%s</title></rect>",
        x,
        y,
        BAR - 3,
        TOP + PLOT - y,
        colour,
        Html.escape(stat.text()));
    if (stat.rounds > 1) {
      double middle = x + (BAR - 3) / 2.0;
      add(
          svg,
          "<path d=\"M%1$.1f %2$.1fV%3$.1fM%4$.1f %2$.1fh6M%4$.1f %3$.1fh6\" stroke=\"black\""
              + " fill=\"none\"/>",
          middle,
          y(stat.greatest, top),
          y(stat.least, top),
          middle - 3);
    }
  }

  /** At most four to the top, of a round number each. */
  private static double step(double most) {
    double power = Math.pow(10, Math.floor(Math.log10(most / 4)));
    for (double round : new double[] {1, 2, 2.5, 5}) {
      if (round * power >= most / 4) {
        return round * power;
      }
    }
    return 10 * power;
  }

  /** A set-up in a reader's words. */
  static String label(String series) {
    return series
        .replaceFirst("^hdd$", "all HDD")
        .replaceFirst("^wal-only$", "stock, WAL on SSD")
        .replaceFirst("^hybrid[+]hot", "plugin, hot rows")
        .replaceFirst("^hybrid[+]cache", "plugin and cache")
        .replaceFirst("^hybrid$", "plugin")
        .replaceFirst("^ssd$", "all SSD");
  }

  /** A group's name says one thing a line. */
  private static String[] lines(String group) {
    return group.split(", ", -1);
  }

  private static double y(double value, double top) {
    return TOP + PLOT * (1 - value / top);
  }

  private static String colour(String series, int number) {
    String known = COLOURS.get(series.split(" ", -1)[0]);
    boolean first = !series.contains("%") || series.endsWith(" 5%");
    return known != null && first ? known : OTHERS[number % OTHERS.length];
  }

  private static void add(StringBuilder svg, String format, Object... values) {
    svg.append(String.format(Locale.ROOT, format, values)).append('\n');
  }
}
