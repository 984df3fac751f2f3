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
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The plugin's classes link on every line, but for the gaps of {@code known-gaps.txt}. */
class LinkCheckTest {
  private static final Path CLASSES = Path.of("target/classes");
  private static final Map<String, Set<String>> HOLDERS = new TreeMap<>();
  private static final SortedMap<String, SortedMap<String, String>> BUILT = new TreeMap<>();

  private static LinkCheck built;

  @BeforeAll
  static void read() throws IOException {
    built = path(Line.built().jars());
    Set<String> ours;
    try (Stream<Path> files = Files.walk(CLASSES)) {
      ours =
          files
              .map(file -> CLASSES.relativize(file).toString())
              .filter(file -> file.endsWith(".class"))
              .map(file -> file.replace(".class", ""))
              .collect(Collectors.toSet());
    }
    assertTrue(ours.size() > 100, "our classes are not where they are looked for");
    Set<String> strings = new HashSet<>();
    ours.forEach(it -> strings.addAll(built.find(it).orElseThrow().strings));
    for (Path path : Line.built().jars()) { // which classes hold the strings of ours
      try (JarFile jar = new JarFile(path.toFile())) {
        for (JarEntry entry : (Iterable<JarEntry>) jar.stream()::iterator) {
          if (entry.getName().matches("org/apache/hadoop/.*\\.class")) {
            Set<String> held = new ClassFile(jar.getInputStream(entry).readAllBytes()).strings;
            held.retainAll(strings);
            String name = entry.getName().replace(".class", "");
            held.forEach(it -> HOLDERS.computeIfAbsent(it, key -> new TreeSet<>()).add(name));
          }
        }
      }
    }
    ours.forEach(name -> BUILT.put(name, built.facts(name, HOLDERS)));
  }

  private static LinkCheck path(List<Path> jars) throws IOException {
    List<Path> all = new ArrayList<>(List.of(CLASSES));
    all.addAll(jars);
    return new LinkCheck(all);
  }

  static List<Line> lines() throws IOException {
    return Line.all();
  }

  /** Paragraphs: "at" and lines, gaps, and what the plugin does instead. */
  private static List<List<String>> known() throws IOException {
    return Stream.of(Files.readString(Line.home().resolve("known-gaps.txt")).split("\n\n"))
        .map(each -> each.lines().filter(l -> !l.startsWith("#")).collect(Collectors.toList()))
        .filter(paragraph -> !paragraph.isEmpty())
        .collect(Collectors.toList());
  }

  /** Gaps, and one of our classes for each. */
  private static SortedMap<String, String> gaps(LinkCheck other) {
    SortedMap<String, String> gaps = new TreeMap<>();
    BUILT.forEach(
        (ours, expected) -> {
          SortedMap<String, String> found = other.facts(ours, HOLDERS);
          expected.forEach(
              (what, fact) -> {
                String there = found.getOrDefault(what, "missing");
                String type = what.replaceAll("^\\w+ |\\..*", "");
                boolean typeIsMissing = expected.containsKey(type) && !found.containsKey(type);
                if (!there.equals(fact) && (what.equals(type) || !typeIsMissing)) {
                  String text = there.isEmpty() ? "of an object of a class" : there.strip();
                  gaps.put("- " + what + ": " + text, ours);
                }
              });
        });
    return gaps;
  }

  @ParameterizedTest
  @MethodSource("lines")
  void everythingIsThereButTheKnownGaps(Line line) throws IOException {
    Set<String> listed = new TreeSet<>();
    for (List<String> paragraph : known()) {
      if (List.of(paragraph.get(0).split(",? ")).contains(line.version())) {
        paragraph.stream().filter(each -> each.startsWith("- ")).forEach(listed::add);
      }
    }
    SortedMap<String, String> found = gaps(path(line.jars()));
    assertEquals(
        String.join("\n", listed), String.join("\n", found.keySet()), () -> line + ": " + found);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | wal/WALFactory |"
            + " <init>(L@/conf/Configuration;Ljava/lang/String;L@/hbase/Abortable;)V",
        "named | regionserver/StoreEngine | commitStoreFiles(Ljava/util/List;ZZ)Ljava/util/List;"
      })
  void aMemberThatIsTakenAwayIsAGap(String kind, String owner, String name) {
    String type = "org/apache/hadoop/hbase/" + owner;
    String member = name.replace("@", "org/apache/hadoop");
    Map<String, Integer> members = built.find(type).orElseThrow().members;
    int access = members.remove(member);
    SortedMap<String, String> gaps = gaps(built);
    members.put(member, access);
    String gap = "- " + (kind + " " + type).strip() + "." + member + ": missing";
    assertTrue(gaps.containsKey(gap), () -> gap + " in " + gaps);
  }

  @Test
  void everyGapIsOfALineAndExplained() throws IOException {
    Set<String> versions = Line.all().stream().map(Line::version).collect(Collectors.toSet());
    for (List<String> paragraph : known()) {
      String at = paragraph.get(0).replaceFirst("at ", "");
      assertTrue(versions.containsAll(List.of(at.split(", "))), at);
      assertTrue(paragraph.get(paragraph.size() - 1).startsWith("  "), paragraph::toString);
    }
  }

  /** HBase 3.0.0 has Jetty 12, in other packages than Jetty 9 and with the same methods. */
  @ParameterizedTest
  @CsvSource({
    "ServletContextHandler, getServletHandler()L@ServletHandler;",
    "ServletContextHandler, addServlet(L@ServletHolder;Ljava/lang/String;)V",
    "ServletHandler, getServlet(Ljava/lang/String;)L@ServletHolder;",
    "ServletHandler, getServletMapping(Ljava/lang/String;)L@ServletMapping;",
    "ServletHolder, <init>(Ljava/lang/String;Ljavax/servlet/Servlet;)V",
    "ServletHolder, getServletInstance()Ljavax/servlet/Servlet;"
  })
  void jetty12HasWhatThePageCalls(String type, String member) throws IOException {
    Path list = Line.base().resolve("target/lines/jetty-12.jars");
    LinkCheck jars = path(List.of(Path.of(Files.readString(list).strip())));
    String ee8 = "org/apache/hbase/thirdparty/org/eclipse/jetty/ee8/servlet/";
    Set<String> members = jars.find(ee8 + type).orElseThrow().members.keySet();
    assertTrue(members.contains(member.replace("@", ee8)), () -> type + members);
  }
}
