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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.github.hybridhbase.hdfs.ProbeFile;
import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Table;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * HBCK2: its commands answer 0, mend a region that hbase:meta has lost, and leave policies, records
 * and probe files as they are. For a bed with the table of a {@link Load}.
 */
@InterfaceAudience.Private
final class Hbck2 {
  /** Its jar and log4j 2; no repository of the build has it. */
  private static final String JARS = System.getProperty("hybrid.hbck2", "");

  private static final TableName TABLE = TableName.valueOf("rows");
  private static final int ROWS = 400;

  private final Bed bed;

  Hbck2(Bed bed) {
    assumeFalse(JARS.isEmpty(), "-Dhybrid.hbck2=JAR:JAR");
    this.bed = bed;
  }

  void mend() throws Exception {
    Configuration conf = HBaseConfiguration.create();
    bed.keys().forEach(conf::set);
    try (Load load = new Load(bed);
        Connection connection = ConnectionFactory.createConnection(conf);
        FileSystem fs = FileSystem.newInstance(conf)) {
      load.put(ROWS);
      load.flush();
      Map<String, String> placed = placed(fs);
      assertFalse(placed.isEmpty());
      for (String directory : placed.keySet()) {
        fs.create(probe(directory)).close();
      }

      RegionInfo region = connection.getAdmin().getRegions(TABLE).get(1);
      commands(region);
      forget(connection, region);
      String name = "default:" + TABLE;
      assertTrue(hbck("reportMissingRegionsInMeta", name).contains(region.getEncodedName()));
      hbck("addFsRegionsMissingInMeta", name);
      hbck("assigns", "-o", region.getEncodedName());
      bed.awaitHBase();

      load.put(ROWS);
      load.assertAllThere();
      assertEquals(placed, placed(fs));
      for (String directory : placed.keySet()) {
        assertTrue(fs.exists(probe(directory)), directory);
      }
    }
  }

  /** What mends nothing here, as nothing is amiss. */
  private void commands(RegionInfo region) throws Exception {
    hbck("setTableState", TABLE.getNameAsString(), "ENABLED");
    hbck("setRegionState", region.getEncodedName(), "OPEN");
    hbck("unassigns", region.getEncodedName());
    hbck("assigns", region.getEncodedName());
    bed.awaitHBase();
    hbck("filesystem", "--fix");
    hbck("filesystem", "--fix", TABLE.getNameAsString());
    hbck("replication", "--fix");
    hbck("fixMeta");
    hbck("extraRegionsInMeta", "--fix", "default:" + TABLE);
    hbck("generateMissingTableDescriptorFile", TABLE.getNameAsString());
    hbck("recoverUnknown");
    bed.awaitHBase();
  }

  private String hbck(String... words) throws Exception {
    List<java.nio.file.Path> jars =
        Stream.of(JARS.split(File.pathSeparator, -1))
            .map(java.nio.file.Path::of)
            .collect(Collectors.toList());
    String said = Tool.run(bed.command(jars, "org.apache.hbase.HBCK2", words)).fine().said();
    System.out.println("HBCK2 " + String.join(" ", words) + ": 0");
    return said;
  }

  private static void forget(Connection connection, RegionInfo region) throws IOException {
    try (Table meta = connection.getTable(TableName.META_TABLE_NAME)) {
      meta.delete(new Delete(region.getRegionName()));
    }
  }

  private static Path probe(String directory) {
    return new Path(directory, ProbeFile.PREFIX + "left");
  }

  /** The policy and the record of each directory that has a record. */
  private static Map<String, String> placed(FileSystem fs) throws IOException {
    Map<String, String> found = new TreeMap<>();
    walk(fs, new Path("/hbase"), found);
    return found;
  }

  /** HBase deletes directories meanwhile. */
  private static void walk(FileSystem fs, Path directory, Map<String, String> found)
      throws IOException {
    try {
      look(fs, directory, found);
    } catch (FileNotFoundException e) {
      found.remove(directory.toUri().getPath());
    }
  }

  private static void look(FileSystem fs, Path directory, Map<String, String> found)
      throws IOException {
    byte[] record = fs.getXAttrs(directory).get("user.hbase.hybrid.placed");
    if (record != null) {
      found.put(
          directory.toUri().getPath(),
          fs.getStoragePolicy(directory).getName()
              + " "
              + new String(record, StandardCharsets.UTF_8));
    }
    for (FileStatus below : fs.listStatus(directory)) {
      if (below.isDirectory()) {
        walk(fs, below.getPath(), found);
      }
    }
  }
}
