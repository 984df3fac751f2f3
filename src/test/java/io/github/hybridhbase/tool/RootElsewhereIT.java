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
package io.github.hybridhbase.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.it.Rows;
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.testing.TypedCluster;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * {@code hbase.rootdir} on a file system that is not HDFS, the write-ahead logs on HDFS: what is on
 * HDFS is judged, applied and reverted.
 */
class RootElsewhereIT {
  private static TypedCluster cluster;
  private static Rows rows;

  @BeforeAll
  static void start() throws Exception {
    cluster = TypedCluster.spec().plugin().rootElsewhere().start();
    rows = Rows.create(cluster, "rows", "DEFAULT", null, new Random(1));
    rows.put(100);
    cluster.flush(rows.table());
  }

  @AfterAll
  static void stop() throws Exception {
    if (cluster != null) {
      cluster.close();
    }
  }

  private static ToolRun run(int exit, String... arguments) {
    ToolRun run = ToolRun.of(new Configuration(cluster.conf()), arguments);
    assertEquals(exit, run.exit(), () -> String.join(" ", arguments) + ": " + run);
    return run;
  }

  private static byte policy(String below) throws Exception {
    return StorageNamespace.of(cluster.fs())
        .orElseThrow()
        .policy(new Path(cluster.walRoot(), below))
        .orElseThrow()
        .effective;
  }

  @Test
  void whatIsOnHdfsIsJudgedAppliedAndReverted() throws Exception {
    assertEquals("file", CommonFSUtils.getRootDir(cluster.conf()).toUri().getScheme());
    assertEquals(StoragePolicy.UNSPECIFIED, policy("WALs"));

    ToolRun audit = ToolRun.of(new Configuration(cluster.conf()), "check", "--blocks", "--json");
    assertTrue(audit.findings().contains("root-not-on-hdfs"), audit::toString);
    assertTrue(
        audit.component("wal").getAsJsonObject("open").get("ssdFiles").getAsLong() > 0,
        audit::toString);
    ToolRun doctor = ToolRun.of(new Configuration(cluster.conf()), "check");
    assertTrue(doctor.exit() <= 1, doctor::toString);
    assertTrue(doctor.out().contains("root-not-on-hdfs"), doctor::toString);

    ToolRun apply = run(0, "apply", "--json");
    assertEquals(0, apply.json().getAsJsonArray("servers").size(), apply::toString);
    ToolRun revert = run(0, "revert", "--json");
    assertEquals(1, revert.json().getAsJsonArray("rolled").size(), revert::toString);
    run(2, "check", "--blocks", "--table", "rows");
    rows.assertAllThere();
  }

  @Test
  void withNoRootOnHdfsThatIsSaid() {
    Configuration conf = new Configuration(cluster.conf());
    conf.set("hbase.wal.dir", cluster.conf().get("hbase.rootdir"));
    for (String verb : List.of("check", "apply", "revert")) {
      ToolRun run = ToolRun.of(conf, verb);
      assertEquals(3, run.exit(), run::toString);
      assertTrue(run.err().contains("not on HDFS"), run::toString);
      assertFalse(run.err().contains("fault of the tool"), run::toString);
    }
  }
}
