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

import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.Metric;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.yetus.audience.InterfaceAudience;

/** One log of a server across its rolls. Thread-safe. */
@InterfaceAudience.Private
public final class OpenLog {
  /** Name of its files without their number. */
  public final String name;

  /** Of its file; empty if unknown. */
  public volatile List<StorageType> media = List.of();

  private Path file;

  /** Since when its writers wait for the next file; null if they do not. */
  private Long waitingSince;

  public OpenLog(String name) {
    this.name = name;
  }

  /** The header of the log's new file is acknowledged: ends the wait of its writers. */
  public synchronized void opened(Path opened, long now) {
    file = opened;
    if (waitingSince != null) {
      long millis = TimeUnit.NANOSECONDS.toMillis(now - waitingSince);
      waitingSince = null;
      HybridMetrics.get().count(Metric.WAL_FAILOVER_WAIT, millis);
    }
  }

  synchronized boolean isIn(Path wal) {
    return wal.equals(file);
  }

  /** Its writers wait for the next file; false if this is not the log's file. */
  synchronized boolean waits(Path wal, long since) {
    waitingSince = isIn(wal) ? Long.valueOf(since) : waitingSince;
    return isIn(wal);
  }
}
