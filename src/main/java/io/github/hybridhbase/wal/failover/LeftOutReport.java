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
package io.github.hybridhbase.wal.failover;

import io.github.hybridhbase.hdfs.HdfsError;
import io.github.hybridhbase.hdfs.HdfsErrorKind;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A publisher that writes the DataNodes excluded by a server's WALs to the WAL directory, at each
 * change, for tools and the master.
 *
 * <p>Thread-safe. The NameNode is called on the thread of {@link Later}, so that a slow one delays
 * no WAL; failed writes are retried. At most one write is queued.
 */
@InterfaceAudience.Private
final class LeftOutReport {
  private static final Logger LOG = LoggerFactory.getLogger(LeftOutReport.class);

  private static final long AGAIN_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final StalledNodes stalled;
  private final Later later;
  private final AtomicBoolean waits = new AtomicBoolean();
  private volatile boolean ended;

  /** Null until a WAL has left a DataNode. */
  private volatile LogDirectory directory;

  private volatile List<DatanodeInfo> said = List.of();

  LeftOutReport(StalledNodes stalled, Later later) {
    this.stalled = stalled;
    this.later = later;
  }

  void end() {
    ended = true;
  }

  /** Never blocks. */
  void left(LogDirectory from) {
    directory = from;
    changed();
  }

  /** Never blocks. */
  void changed() {
    if (directory != null) {
      plan(0);
    }
  }

  private void plan(long nanos) {
    if (!ended && waits.compareAndSet(false, true)) {
      later.later("What is said of DataNodes that stalled", this::say, nanos);
    }
  }

  private void say() {
    waits.set(
        false); // INVARIANT: cleared before the list is read: a later change queues another write.
    List<DatanodeInfo> now = stalled.avoided();
    if (ended || now.equals(said)) {
      return;
    }
    try {
      directory.leftOut(now);
      said = now;
    } catch (IOException | RuntimeException e) {
      LOG.debug("It could not be said which DataNodes are left out", e);
      HdfsErrorKind kind = HdfsError.of(e).kind();
      if (!kind.isFinal() && kind != HdfsErrorKind.XATTRS_DISABLED) {
        plan(AGAIN_NANOS);
      }
    }
  }
}
