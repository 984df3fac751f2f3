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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.testing.Line;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The one jar against every line of HBase, each with its whole jar set: what it takes for granted
 * is there, or stands in {@code src/test/lines/known-gaps.txt} with what the plugin does instead.
 */
class LinkCheckTest {
  private static OurClasses ours;
  private static JarSet built;
  private static JarSet builtServer;
  private static NamedThings named;
  private static KnownGaps known;

  @BeforeAll
  static void read() throws IOException {
    ours = OurClasses.below(Path.of("target/classes"));
    built = new JarSet(Line.built().jars());
    builtServer = new JarSet(List.of(Line.built().server()));
    named = new NamedThings(ours, built);
    known = KnownGaps.parse(Files.readAllLines(Line.home().resolve("known-gaps.txt")));
  }

  @AfterAll
  static void close() throws IOException {
    built.close();
    builtServer.close();
  }

  static List<Line> lines() throws IOException {
    return Line.all();
  }

  @ParameterizedTest
  @MethodSource("lines")
  void everythingResolvesButTheKnownGaps(Line line) throws IOException {
    Predicate<String> covered = name -> line.isWhole() || builtServer.holds(name);
    try (JarSet jars = new JarSet(line.jars())) {
      SortedSet<Gap> gaps = LinkCheck.gaps(ours, built, jars, covered);
      gaps.addAll(named.gaps(jars, covered));
      Set<String> found = gaps.stream().map(Gap::toString).collect(Collectors.toSet());
      assertTrue(ours.files().size() > 100, "our classes are not where they are looked for");
      assertEquals(
          "",
          differences(found, known.at(line.version())),
          () -> line + " and src/test/lines/known-gaps.txt differ");
    }
  }

  /** In the words of the list, ready to be pasted there or struck out. */
  private static String differences(Set<String> found, Set<String> listed) {
    StringBuilder text = new StringBuilder();
    for (String gap : new TreeSet<>(found)) {
      if (!listed.contains(gap)) {
        text.append("\nnew:  ").append(gap);
      }
    }
    for (String gap : listed) {
      if (!found.contains(gap)) {
        text.append("\ngone: ").append(gap);
      }
    }
    return text.toString();
  }

  @Test
  void everyKnownGapIsOfALine() throws IOException {
    Set<String> versions = Line.all().stream().map(Line::version).collect(Collectors.toSet());
    assertTrue(versions.containsAll(known.lines()), known.lines().toString());
  }
}
