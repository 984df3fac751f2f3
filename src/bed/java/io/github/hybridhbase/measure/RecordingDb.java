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
package io.github.hybridhbase.measure;

import io.github.hybridhbase.bed.HybridYcsbBinding;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.yetus.audience.InterfaceAudience;
import site.ycsb.Status;

/** Times its operations. Used by one thread, read by another. */
@InterfaceAudience.Private
final class RecordingDb extends HybridYcsbBinding {
  private final AtomicLong errors = new AtomicLong();
  private Latencies latencies = new Latencies();

  RecordingDb(Connection connection, String table) throws IOException {
    super(connection, table, false);
  }

  /** What was recorded since the last call; operations that failed are not. */
  synchronized Latencies take() {
    Latencies taken = latencies;
    latencies = new Latencies();
    return taken;
  }

  synchronized void record(String kind, long nanos) {
    latencies.record(kind, nanos);
  }

  /** Operations that failed, ever; of those that may miss, reads of rows that are not there too. */
  long errors() {
    return errors.get();
  }

  @Override
  protected void answered(String kind, long nanos, Status status) {
    if (status.isOk()) {
      record(kind, nanos);
    } else {
      errors.incrementAndGet();
    }
  }
}
