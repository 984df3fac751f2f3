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

import io.github.hybridhbase.hot.HotStore;
import io.github.hybridhbase.runtime.CommitForm;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.testing.Line;
import io.github.hybridhbase.wal.WriterKind;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What docs/dev/versions.md says of each line of HBase is what its classes have. */
class VersionsPageTest {
  private static final String PROMETHEUS =
      "org/apache/hadoop/hbase/http/prometheus/PrometheusHadoopServlet";

  private static String page;

  @BeforeAll
  static void read() throws IOException {
    page = Files.readString(Path.of("docs/dev/versions.md"));
  }

  static List<Line> lines() throws IOException {
    return Line.all();
  }

  /** The first table, by its first column; the head's is empty. */
  private static Map<String, List<String>> table() {
    return page.lines()
        .dropWhile(line -> !line.startsWith("|"))
        .takeWhile(line -> line.startsWith("|"))
        .map(line -> line.split("\\|", -1))
        .map(cells -> Arrays.stream(cells).map(String::strip).collect(Collectors.toList()))
        .collect(
            Collectors.toMap(
                cells -> cells.get(1),
                cells -> cells.subList(2, cells.size() - 1),
                (one, other) -> one,
                LinkedHashMap::new));
  }

  @Test
  void everyLineHasItsColumn() throws IOException {
    List<String> versions =
        Line.all().stream().map(Line::version).sorted().collect(Collectors.toList());
    assertEquals(versions, table().get("").stream().sorted().collect(Collectors.toList()));
  }

  @Test
  void everyKnownGapIsExplainedInTheSameWords() throws IOException {
    KnownGaps known = KnownGaps.parse(Files.readAllLines(Line.home().resolve("known-gaps.txt")));
    for (String explanation : known.explanations()) {
      assertTrue(page.contains(explanation), explanation);
    }
  }

  @ParameterizedTest
  @MethodSource("lines")
  void anAbilityIsSaidToBeThereWhereItIs(Line line) throws Exception {
    Map<String, String> found = new LinkedHashMap<>();
    try (ServerOfLine other = ServerOfLine.of(line)) {
      Object async = writer(other, "asyncfs");
      Object stream = writer(other, "filesystem");
      found.put("WAL writer over asyncfs: fall-back to DISK, auto", yes(isWhole(async)));
      found.put("WAL writer over filesystem: fall-back to DISK, auto", yes(isWhole(stream)));
      found.put("shared hsyncs of asyncfs", yes((boolean) field(async, "fields")));
      Class<?> hot = other.loadClass(HotStore.class.getName());
      found.put("hot rows on SSD", yes((boolean) hot.getMethod("isKnown").invoke(null)));
      if (line.isWhole()) {
        Class<?> form = other.loadClass(CommitForm.class.getName());
        found.put("SSD tier", yes((boolean) form.getMethod("isKnown").invoke(null)));
      }
    }
    if (line.isWhole()) {
      try (JarSet jars = new JarSet(line.jars())) {
        found.put("metrics at `/prometheus`", yes(jars.holds(PROMETHEUS)));
      }
    }
    int column = table().get("").indexOf(line.version());
    Map<String, String> said = new LinkedHashMap<>();
    found.keySet().forEach(ability -> said.put(ability, table().get(ability).get(column)));
    assertEquals(found, said, line.version());
  }

  private static String yes(boolean is) {
    return is ? "yes" : "no";
  }

  private static Object writer(ServerOfLine other, String delegate) throws Exception {
    Configuration conf = HBaseConfiguration.create();
    conf.setClassLoader(other);
    conf.set("hbase.hybrid.wal.delegate", delegate);
    conf.set("hbase.hybrid.wal.hsync", "auto");
    Class<?> settings = other.loadClass(HybridSettings.class.getName());
    Object writers =
        other
            .loadClass(WriterKind.class.getName())
            .getMethod("support", Configuration.class, settings)
            .invoke(null, conf, settings.getMethod("read", Configuration.class).invoke(null, conf));
    return field(writers, "facts");
  }

  private static boolean isWhole(Object facts) throws Exception {
    return field(facts, "lacking").equals("");
  }

  private static Object field(Object facts, String name) throws Exception {
    Field field = facts.getClass().getDeclaredField(name);
    field.setAccessible(true);
    return field.get(facts);
  }
}
