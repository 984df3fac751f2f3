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
package io.github.hybridhbase.bed;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.yetus.audience.InterfaceAudience;

/** A property that names some of several things. */
@InterfaceAudience.Private
final class EnumList {
  private EnumList() {}

  /**
   * Reads one; none where the value is empty.
   *
   * @param value names with commas between them, as {@link Enum#toString} has them
   * @throws IllegalArgumentException where a name is unknown
   */
  static <E extends Enum<E>> Set<E> parse(String key, String value, Class<E> of) {
    Set<E> found = EnumSet.noneOf(of);
    for (String name : value.isEmpty() ? new String[0] : value.split(",", -1)) {
      found.add(
          Arrays.stream(of.getEnumConstants())
              .filter(one -> one.toString().equals(name.trim()))
              .findFirst()
              .orElseThrow(
                  () ->
                      new IllegalArgumentException(
                          String.format(
                              "%s=%s: \"%s\" is none of %s", key, value, name, names(of)))));
    }
    return found;
  }

  private static String names(Class<? extends Enum<?>> of) {
    return Arrays.stream(of.getEnumConstants())
        .map(Enum::toString)
        .collect(Collectors.joining(","));
  }
}
