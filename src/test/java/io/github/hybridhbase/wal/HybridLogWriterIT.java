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
package io.github.hybridhbase.wal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.runtime.HybridKeys;
import io.github.hybridhbase.testing.Await;
import io.github.hybridhbase.testing.TypedHdfs;
import io.github.hybridhbase.testing.VolumeLayout;
import io.github.hybridhbase.wal.failover.Pipeline;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.hbase.wal.FSHLogProvider;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** FSHLog's writer where one HDFS block of a log ends and the next one begins. */
@InterfaceAudience.Private
@Timeout(120)
class HybridLogWriterIT {
  private static final int BLOCK = 1 << 20;

  @TempDir java.nio.file.Path volumes;

  @Test
  void autoForcesTheSyncThatFindsNoPipelineBetweenTwoBlocks() throws Exception {
    try (TypedHdfs hdfs =
        TypedHdfs.start(new Configuration(), volumes, 1, VolumeLayout.of(StorageType.SSD))) {
      Path root = hdfs.directory("hbase", "ALL_SSD");
      hdfs.fs().mkdirs(new Path(root, "WALs/s"));
      Configuration conf = HBaseConfiguration.create(hdfs.fs().getConf());
      CommonFSUtils.setRootDir(conf, root);
      PluginWriters.into(conf);
      conf.set(HybridKeys.WAL_HSYNC.name(), "auto");
      FSHLogProvider.Writer writer =
          FSHLogProvider.createWriter(
              conf, hdfs.fs(), new Path(root, "WALs/s/wal.1"), false, BLOCK);
      writer.append(WalEntries.entry(1, 100));
      writer.sync(false);
      FSDataOutputStream stream = ((HybridLogWriter) writer).getStream();
      assertEquals(1, Pipeline.of(stream).length);
      stream.write(new byte[(int) (BLOCK - stream.getPos())]);
      stream.flush();
      // The streamer forgets the pipeline once the block's last packet is acknowledged.
      Await.until("no pipeline", () -> Pipeline.of(stream).length == 0);
      long before = hdfs.fsyncs();
      writer.append(WalEntries.entry(2, 100));
      writer.sync(false);
      assertTrue(hdfs.fsyncs() > before, "acknowledged, and in page caches only");
      writer.close();
    }
  }
}
