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

import io.github.hybridhbase.runtime.Text;
import java.util.ArrayDeque;
import java.util.Deque;
import org.apache.hbase.thirdparty.com.google.common.html.HtmlEscapers;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A writer of HTML that is also well-formed XML. INVARIANT: every text and attribute is escaped and
 * cut to {@link #LONGEST} characters here. One thread.
 */
@InterfaceAudience.Private
final class Html {
  /** Per text, before escaping. */
  static final int LONGEST = 1_000;

  private final StringBuilder out = new StringBuilder("<!DOCTYPE html>\n");
  private final Deque<String> open = new ArrayDeque<>();

  /**
   * @param attributes alternating names and values
   */
  Html open(String tag, String... attributes) {
    start(tag, attributes).append('>');
    open.push(tag);
    return this;
  }

  Html close() {
    out.append("</").append(open.pop()).append(">\n");
    return this;
  }

  Html empty(String tag, String... attributes) {
    start(tag, attributes).append("/>");
    return this;
  }

  Html element(String tag, String text, String... attributes) {
    return open(tag, attributes).text(text).close();
  }

  Html text(String text) {
    out.append(escape(text));
    return this;
  }

  /** Trusted text: the style sheet. */
  Html verbatim(String ours) {
    out.append(ours);
    return this;
  }

  private StringBuilder start(String tag, String... attributes) {
    out.append('<').append(tag);
    for (int i = 0; i < attributes.length; i += 2) {
      out.append(' ').append(attributes[i]).append("=\"").append(escape(attributes[i + 1]));
      out.append('"');
    }
    return out;
  }

  /** For text and quoted attributes. */
  static String escape(String text) {
    return HtmlEscapers.htmlEscaper().escape(Text.escape(cut(text)));
  }

  private static String cut(String text) {
    return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…";
  }

  /**
   * @throws IllegalStateException if an element is open
   */
  @Override
  public String toString() {
    if (!open.isEmpty()) {
      throw new IllegalStateException("not closed: " + open);
    }
    return out.toString();
  }
}
