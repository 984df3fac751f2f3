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

import io.github.hybridhbase.hdfs.HdfsError;
import io.github.hybridhbase.hdfs.HdfsErrorKind;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.monitoring.MonitoredTask;
import org.apache.hadoop.hbase.regionserver.DefaultStoreFlusher;
import org.apache.hadoop.hbase.regionserver.FlushLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.MemStoreSnapshot;
import org.apache.hadoop.hbase.regionserver.throttle.ThroughputController;
import org.apache.yetus.audience.InterfaceAudience;

/** A {@link DefaultStoreFlusher} that reports why a flush failed, since HBase retries silently. */
@InterfaceAudience.Private
final class ReportingFlusher extends DefaultStoreFlusher {
  private final Consumer<HdfsErrorKind> failed;

  /** A store has one flush at a time. */
  private volatile boolean writing;

  ReportingFlusher(Configuration conf, HStore store, Consumer<HdfsErrorKind> failed) {
    super(conf, store);
    this.failed = failed;
  }

  void writes() {
    writing = true;
  }

  /** Before the writer exists the cause cannot be a medium, but a coprocessor or scanner. */
  static HdfsErrorKind kind(Throwable cause, boolean writing) {
    HdfsErrorKind kind = HdfsError.of(cause).kind();
    return kind.mayBeSsds() && !writing ? HdfsErrorKind.OTHER : kind;
  }

  @Override
  public List<Path> flushSnapshot(
      MemStoreSnapshot snapshot,
      long cacheFlushId,
      MonitoredTask status,
      ThroughputController throughputController,
      FlushLifeCycleTracker tracker,
      Consumer<Path> writerCreationTracker)
      throws IOException {
    writing = false;
    try {
      return super.flushSnapshot(
          snapshot, cacheFlushId, status, throughputController, tracker, writerCreationTracker);
    } catch (IOException | RuntimeException | Error e) {
      failed.accept(kind(e, writing));
      throw e;
    }
  }
}
