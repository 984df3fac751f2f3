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
package io.github.hybridhbase.config;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.commons.lang3.StringUtils;
import org.apache.hadoop.conf.Configuration;
import org.apache.yetus.audience.InterfaceAudience;

/** A finder of names that look like keys of the plugin and are none. Pure. */
@InterfaceAudience.Private
public final class UnknownKeys {
  /** Edit distance within which a key is suggested. */
  private static final int NEAR = 6;

  /** Edit distance within which a name without the plugin's prefix counts as a misspelling. */
  private static final int SLIP = 3;

  private UnknownKeys() {}

  static boolean looksLikeOne(String name) {
    String bare = name.trim().toLowerCase(Locale.ROOT);
    return bare.startsWith(Key.PREFIX)
        || HybridKeys.all().stream().anyMatch(key -> distance(bare, key) <= SLIP);
  }

  /** One sentence for each that is set, in the order of their names. */
  static List<String> problems(Configuration conf) {
    List<String> problems = new ArrayList<>();
    // Iterated, since a coprocessor's configuration is a wrapper that overrides little else.
    for (Map.Entry<String, String> entry : conf) {
      String name = entry.getKey();
      if (name.startsWith(Key.PREFIX) && HybridKeys.find(name).isEmpty()) {
        problems.add(
            name
                + "="
                + Key.text(conf, name).orElse("")
                + " is ignored: it is no key of this plugin"
                + hint(name));
      }
    }
    problems.sort(Comparator.naturalOrder());
    return problems;
  }

  /** The nearest key, and where all are, as the end of a sentence. */
  public static String hint(String name) {
    return nearest(name).map(key -> "; did you mean " + key + "?").orElse(".")
        + " 'hbase-hybrid keys' lists all.";
  }

  private static Optional<Key<?>> nearest(String name) {
    return HybridKeys.all().stream()
        .filter(key -> distance(name, key) <= NEAR)
        .min(Comparator.comparingInt(key -> distance(name, key)));
  }

  // commons-text holds the undeprecated twin, but hbase/lib may lack commons-text.
  @SuppressWarnings("deprecation")
  private static int distance(String name, Key<?> key) {
    if (Math.abs(name.length() - key.name().length()) > NEAR) {
      return Integer.MAX_VALUE; // and a name of a megabyte costs nothing
    }
    return StringUtils.getLevenshteinDistance(name, key.name());
  }
}
