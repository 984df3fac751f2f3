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

import io.github.hybridhbase.testing.Line;
import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.yetus.audience.InterfaceAudience;

/** The lines of HBase that a test on real processes runs on. */
@InterfaceAudience.Private
final class Lines {
  private static final String CHOSEN = System.getProperty("hbase.line", "");

  /** Where a change of HBase last stopped a server: the first to look at. */
  private static final String USUAL = "2.6.1";

  private Lines() {}

  /** The one of {@code -Dhbase.line}, else the one that CI runs on. */
  static Line one() throws IOException {
    return Line.of(CHOSEN.isEmpty() ? USUAL : CHOSEN);
  }

  /**
   * The one of {@code -Dhbase.line}, else all that serve in production: 3.0 is in the documents.
   */
  static List<Line> all() throws IOException {
    if (!CHOSEN.isEmpty()) {
      return List.of(one());
    }
    return Line.all().stream()
        .filter(line -> line.isWhole() && line.version().startsWith("2."))
        .collect(Collectors.toList());
  }
}
