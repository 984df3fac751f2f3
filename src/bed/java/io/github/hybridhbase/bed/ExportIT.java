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
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.hybridhbase.testing.Line;
import io.github.hybridhbase.testing.TypedCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * HBase's own ExportSnapshot, in a process of its own, of a table whose files are on SSD. It needs
 * MapReduce's jars: {@code -Dcampaign.loads=itbll}.
 */
@InterfaceAudience.Private
@Tag("long")
class ExportIT {
  private static final int ROWS = 300;
  private static final String TABLE = "/hbase/data/default/rows";
  private static final String MAIN = "org.apache.hadoop.hbase.snapshot.ExportSnapshot";

  private static List<Fsck.File> storeFiles(Bed bed, String directory) throws Exception {
    return bed.fsck(directory).files().stream()
        .filter(file -> file.path().contains("/f/") && !file.isOpen())
        .collect(Collectors.toList());
  }

  private static void export(Bed bed, String... arguments) throws Exception {
    Path home = Files.createDirectories(bed.directory().resolve("export"));
    List<String> words = new ArrayList<>();
    words.add("-Dfs.defaultFS=file:///"); // of the local job runner
    words.add("-Dhadoop.tmp.dir=" + home);
    words.addAll(List.of(arguments));
    List<Path> jars =
        Files.readAllLines(MapReduceLoad.JARS).stream().map(Path::of).collect(Collectors.toList());
    Tool.run(bed.command(jars, MAIN, words.toArray(new String[0]))).fine();
  }

  private static int rows(Connection connection, String table) throws IOException {
    int rows = 0;
    try (Table of = connection.getTable(TableName.valueOf(table));
        ResultScanner scanner = of.getScanner(new Scan())) {
      for (Result row : scanner) {
        rows += row.isEmpty() ? 0 : 1;
      }
    }
    return rows;
  }

  @Test
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void export_isOnDiskWithoutPolicy_andRestoresEveryRow() throws Exception {
    assumeTrue(Files.exists(MapReduceLoad.JARS), "MapReduce's jars: -Dcampaign.loads=itbll");
    BedSpec spec =
        BedSpec.of(Line.built())
            .plugin(Installation.plugin(), Installation.site())
            // The tier opens after the master's first scan.
            .set("hbase.hybrid.scan.period", "5s")
            .set("hybrid.tests.period", "1");
    try (OwnedBed bed =
        OwnedBed.make(spec, TypedCluster.usable(Line.base().resolve("target/beds")))) {
      bed.start();
      Configuration conf = HBaseConfiguration.create();
      bed.keys().forEach(conf::set);
      try (Load load = new Load(bed);
          Connection connection = ConnectionFactory.createConnection(conf);
          Admin admin = connection.getAdmin()) {
        load.createTable();
        ServerProcess server = bed.process("rs0");
        bed.await(
            "an SSD tier that is open",
            () -> bed.hbase(server, "name=Hybrid,sub=Hybrid").path("TierShare").asLong() > 0);
        load.put(ROWS);
        load.flush();
        List<Fsck.File> born = storeFiles(bed, TABLE);
        assertFalse(born.isEmpty());
        assertTrue(born.stream().allMatch(file -> file.isAllOn("SSD")), born::toString);

        admin.snapshot("whole", TableName.valueOf("rows"));
        String root = bed.keys().get("hbase.rootdir");
        String away = bed.keys().get("fs.defaultFS") + "/exported";
        export(bed, "-snapshot", "whole", "-copy-to", away, "-mappers", "2");
        List<Fsck.File> copies = storeFiles(bed, "/exported");
        assertEquals(born.size(), copies.size(), copies::toString);
        assertTrue(copies.stream().allMatch(file -> file.isAllOn("DISK")), copies::toString);
        for (Fsck.File copy : copies) {
          assertEquals("HOT", load.policy(copy.path()));
        }

        String[] back = {
          "-snapshot", "whole", "-target", "back", "-copy-from", away, "-copy-to", root
        };
        export(bed, back);
        admin.cloneSnapshot("back", TableName.valueOf("copied"));
        assertEquals(ROWS, rows(connection, "copied"));
        assertEquals(List.of(), bed.aborts());
      }
    }
  }
}
