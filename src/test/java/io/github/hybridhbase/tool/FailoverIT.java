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
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.github.hybridhbase.testing.Replicas;
import io.github.hybridhbase.testing.ScratchDirectory;
import io.github.hybridhbase.testing.TypedCluster;
import io.github.hybridhbase.testing.TypedHdfs;
import io.github.hybridhbase.tool.cli.Stop;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSNNTopology;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The verbs go on where a NameNode fails over under them. */
@InterfaceAudience.Private
class FailoverIT {
  private static final int FILES = 20;

  private ScratchDirectory directory;
  private TypedHdfs hdfs;
  private MiniDFSCluster dfs;
  private Configuration conf;

  @BeforeEach
  void start() throws Exception {
    directory =
        ScratchDirectory.under(
            TypedCluster.baseDirectory().resolve("target").resolve("clusters"), "ha-");
    conf = HBaseConfiguration.create();
    // Pages of one entry, so that the walk must call again after the failover.
    conf.setInt("dfs.ls.limit", 1);
    hdfs =
        TypedHdfs.start(
            conf,
            directory.path(),
            3,
            TypedHdfs.SSD_AND_DISK,
            MiniDFSNNTopology.simpleHATopology());
    dfs = hdfs.cluster();
    conf.set("hbase.rootdir", conf.get("fs.defaultFS") + "/hbase");
    conf.setBoolean("fs.hdfs.impl.disable.cache", true);
    DistributedFileSystem fs = fs();
    for (int i = 0; i < FILES; i++) {
      Path wal = new Path("/hbase/WALs/h,1," + i + "/wal");
      DFSTestUtil.createFile(fs, wal, 1_000, (short) 3, 1);
      Replicas.await(fs, wal, 3);
    }
  }

  @AfterEach
  void stop() throws Exception {
    hdfs.close();
    directory.close();
  }

  private DistributedFileSystem fs() throws IOException {
    return (DistributedFileSystem) new Path("/").getFileSystem(conf);
  }

  /** Runs a verb that is never asked to stop; the NameNode fails over when it has taken steps. */
  private ToolRun failsOverAt(int step, String... args) {
    AtomicInteger steps = new AtomicInteger();
    Stop stop = mock(Stop.class);
    when(stop.requested())
        .thenAnswer(
            call -> {
              if (steps.incrementAndGet() == step) {
                dfs.transitionToStandby(0);
                dfs.transitionToActive(1);
              }
              return false;
            });
    ToolRun run = ToolRun.of(conf, stop, args);
    assertFalse(run.toString().contains("\tat "), run::toString);
    assertFalse(dfs.getNameNode(0).isActiveState());
    return run;
  }

  @Test
  void auditSeesEveryFileOnce() throws Exception {
    conf.set("hbase.hybrid.mode", "prefer");
    ToolRun run = failsOverAt(FILES / 2, "check", "--blocks", "--json");
    assertEquals(FILES, run.sum("wal", "closed", "files"), run::toString);
  }

  @Test
  void doctorEndsWell() throws Exception {
    ToolRun run = failsOverAt(3, "check", "--json");
    assertFalse(run.findings().contains("ssd-refuses"), run::toString);
    // These come after the failover.
    String notChecked = run.json().getAsJsonArray("notChecked").toString();
    for (String later : List.of("the policies of HBase", "erasure coding", "oldWALs")) {
      assertFalse(notChecked.contains(later), run::toString);
    }
  }
}
