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
package io.github.hybridhbase.bench;

import java.util.HashMap;
import java.util.Map;
import org.apache.yetus.audience.InterfaceAudience;

/** What a benchmark was told on its command line, as {@code name=value}. */
@InterfaceAudience.Private
final class Options {
  private final Map<String, String> given = new HashMap<>();

  Options(String[] args) {
    for (String arg : args) {
      String[] pair = arg.split("=", 2);
      given.put(pair[0], pair[1]);
    }
  }

  /** Null where it is not given. */
  String text(String name) {
    return given.get(name);
  }

  String text(String name, String otherwise) {
    return given.getOrDefault(name, otherwise);
  }

  String[] list(String name, String otherwise) {
    return text(name, otherwise).split(",");
  }

  int number(String name, int otherwise) {
    return Integer.parseInt(text(name, "" + otherwise));
  }
}
