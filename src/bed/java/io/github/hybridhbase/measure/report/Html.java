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

import java.util.List;
import org.apache.yetus.audience.InterfaceAudience;

/** A page that is being written, and loads nothing. For one thread. */
@InterfaceAudience.Private
final class Html {
  private static final String STYLE =
      "body{font:15px/1.5 sans-serif;max-width:1100px;margin:2em auto;padding:0 1em;color:#212529}"
          + "table{border-collapse:collapse;margin:1em 0;font-size:13px}"
          + "th,td{border:1px solid #ced4da;padding:.25em .6em;text-align:right}"
          + "th:first-child,td:first-child,.text td{text-align:left}"
          + "thead th{background:#f1f3f5}.wide{overflow-x:auto}svg{max-width:100%}";

  private final StringBuilder html = new StringBuilder();

  Html(String title) {
    html.append("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">")
        .append("<meta http-equiv=\"Content-Security-Policy\"")
        .append(" content=\"default-src 'none'; style-src 'unsafe-inline'\"><title>")
        .append(escape(title))
        .append("</title><style>")
        .append(STYLE)
        .append("</style></head><body>\n<h1>")
        .append(escape(title))
        .append("</h1>\n");
  }

  static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }

  void text(String text) {
    html.append("<p>").append(escape(text)).append("</p>\n");
  }

  /**
   * @param level 2 for the largest
   */
  void heading(int level, String text) {
    html.append(String.format("<h%1$d>%2$s</h%1$d>%n", level, escape(text)));
  }

  /** A drawing as it is. */
  void svg(String svg) {
    html.append(svg).append("\n<br>\n");
  }

  void table(List<String> head, List<List<String>> rows) {
    html.append("<div class=\"wide\"><table><thead><tr>");
    head.forEach(cell -> html.append("<th>").append(escape(cell)).append("</th>"));
    html.append("</tr></thead><tbody>\n");
    for (List<String> row : rows) {
      html.append("<tr>");
      row.forEach(cell -> html.append("<td>").append(escape(cell)).append("</td>"));
      html.append("</tr>\n");
    }
    html.append("</tbody></table></div>\n");
  }

  /** The page, at its end. */
  @Override
  public String toString() {
    return html + "</body></html>\n";
  }
}
