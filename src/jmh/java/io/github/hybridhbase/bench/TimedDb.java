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
package io.github.hybridhbase.bench;

import io.github.hybridhbase.bed.ForwardingDb;
import io.github.hybridhbase.demo.HybridYcsbBinding;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.yetus.audience.InterfaceAudience;
import site.ycsb.DBException;
import site.ycsb.Status;

/** One client's reads and updates, timed. For workloads of nothing else. */
@InterfaceAudience.Private
final class TimedDb extends ForwardingDb {
  final List<Long> reads = new ArrayList<>();
  final List<Long> updates = new ArrayList<>();
  long errors;

  TimedDb(Connection connection, Properties properties) throws DBException {
    super(new HybridYcsbBinding(connection));
    setProperties(properties);
    init();
  }

  @Override
  protected Status answered(String kind, long start, Status status) {
    ("read".equals(kind) ? reads : updates).add(System.nanoTime() - start);
    if (!status.isOk()) {
      errors++;
    }
    return status;
  }
}
