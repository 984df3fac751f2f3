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

import static java.util.stream.Collectors.toList;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.testing.Line;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import javassist.CtClass;
import javassist.CtMethod;
import javassist.NotFoundException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The plugin's classes link on every line, but for the gaps of {@code known-gaps.txt}. */
class LinkCheckTest {
  private static final Path CLASSES = Path.of("target/classes");
  private static final Map<String, SortedMap<String, String>> BUILT = new TreeMap<>();

  private static LinkCheck built;

  @BeforeAll
  static void read() throws Exception {
    built = new LinkCheck(CLASSES, Line.built().jars());
    try (Stream<Path> files = Files.walk(CLASSES)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        String name = CLASSES.relativize(file).toString();
        if (name.endsWith(".class")) {
          name = name.replace(".class", "").replace('/', '.');
          BUILT.put(name, built.facts(name));
        }
      }
    }
    assertTrue(BUILT.size() > 100, "our classes are not where they are looked for");
  }

  /** Paragraphs: "at" and lines, gaps, and what the plugin does instead; those of a line. */
  private static Set<String> known(Line line) throws IOException {
    Set<String> gaps = new TreeSet<>();
    for (String text : Files.readString(Line.home().resolve("known-gaps.txt")).split("\n\n")) {
      List<String> words = text.lines().filter(it -> !it.startsWith("#")).collect(toList());
      List<String> at =
          words.isEmpty() ? List.of() : List.of(words.get(0).replaceFirst("^at ", "").split(", "));
      at.forEach(it -> assertDoesNotThrow(() -> assertEquals(it, Line.of(it).version())));
      if (at.contains(line.version())) {
        assertTrue(words.get(words.size() - 1).startsWith("  "), () -> "not explained: " + text);
        words.stream().filter(each -> each.startsWith("- ")).forEach(gaps::add);
      }
    }
    return gaps;
  }

  /** Gaps, and one of our classes for each. */
  private static SortedMap<String, String> gaps(LinkCheck other) throws NotFoundException {
    SortedMap<String, String> gaps = new TreeMap<>();
    for (String ours : BUILT.keySet()) {
      SortedMap<String, String> expected = BUILT.get(ours);
      SortedMap<String, String> found = other.facts(ours);
      for (String what : expected.keySet()) {
        String there = found.getOrDefault(what, "missing");
        String type = what.replaceAll("^\\w+ |\\..*", "");
        boolean typeIsMissing = expected.containsKey(type) && !found.containsKey(type);
        if (!there.equals(expected.get(what)) && (what.equals(type) || !typeIsMissing)) {
          gaps.put("- " + what + ": " + (there.isEmpty() ? "without more" : there), ours);
        }
      }
    }
    return gaps;
  }

  @ParameterizedTest
  @MethodSource("io.github.hybridhbase.testing.Line#all")
  void everythingIsThereButTheKnownGaps(Line line) throws Exception {
    SortedMap<String, String> found = gaps(new LinkCheck(CLASSES, line.jars()));
    assertEquals(
        String.join("\n", known(line)),
        String.join("\n", found.keySet()),
        () -> line + ": " + found);
  }

  @Test
  void aMemberThatIsTakenAwayIsAGap() throws Exception {
    CtClass type = built.classes.get("org.apache.hadoop.hbase.regionserver.StoreEngine");
    CtMethod taken = type.getMethod("commitStoreFiles", "(Ljava/util/List;ZZ)Ljava/util/List;");
    type.removeMethod(taken);
    SortedMap<String, String> gaps = gaps(built);
    type.addMethod(taken);
    String what = "StoreEngine.commitStoreFiles(Ljava/util/List;ZZ)Ljava/util/List;: missing";
    String gap = "- named org/apache/hadoop/hbase/regionserver/" + what;
    assertTrue(gaps.containsKey(gap), () -> gap + " in " + gaps);
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
  void jetty12HasWhatThePageCalls(String type, String member) throws Exception {
    Path list = Line.base().resolve("target/lines/jetty-12.jars");
    LinkCheck jars = new LinkCheck(CLASSES, List.of(Path.of(Files.readString(list).strip())));
    String ee8 = "org/apache/hbase/thirdparty/org/eclipse/jetty/ee8/servlet/";
    int at = member.indexOf('(');
    String arguments = member.substring(at).replace("@", ee8);
    CtClass holder = jars.classes.get((ee8 + type).replace('/', '.'));
    assertTrue(LinkCheck.member(holder, member.substring(0, at), arguments).isPresent(), member);
  }
}
