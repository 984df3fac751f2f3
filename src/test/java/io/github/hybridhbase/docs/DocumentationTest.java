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
import java.util.List;
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

  /** Copied as it is, the file costs nobody anything. */
  @Test
  void hdfsSite_setsTheMediaOnly() {
    Configuration hdfs = shipped("conf/hdfs-site.xml");
    assertEquals(1, hdfs.size());
    assertTrue(hdfs.get("dfs.datanode.data.dir").startsWith("[SSD]"));
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
