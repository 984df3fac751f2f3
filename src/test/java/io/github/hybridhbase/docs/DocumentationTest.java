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
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.coprocessor.HybridMasterObserver;
import io.github.hybridhbase.coprocessor.HybridRegionObserver;
import io.github.hybridhbase.tier.HybridStoreEngine;
import io.github.hybridhbase.wal.HybridWALProvider;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

/** What is not documented does not exist: the documents against the code. */
class DocumentationTest {
  private static String read(String file) {
    try {
      return Files.readString(Path.of(file), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static void assertHolds(String readme, String table) {
    assertTrue(readme.contains(table), "README.md should hold, to the letter:\n" + table);
  }

  private static Configuration shipped(String file) {
    Configuration conf = new Configuration(false);
    conf.addResource(new org.apache.hadoop.fs.Path(Path.of(file).toUri()));
    return conf;
  }

  @Test
  void theShippedSiteFileNamesClassesThatExist() {
    Configuration conf = shipped("conf/hbase-site.xml");
    assertEquals(HybridWALProvider.class.getName(), conf.get("hbase.wal.provider"));
    assertEquals(
        HybridMasterObserver.class.getName(), conf.get("hbase.coprocessor.master.classes"));
    assertEquals(
        HybridRegionObserver.class.getName(), conf.get("hbase.coprocessor.region.classes"));
    assertNull(
        conf.get("hbase.hstore.engine.class"),
        HybridStoreEngine.class + " in the site file is loaded by clients that have no jar");
  }

  @Test
  void everyPropertyOfTheSiteFilesIsExplained() {
    for (String file : new String[] {"conf/hbase-site.xml", "conf/hdfs-site.xml"}) {
      Matcher property = Pattern.compile("(?s)<property>.*?</property>").matcher(read(file));
      int count = 0;
      while (property.find()) {
        count++;
        assertTrue(
            Pattern.compile("(?s)<description>\\s*\\S.{20,}</description>")
                .matcher(property.group())
                .find(),
            property.group());
      }
      assertTrue(count > 3, file);
    }
  }

  /** Copied as it is, the file costs nobody anything. */
  @Test
  void hdfsSite_setsTheMediaOnly() {
    Configuration hdfs = shipped("conf/hdfs-site.xml");
    assertEquals(1, hdfs.size());
    assertTrue(hdfs.get("dfs.datanode.data.dir").startsWith("[SSD]"));
    Matcher choice =
        Pattern.compile("(?s)<!--\\s*<property>.*?</property>\\s*-->")
            .matcher(read("conf/hdfs-site.xml"));
    int count = 0;
    while (choice.find()) {
      count++;
      for (String word : List.of("Effect: ", "Price: ", "estart them")) {
        assertTrue(choice.group().contains(word), choice.group());
      }
    }
    assertEquals(5, count);
  }

  @Test
  void bothListKeysSayThatExistingValuesStay() {
    Matcher list =
        Pattern.compile("(?s)<name>hbase\\.coprocessor\\..*?</property>")
            .matcher(read("conf/hbase-site.xml"));
    int count = 0;
    while (list.find()) {
      count++;
      assertTrue(list.group().contains("THIS IS A LIST"), list.group());
    }
    assertEquals(2, count);
  }

  /**
   * Names of 0.1.0's drafts. Readers of old records are the only place for what is left of them.
   */
  @Test
  void oldNames_surviveNowhere() throws IOException {
    Pattern old =
        Pattern.compile(
            "hybrid[.](tmp|landing|repair|guard)[.]|[.]repair[.]|census|hybrid[.]page\\b"
                + "|wal[.](gather|stall[.])|hybrid[.][a-z.]+[.](ms|seconds|minutes)\\b|write[.]wait"
                + "|misplaced-tmp|bytesTmp|newBytes(Disk|Other|Ssd)|newFiles(Misplaced|Unchecked)");
    List<String> found = new ArrayList<>();
    for (String root :
        List.of("src", "docs", "conf", "bin", "bench", "README.md", "CONTRIBUTING.md")) {
      try (Stream<Path> files = Files.walk(Path.of(root))) {
        files
            .filter(Files::isRegularFile)
            .filter(path -> !path.startsWith("bench/results"))
            .filter(path -> !path.toString().matches(".*[.](png|gz|jar|class)"))
            .filter(path -> !path.endsWith("DocumentationTest.java"))
            .filter(path -> old.matcher(read(path.toString())).find())
            .forEach(path -> found.add(path.toString()));
      }
    }
    assertEquals(List.of(), found);
  }

  @Test
  void namesOfTestMethods_areReadable() throws IOException {
    Pattern name = Pattern.compile("\\bvoid (\\w{61,})\\(");
    List<String> tooLong = new ArrayList<>();
    for (String root : List.of("src/test/java", "src/bed/java")) {
      try (Stream<Path> files = Files.walk(Path.of(root))) {
        files
            .filter(path -> path.toString().endsWith(".java"))
            .forEach(
                path ->
                    name.matcher(read(path.toString()))
                        .results()
                        .forEach(found -> tooLong.add(found.group(1))));
      }
    }
    assertEquals(List.of(), tooLong);
  }

  @Test
  void everyClassStatesItsAudience() throws IOException {
    try (Stream<Path> sources = Files.walk(Path.of("src/main/java"))) {
      List<Path> silent =
          sources
              .filter(path -> path.toString().endsWith(".java"))
              .filter(path -> !path.endsWith("package-info.java"))
              .filter(path -> !read(path.toString()).contains("\n@InterfaceAudience."))
              .collect(Collectors.toList());
      assertEquals(List.of(), silent);
    }
  }
}
