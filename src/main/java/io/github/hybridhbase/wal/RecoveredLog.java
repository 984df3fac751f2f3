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

import io.github.hybridhbase.hdfs.DurableEnd;
import io.github.hybridhbase.hdfs.HdfsError;
import io.github.hybridhbase.hdfs.HdfsErrorKind;
import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.Metric;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.util.RecoverLeaseFSUtils;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A step that durably ends a WAL with hsyncs which HBase closed by lease recovery: after a
 * failover, a dead DataNode, a failed close, or the end of its server.
 */
@InterfaceAudience.Private
final class RecoveredLog {
  private static final Logger LOG = LoggerFactory.getLogger(RecoveredLog.class);

  /** Limit for a file that a failed attempt has left open; HBase allows 15 minutes. */
  private static final int RECOVERY_MILLIS = 60_000;

  private RecoveredLog() {}

  /** Blocks; never throws. */
  static void endDurably(Configuration conf, FileSystem fs, Path log) {
    try {
      Configuration shorter = new Configuration(conf);
      int most = shorter.getInt("hbase.lease.recovery.timeout", RECOVERY_MILLIS);
      shorter.setInt("hbase.lease.recovery.timeout", Math.min(most, RECOVERY_MILLIS));
      if (DurableEnd.of(fs, log, () -> RecoverLeaseFSUtils.recoverFileLease(fs, log, shorter))) {
        LOG.info("Recovered {} and ended it durably", log);
      }
    } catch (IOException | RuntimeException | Error e) {
      if (HdfsError.of(e).is(HdfsErrorKind.STOPPED)) {
        Thread.currentThread().interrupt(); // a stop request for the thread that splits the log
      }
      HybridMetrics.get().count(Metric.WAL_RECOVERIES_NOT_DURABLE);
      LOG.warn(
          "Could not end the WAL {} durably after lease recovery: until its"
              + " DataNodes' kernels have written it back, a power cut of all of them"
              + " loses its edits. Flush the tables of this server; check the DataNodes'"
              + " logs. The metric {} counts further ones.",
          log,
          Metric.WAL_RECOVERIES_NOT_DURABLE.label(),
          e);
    }
  }
}
