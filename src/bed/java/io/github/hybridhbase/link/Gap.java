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
package io.github.hybridhbase.link;

import java.util.Comparator;
import java.util.Objects;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Something that the plugin takes for granted and a line of HBase does not have. Immutable; equal
 * where both the want and the file that has it are.
 */
@InterfaceAudience.Private
final class Gap implements Comparable<Gap> {
  private static final Comparator<Gap> ORDER =
      Comparator.comparing(Gap::what).thenComparing(Gap::file);

  private final String what;
  private final String file;

  /**
   * @param what in the words of HBase's names
   * @param file the simple name of our outermost class that takes it for granted
   */
  Gap(String what, String file) {
    this.what = what;
    this.file = file;
  }

  String what() {
    return what;
  }

  String file() {
    return file;
  }

  @Override
  public int compareTo(Gap that) {
    return ORDER.compare(this, that);
  }

  @Override
  public boolean equals(Object that) {
    return that instanceof Gap && compareTo((Gap) that) == 0;
  }

  @Override
  public int hashCode() {
    return Objects.hash(what, file);
  }

  /** As it stands in the list of known gaps. */
  @Override
  public String toString() {
    return "- " + what + " (" + file + ")";
  }
}
