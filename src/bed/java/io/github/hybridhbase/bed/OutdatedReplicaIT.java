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
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.testing.Line;
import io.github.hybridhbase.testing.TypedCluster;
import java.net.URI;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A block that HDFS leaves at two of three replicas: its writer's lease was recovered while a
 * DataNode was down, and the NameNode then started with that DataNode first. No HBase is involved.
 */
@InterfaceAudience.Private
@Tag("long")
class OutdatedReplicaIT {
  private static final Path FILE = new Path("/wal");

  @Test
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void fullBlockReport_replacesAnOutdatedReplica() throws Exception {
    BedSpec spec = BedSpec.of(Line.built()).masters(0).regionServers(0);
    try (OwnedBed bed =
        OwnedBed.make(spec, TypedCluster.usable(Line.base().resolve("target/beds")))) {
      bed.startHdfs();
      closeWhileDown(bed, bed.process("dn0"));
      for (String name : List.of("nn0", "dn1", "dn2")) {
        bed.process(name).kill();
      }
      bed.process("nn0").start();
      bed.process("dn0").start();
      bed.await("the outdated replica, reported", () -> replicas(bed).contains("(CORRUPT)"));
      bed.startHdfs();
      bed.await("two replicas", () -> replicas(bed).contains("Live_repl=2"));
      // Many of the NameNode's rounds of repair, each a second apart.
      TimeUnit.SECONDS.sleep(20);
      assertTrue(replicas(bed).contains("Live_repl=2"), () -> "HDFS repaired it by itself");

      bed.awaitReplicas();
      assertEquals(3, replicas(bed).split("\\(LIVE\\)", -1).length - 1, () -> replicas(bed));
    }
  }

  /** Writes a file, kills a DataNode and recovers the lease, which makes that replica outdated. */
  private static void closeWhileDown(Bed bed, ServerProcess dataNode) throws Exception {
    Configuration conf = new Configuration();
    bed.keys().forEach(conf::set);
    try (FileSystem writer = FileSystem.newInstance(URI.create(conf.get("fs.defaultFS")), conf);
        DistributedFileSystem other =
            (DistributedFileSystem)
                FileSystem.newInstance(URI.create(conf.get("fs.defaultFS")), conf)) {
      FSDataOutputStream out = writer.create(FILE);
      out.write(new byte[1_000]);
      out.hflush();
      dataNode.kill();
      bed.await("the end of the lease", () -> other.recoverLease(FILE));
    }
  }

  private static String replicas(Bed bed) {
    try {
      return bed.tool(Fsck.MAIN, FILE.toString(), "-files", "-blocks", "-replicaDetails").said();
    } catch (java.io.IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
