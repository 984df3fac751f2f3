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
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.coprocessor.HybridMasterObserver;
import io.github.hybridhbase.coprocessor.HybridRegionObserver;
import io.github.hybridhbase.runtime.HybridKeys;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.Key;
import io.github.hybridhbase.wal.HybridWALProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.commons.text.WordUtils;
import org.apache.hadoop.conf.Configuration;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

/**
 * {@code docs/configuration.md} and {@code conf/hbase-site.xml} say of each key what its
 * declaration says. After a change of a declaration {@code mvn test -Dtest=ConfigurationTest
 * -Dhybrid.docs.write=true} writes both anew.
 */
@InterfaceAudience.Private
class ConfigurationTest {
  private static final Path PAGE = Path.of("docs/configuration.md");
  private static final Path SITE = Path.of("conf/hbase-site.xml");
  private static final int WIDTH = 94;

  private static final Pattern PROPERTY =
      Pattern.compile("(?s)  <property>\n    <name>(.*?)</name>\n.*?</property>\n");

  static void assertHolds(Path file, String wanted) throws IOException {
    if (Boolean.getBoolean("hybrid.docs.write")) {
      Files.writeString(file, wanted);
    }
    assertEquals(
        wanted,
        Files.readString(file),
        file + " is not as declared: run this test with -Dhybrid.docs.write=true");
  }

  /** Below a comment of this kind, which has a pattern of names, stands their table. */
  static void assertTables(Path page, String kind, Function<Predicate<String>, String> table)
      throws IOException {
    Pattern below = Pattern.compile("(<!-- " + kind + ": (\\S+) -->\n)(?:\\|.*\n)*");
    assertHolds(
        page,
        below
            .matcher(Files.readString(page))
            .replaceAll(
                comment -> {
                  Predicate<String> names = Pattern.compile(comment.group(2)).asMatchPredicate();
                  return Matcher.quoteReplacement(comment.group(1) + table.apply(names));
                }));
  }

  @Test
  void thePageHasTheTablesOfTheDeclarations() throws IOException {
    assertTables(PAGE, "keys", ConfigurationTest::keys);
  }

  private static String keys(Predicate<String> names) {
    StringBuilder table = new StringBuilder("| key | default | allowed | what it does |\n");
    table.append("| --- | --- | --- | --- |\n");
    for (Key<?> key : HybridKeys.all()) {
      if (names.test(key.name())) {
        table.append(
            String.format(
                "| `%s` | %s | %s | %s |\n",
                key.name(), key.defaultValue(), key.values().allowed(), meaning(key)));
      }
    }
    return table.toString();
  }

  /** The page's own words. */
  private static String meaning(Key<?> key) {
    String row =
        "\\| `" + Pattern.quote(key.name()) + "` \\|[^|]*\\|[^|]*\\| ([^|<>&]{20,300}\\.) \\|\n";
    Matcher found = Pattern.compile(row).matcher(PrometheusTools.read(PAGE));
    assertTrue(found.find(), key + " has no row with a sentence in " + PAGE);
    return found.group(1);
  }

  @Test
  void thePageHasEveryKeyOnce() throws IOException {
    List<String> rows =
        Pattern.compile("\n\\| `(hbase\\.hybrid\\.[a-z.]+)` \\|")
            .matcher(Files.readString(PAGE))
            .results()
            .map(row -> row.group(1))
            .collect(Collectors.toList());
    assertEquals(
        HybridKeys.all().stream().map(Key::name).sorted().collect(Collectors.toList()),
        rows.stream().sorted().collect(Collectors.toList()));
  }

  @Test
  void theSiteFileExplainsEachKeyAsItsDeclarationDoes() throws IOException {
    assertHolds(
        SITE,
        PROPERTY
            .matcher(Files.readString(SITE))
            .replaceAll(
                property ->
                    Matcher.quoteReplacement(
                        HybridKeys.find(property.group(1))
                            .map(ConfigurationTest::property)
                            .orElse(property.group()))));
  }

  private static String property(Key<?> key) {
    String text =
        String.format(
            "<description>%s Allowed: %s.</description>", meaning(key), key.values().allowed());
    return String.format(
        "  <property>\n    <name>%s</name>\n    <value>%s</value>\n    %s\n  </property>\n",
        key.name(), key.defaultValue(), WordUtils.wrap(text, WIDTH, "\n      ", false));
  }

  private static Configuration shipped(Path file) {
    Configuration conf = new Configuration(false);
    conf.addResource(new org.apache.hadoop.fs.Path(file.toUri()));
    return conf;
  }

  /** No store engine: clients that have no jar would load it. */
  @Test
  void siteFile_holdsFourProperties_withoutProblem() {
    Configuration conf = shipped(SITE);
    assertEquals(List.of(), HybridSettings.read(conf).problems());
    assertEquals(
        Map.of(
            "hbase.wal.provider",
            HybridWALProvider.class.getName(),
            "hbase.coprocessor.master.classes",
            HybridMasterObserver.class.getName(),
            "hbase.coprocessor.region.classes",
            HybridRegionObserver.class.getName(),
            HybridKeys.MODE.name(),
            HybridKeys.MODE.defaultValue()),
        conf.getPropsWithPrefix(""));
  }

  /** Copied as it is, the file costs nobody anything. */
  @Test
  void hdfsSite_setsTheMediaOnly() {
    Configuration hdfs = shipped(Path.of("conf/hdfs-site.xml"));
    assertEquals(1, hdfs.size());
    assertTrue(hdfs.get("dfs.datanode.data.dir").startsWith("[SSD]"));
  }
}
