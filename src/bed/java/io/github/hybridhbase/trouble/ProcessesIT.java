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
package io.github.hybridhbase.trouble;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.hybridhbase.bed.BedSpec;
import io.github.hybridhbase.bed.BedWals;
import io.github.hybridhbase.bed.OwnedBed;
import io.github.hybridhbase.bed.ServerProcess;
import io.github.hybridhbase.testing.Line;
import io.github.hybridhbase.testing.SteadyClient;
import io.github.hybridhbase.testing.TypedCluster;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The first start of a whole cluster inside the 1 GiB gap, as separate processes on real file
 * systems of 900 MB: with HDFS's own settings, which MiniDFSCluster changes.
 */
@Tag("long")
class ProcessesIT {
  private static final int GAP = 900;

  /** Or the NameNode would soon hold the SSDs for full: see WalFallbackIT. */
  private static BedSpec spec() throws IOException {
    assumeTrue("root".equals(System.getProperty("user.name")), "mounts need root");
    return BedSpec.of(Line.built())
        .ssdMegabytes(GAP)
        .set("hbase.regionserver.hlog.blocksize", Integer.toString(8 << 20));
  }

  private static OwnedBed bed(BedSpec spec) throws IOException, InterruptedException {
    Path parent = TypedCluster.baseDirectory().resolve("target/beds");
    OwnedBed bed = OwnedBed.make(spec, TypedCluster.usable(parent));
    bed.startHdfs();
    return bed;
  }

  @Test
  void thePluginComesUpInTheGapAndGoesToSsdWhenThereIsSpace() throws Exception {
    Path target = TypedCluster.baseDirectory().resolve("target/classes");
    BedSpec quick = spec().plugin(target, TypedCluster.shippedSite());
    for (String key : new String[] {"retry", "dwell", "period"}) {
      quick = quick.set("hbase.hybrid.ssd." + key, "1");
    }
    try (OwnedBed bed = bed(quick)) {
      bed.startHBase();
      Configuration conf = bed.client();
      try (Connection connection = ConnectionFactory.createConnection(conf)) {
        connection
            .getAdmin()
            .createTable(
                TableDescriptorBuilder.newBuilder(Stage.TABLE)
                    .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
                    .build());
      }
      try (SteadyClient client = new SteadyClient(conf, Stage.TABLE)) {
        bed.await("writes", () -> client.acknowledged() > 100);
        bed.await("WALs on DISK", () -> BedWals.of(bed).allOn("DISK"));
        bed.resizeSsds(4 << 10);
        bed.await("WALs on SSD", () -> BedWals.of(bed).allOn("SSD"));
        client.finish();
        assertEquals(List.of(), client.failures());
        client.assertAllThere();
      }
      for (ServerProcess process : bed.processes()) {
        assertTrue(process.isAlive(), process::tail);
      }
    }
  }

  @Test
  void stocksMasterDoesNotComeUpInTheGap() throws Exception {
    try (OwnedBed bed = bed(spec().set("hbase.wal.storage.policy", "ALL_SSD"))) {
      bed.process("zk0").start();
      ServerProcess master = bed.process("m0");
      master.start();
      bed.process("rs0").start();
      bed.await("the end of the master", () -> !master.isAlive());
      assertTrue(master.said("could only be written to 0 of"), master::tail);
      assertTrue(master.said("HMaster Aborted"), master::tail);
    }
  }
}
