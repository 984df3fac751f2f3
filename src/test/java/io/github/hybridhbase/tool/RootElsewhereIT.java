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
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.it.Rows;
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.testing.TypedCluster;
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

  @Test
  void whatIsOnHdfsIsJudgedAppliedAndReverted() throws Exception {
    assertEquals("file", CommonFSUtils.getRootDir(cluster.conf()).toUri().getScheme());
    Path wals = new Path(cluster.walRoot(), "WALs");
    assertEquals(
        StoragePolicy.UNSPECIFIED,
        StorageNamespace.of(cluster.fs()).orElseThrow().policy(wals).orElseThrow().effective);

    ToolRun audit = ToolRun.of(new Configuration(cluster.conf()), "check", "--blocks", "--json");
    assertTrue(audit.findings().contains("root-not-on-hdfs"), audit::toString);
    assertTrue(audit.sum("wal", "open", "ssdFiles") > 0, audit::toString);
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
}
