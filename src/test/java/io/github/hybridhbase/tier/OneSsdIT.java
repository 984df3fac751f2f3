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
package io.github.hybridhbase.tier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.hdfs.FileBlocks;
import io.github.hybridhbase.hdfs.NewFile;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.testing.Await;
import io.github.hybridhbase.testing.ScratchDirectory;
import io.github.hybridhbase.testing.TypedHdfs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Paths;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

/** A file of hot rows under ONE_SSD on full SSDs, of real HDFS. */
@InterfaceAudience.Private
class OneSsdIT {
  private static final Path STORE = new Path("/hbase/data/default/t/r/f");
  private static final int BLOCK = 1 << 20;

  @Test
  void hdfsCompletesItOnceItsPolicyIsGone() throws Exception {
    Configuration conf = new Configuration();
    conf.setLong(TypedHdfs.SPARE, 0);
    conf.setInt("dfs.blocksize", BLOCK);
    conf.setInt("dfs.namenode.redundancy.interval.seconds", 1);
    try (ScratchDirectory scratch = ScratchDirectory.under(Paths.get("target", "onessd"), "hdfs");
        TypedHdfs hdfs =
            TypedHdfs.start(
                conf,
                scratch.path(),
                3,
                TypedHdfs.SSD_AND_DISK.ssdCapacity(512).otherCapacity(1L << 30))) {
      StorageNamespace namespace = StorageNamespace.of(hdfs.fs()).orElseThrow();
      Path file = new Path(STORE, "h");
      NewFile made = namespace.place(file, StoragePolicy.ONE_SSD, true);
      DFSTestUtil.createFile(hdfs.fs(), file, 1_000, (short) 3, 1);
      assertTrue(made.isCarried());
      Thread.sleep(5_000);
      assertEquals(1, replicas(namespace, file), "HDFS does not complete it");
      assertTrue(made.isFallen());

      namespace.unsetPolicy(file);
      Await.until("two replicas more", () -> replicas(namespace, file) == 3);
      assertEquals(3_000, blocks(namespace, file).bytes(StorageType.DISK));
    }
  }

  private static FileBlocks blocks(StorageNamespace namespace, Path file) {
    try {
      return namespace.blocks(file).orElseThrow();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static int replicas(StorageNamespace namespace, Path file) {
    return blocks(namespace, file).blocks.get(0).replicas.size();
  }
}
