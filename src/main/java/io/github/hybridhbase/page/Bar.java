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
package io.github.hybridhbase.page;

import java.util.ArrayList;
import java.util.List;
import org.apache.yetus.audience.InterfaceAudience;

/** A horizontal bar as SVG, since a web server may forbid style attributes. */
@InterfaceAudience.Private
final class Bar {
  private final String label;
  private final List<String[]> pieces = new ArrayList<>();
  private double at;

  /**
   * @param label accessible name
   */
  Bar(String label) {
    this.label = label;
  }

  /**
   * @param kind its class in the style sheet
   * @param percent its length; the excess over 100 in total is cut
   */
  Bar piece(String kind, double percent) {
    double length = Math.max(0, Math.min(percent, 100 - at));
    if (length > 0) {
      pieces.add(new String[] {kind, Units.number(at), Units.number(length)});
      at += length;
    }
    return this;
  }

  Bar mark(double percent) {
    double left = Math.max(0, Math.min(percent, 99.4));
    pieces.add(new String[] {"mark", Units.number(left), "0.6"});
    return this;
  }

  void write(Html html, String kind) {
    html.open(
        "svg",
        "class",
        "bar " + kind,
        "viewBox",
        "0 0 100 10",
        "preserveAspectRatio",
        "none",
        "role",
        "img",
        "aria-label",
        label);
    html.element("title", label);
    for (String[] piece : pieces) {
      html.empty(
          "rect", "class", piece[0], "x", piece[1], "y", "0", "width", piece[2], "height", "10");
    }
    html.close();
  }
}
