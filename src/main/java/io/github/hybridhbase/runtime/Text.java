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
package io.github.hybridhbase.runtime;

import java.util.Collection;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.yetus.audience.InterfaceAudience;

/** Pure functions for text on a terminal. */
@InterfaceAudience.Private
public final class Text {
  private static final int NAMED = 10;
  private static final int FEW = 3;

  private static final Pattern UNSAFE = Pattern.compile("[\\p{C}\\p{Zl}\\p{Zp}]");

  private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};

  private Text() {}

  /**
   * Replaces control and invisible characters, line ends and direction marks by {@code \\uXXXX}.
   */
  public static String escape(String text) {
    return UNSAFE
        .matcher(text)
        .replaceAll(
            unsafe ->
                unsafe
                    .group()
                    .chars()
                    .mapToObj(unit -> String.format(Locale.ROOT, "\\\\u%04x", unit))
                    .collect(Collectors.joining()));
  }

  /** For a POSIX shell. HDFS paths start with a slash, so none looks like an option. */
  public static String quote(String argument) {
    return argument.matches("[A-Za-z0-9_@%+=:,./-]+")
        ? argument
        : "'" + argument.replace("'", "'\\''") + "'";
  }

  /** With a binary unit and at most one decimal. */
  public static String bytes(long bytes) {
    double value = bytes;
    int unit = 0;
    while (value >= 1024 && unit < UNITS.length - 1) {
      value /= 1024;
      unit++;
    }
    return String.format(
        Locale.ROOT, value == Math.rint(value) ? "%.0f %s" : "%.1f %s", value, UNITS[unit]);
  }

  public static String count(long number, String noun) {
    return String.format(Locale.ROOT, "%,d %s%s", number, noun, number == 1 ? "" : "s");
  }

  /** The first ten, and how many more. */
  public static String some(Collection<String> names) {
    return some(names, NAMED);
  }

  public static String some(Collection<String> names, int most) {
    String named = first(names, most);
    return names.size() > most ? named + " and " + (names.size() - most) + " more" : named;
  }

  public static String few(Collection<String> names) {
    return first(names, FEW) + (names.size() > FEW ? ", ..." : "");
  }

  private static String first(Collection<String> names, int most) {
    return names.stream().limit(most).collect(Collectors.joining(", "));
  }
}
