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
package io.github.hybridhbase.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The pages as such: links that lead somewhere, names of classes. */
@InterfaceAudience.Private
class PagesTest {
  /** Of Markdown: {@code [text](target)}; none with a scheme. */
  private static final Pattern LINK =
      Pattern.compile("\\]\\((?!https?:)([^)#\\s]*)(?:#([^)\\s]*))?\\)");

  private static final Pattern ANCHOR = Pattern.compile("<a id=\"([^\"]+)\"></a>");

  private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");

  /** In backquotes: a class, with or without its package's path. */
  private static final Pattern CLASS = Pattern.compile("`((?:[a-z]+/)*[A-Z]\\w*[a-z]\\w*)`");

  /** Directories of HBase's, a bean of HDFS's, an inner class. */
  private static final Set<String> NO_CLASSES =
      Set.of("/WALs", "/MasterData", "/BlockStats", "/Metric");

  static List<Path> pages() throws IOException {
    List<Path> pages = new ArrayList<>();
    for (String directory : List.of(".", "docs", "docs/dev", "src/jmh", "bench", "bench/results")) {
      try (Stream<Path> files = Files.list(Path.of(directory))) {
        files
            .filter(file -> file.toString().endsWith(".md"))
            .map(Path::normalize)
            .forEach(pages::add);
      }
    }
    return pages;
  }

  /** As GitHub makes it of a heading. */
  private static String anchor(String heading) {
    return heading.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9 _-]", "").replace(' ', '-');
  }

  /** Of headings, and those that are set by hand. */
  static List<String> anchors(Path page) throws IOException {
    String text = Files.readString(page);
    return Stream.concat(
            HEADING.matcher(text).results().map(heading -> anchor(heading.group(1))),
            ANCHOR.matcher(text).results().map(set -> set.group(1)))
        .collect(Collectors.toList());
  }

  @ParameterizedTest
  @MethodSource("pages")
  void everyLinkLeadsSomewhere(Path page) throws IOException {
    List<String> broken = new ArrayList<>();
    Matcher link = LINK.matcher(Files.readString(page));
    while (link.find()) {
      Path target = link.group(1).isEmpty() ? page : page.resolveSibling(link.group(1)).normalize();
      boolean leads =
          Files.exists(target)
              && (link.group(2) == null || anchors(target).contains(link.group(2)));
      if (!leads) {
        broken.add(link.group());
      }
    }
    assertEquals(List.of(), broken);
  }

  /** Whoever looks for something follows these names. */
  @ParameterizedTest
  @ValueSource(strings = {"CONTRIBUTING.md", "docs/dev/design.md"})
  void everyClassThatIsNamedIsThere(String page) throws IOException {
    Set<String> classes = new HashSet<>();
    try (Stream<Path> sources = Files.walk(Path.of("src"))) {
      sources
          .map(path -> path.toString().replaceFirst("\\.java$", ""))
          .forEach(path -> classes.add(path.replaceFirst("^.*/hybridhbase/", "/")));
    }
    List<String> gone =
        CLASS
            .matcher(Files.readString(Path.of(page)))
            .results()
            .map(name -> "/" + name.group(1))
            .filter(name -> NO_CLASSES.stream().noneMatch(name::endsWith))
            .filter(name -> classes.stream().noneMatch(path -> path.endsWith(name)))
            .collect(Collectors.toList());
    assertEquals(List.of(), gone);
  }
}
