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
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Gain over cost, both against all HDD, as one SVG: above the diagonal a set-up is cheaper per
 * throughput than all HDD. Pure.
 */
@InterfaceAudience.Private
final class CurveChart {
  /** A point with its name. */
  static final class Point {
    final String name;
    final double cost;
    final Stat gain;

    Point(String name, double cost, Stat gain) {
      this.name = name;
      this.cost = cost;
      this.gain = gain;
    }
  }

  private static final int LEFT = 60;
  private static final int TOP = 40;
  private static final int WIDTH = 620;
  private static final int PLOT = 260;

  private CurveChart() {}

  static String draw(String title, List<Point> points) {
    double most = 1;
    for (Point point : points) {
      most = Math.max(most, Math.max(point.cost, point.gain.greatest));
    }
    double top = most * 1.1;
    StringBuilder svg = new StringBuilder();
    add(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"%1$d\" height=\"%2$d\""
            + " viewBox=\"0 0 %1$d %2$d\" font-family=\"sans-serif\" font-size=\"12\">"
            + "<title>%3$s</title><rect width=\"%1$d\" height=\"%2$d\" fill=\"white\"/>"
            + "<text x=\"8\" y=\"20\" font-size=\"15\">%3$s</text>",
        WIDTH,
        TOP + PLOT + 44,
        Html.escape(title));
    add(
        svg,
        "<path d=\"M%d %d L%.1f %.1f\" stroke=\"#868e96\" stroke-dasharray=\"4 3\"/>",
        LEFT,
        TOP + PLOT,
        x(top, top),
        y(top, top));
    for (int tick = 0; tick <= 4; tick++) {
      double value = top * tick / 4;
      add(
          svg,
          "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>"
              + "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>",
          LEFT - 6,
          y(value, top) + 4,
          Numbers.text(value),
          x(value, top),
          TOP + PLOT + 18,
          Numbers.text(value));
    }
    add(
        svg,
        "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">cost, all HDD = 1</text>",
        (LEFT + WIDTH) / 2,
        TOP + PLOT + 36);
    for (Point point : points) {
      add(
          svg,
          "<circle cx=\"%1$.1f\" cy=\"%2$.1f\" r=\"4\" fill=\"#d9480f\"/>"
              + "<path d=\"M%1$.1f %3$.1fV%4$.1f\" stroke=\"black\"/>"
              + "<text x=\"%5$.1f\" y=\"%2$.1f\">%6$s</text>",
          x(point.cost, top),
          y(point.gain.median, top),
          y(point.gain.greatest, top),
          y(point.gain.least, top),
          x(point.cost, top) + 7,
          Html.escape(point.name));
    }
    return svg.append("</svg>").toString();
  }

  private static double x(double value, double top) {
    return LEFT + (WIDTH - LEFT - 100) * value / top;
  }

  private static double y(double value, double top) {
    return TOP + PLOT * (1 - value / top);
  }

  private static void add(StringBuilder svg, String format, Object... values) {
    svg.append(String.format(Locale.ROOT, format, values)).append('\n');
  }
}
