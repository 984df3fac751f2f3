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

import java.io.PrintStream;
import java.util.Locale;
import java.util.Map;
import org.apache.hbase.thirdparty.com.google.gson.Gson;
import org.apache.hbase.thirdparty.com.google.gson.GsonBuilder;
import org.apache.yetus.audience.InterfaceAudience;

/** A JSON printer in ASCII, so that no name affects a terminal, browser or log viewer. */
@InterfaceAudience.Private
public final class Json {
  /** Also escapes HTML markup. */
  private static final Gson GSON = new GsonBuilder().setPrettyPrinting().serializeNulls().create();

  private Json() {}

  public static void print(Map<String, Object> report, PrintStream out) {
    out.println(render(report));
  }

  public static String render(Map<String, Object> report) {
    StringBuilder ascii = new StringBuilder();
    // Other characters occur in strings only, so escaping keeps valid JSON.
    GSON.toJson(report)
        .chars()
        .forEach(
            c -> {
              if (c == '\n' || c >= ' ' && c < 0x7f) {
                ascii.append((char) c);
              } else {
                ascii.append(String.format(Locale.ROOT, "\\u%04x", c));
              }
            });
    return ascii.toString();
  }
}
