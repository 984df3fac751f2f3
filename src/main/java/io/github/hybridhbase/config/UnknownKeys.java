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

/** Finds what looks like a key of the plugin and is none. Pure. */
@InterfaceAudience.Private
public final class UnknownKeys {
  /** How many letters a name may be off for a key to be offered in its place. */
  private static final int NEAR = 6;

  /** The same for a name without the plugin's prefix to be taken for a slip of the pen. */
  private static final int SLIP = 3;

  private UnknownKeys() {}

  /** Whether somebody may have meant a key by a name that is none. */
  static boolean looksLikeOne(String name) {
    String bare = name.trim().toLowerCase(Locale.ROOT);
    return bare.startsWith(Key.PREFIX)
        || HybridKeys.all().stream().anyMatch(key -> distance(bare, key) <= SLIP);
  }

  /** One sentence for each of them that is set, in the order of their names. */
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

  /** The end of a sentence about a name that is no key: the nearest one, and where all are. */
  public static String hint(String name) {
    return nearest(name).map(key -> "; did you mean " + key + "?").orElse(".")
        + " 'hbase-hybrid keys' lists all.";
  }

  private static Optional<Key<?>> nearest(String name) {
    return HybridKeys.all().stream()
        .filter(key -> distance(name, key) <= NEAR)
        .min(Comparator.comparingInt(key -> distance(name, key)));
  }

  // commons-text holds the undeprecated twin, but hbase/lib is not certain to hold commons-text.
  @SuppressWarnings("deprecation")
  private static int distance(String name, Key<?> key) {
    if (Math.abs(name.length() - key.name().length()) > NEAR) {
      return Integer.MAX_VALUE; // and a name of a megabyte costs nothing
    }
    return StringUtils.getLevenshteinDistance(name, key.name());
  }
}
