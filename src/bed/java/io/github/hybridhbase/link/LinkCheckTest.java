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
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What the plugin takes for granted is in the jars of every line, but for the gaps of {@code
 * known-gaps.txt}.
 */
class LinkCheckTest {
  private static final Path CLASSES = Path.of("target/classes");

  private static SortedSet<String> ours;
  private static ClassPath built;
  private static Map<String, Set<String>> holders;

  @BeforeAll
  static void read() throws IOException {
    try (Stream<Path> files = Files.walk(CLASSES)) {
      ours =
          files
              .map(file -> CLASSES.relativize(file).toString())
              .filter(file -> file.endsWith(".class"))
              .map(file -> file.replace(".class", ""))
              .collect(Collectors.toCollection(TreeSet::new));
    }
    built = path(Line.built().jars());
    Set<String> strings = new HashSet<>();
    ours.forEach(name -> strings.addAll(built.find(name).strings()));
    holders = built.holders(strings);
  }

  private static ClassPath path(List<Path> jars) throws IOException {
    List<Path> all = new ArrayList<>(List.of(CLASSES));
    all.addAll(jars);
    return new ClassPath(all);
  }

  static List<Line> lines() throws IOException {
    return Line.all();
  }

  /** Paragraphs: "at" and lines, gaps, and what the plugin does instead. */
  private static List<List<String>> known() throws IOException {
    String text = Files.readString(Line.home().resolve("known-gaps.txt"));
    return Stream.of(text.split("\n\n"))
        .map(each -> each.lines().filter(l -> !l.startsWith("#")).collect(Collectors.toList()))
        .filter(paragraph -> !paragraph.isEmpty())
        .collect(Collectors.toList());
  }

  @ParameterizedTest
  @MethodSource("lines")
  void everythingIsThereButTheKnownGaps(Line line) throws IOException {
    SortedSet<String> users = new TreeSet<>();
    try (ClassPath other = path(line.jars())) {
      ours.forEach(name -> users.addAll(LinkCheck.gaps(name, built, other, holders)));
    }
    // Who of ours it is may change with any refactoring.
    SortedSet<String> found = new TreeSet<>();
    users.forEach(gap -> found.add(gap.replaceFirst(" \\(\\w+\\)$", "")));
    SortedSet<String> listed = new TreeSet<>();
    for (List<String> paragraph : known()) {
      if (List.of(paragraph.get(0).split(",? ")).contains(line.version())) {
        paragraph.stream().filter(each -> each.startsWith("- ")).forEach(listed::add);
      }
    }
    assertTrue(ours.size() > 100, "our classes are not where they are looked for");
    assertEquals(String.join("\n", listed), String.join("\n", found), () -> line + ": " + users);
  }

  @Test
  void thePageExplainsEveryGap() throws IOException {
    Set<String> versions = Line.all().stream().map(Line::version).collect(Collectors.toSet());
    String page = Files.readString(Path.of("docs/dev/versions.md"));
    for (List<String> paragraph : known()) {
      String at = paragraph.get(0);
      assertTrue(versions.containsAll(List.of(at.replaceFirst("at ", "").split(", "))), at);
      String instead =
          paragraph.stream()
              .filter(each -> each.startsWith("  "))
              .map(String::strip)
              .collect(Collectors.joining(" "));
      assertTrue(!instead.isEmpty() && page.contains(instead), at + instead);
    }
  }

  /** HBase 3.0.0 has Jetty 12, in other packages than Jetty 9 and with the same methods. */
  @Test
  void jetty12HasWhatThePageCalls() throws IOException {
    Path list = Line.base().resolve("target/lines/jetty-12.jars");
    try (ClassPath jars = path(List.of(Path.of(Files.readString(list).strip())))) {
      String ee8 = "org/apache/hbase/thirdparty/org/eclipse/jetty/ee8/servlet/";
      Map.of(
              "ServletContextHandler",
              List.of(
                  "getServletHandler()L" + ee8 + "ServletHandler;",
                  "addServlet(L" + ee8 + "ServletHolder;Ljava/lang/String;)V"),
              "ServletHandler",
              List.of(
                  "getServlet(Ljava/lang/String;)L" + ee8 + "ServletHolder;",
                  "getServletMapping(Ljava/lang/String;)L" + ee8 + "ServletMapping;"),
              "ServletHolder",
              List.of(
                  "<init>(Ljava/lang/String;Ljavax/servlet/Servlet;)V",
                  "getServletInstance()Ljavax/servlet/Servlet;"))
          .forEach(
              (type, members) ->
                  assertTrue(
                      jars.find(ee8 + type).members.keySet().containsAll(members),
                      () -> type + jars.find(ee8 + type).members.keySet()));
    }
  }
}
