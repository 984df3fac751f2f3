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

import io.github.hybridhbase.demo.HybridYcsbBinding;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.Vector;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.yetus.audience.InterfaceAudience;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.DBException;
import site.ycsb.Status;

/** One client's reads and updates, timed; nothing else of YCSB. */
@InterfaceAudience.Private
final class TimedDb extends DB {
  final List<Long> reads = new ArrayList<>();
  final List<Long> updates = new ArrayList<>();
  long errors;

  private final DB inner;

  TimedDb(Connection connection, Properties properties) throws DBException {
    inner = new HybridYcsbBinding(connection);
    inner.setProperties(properties);
    inner.init();
  }

  @Override
  public Status read(
      String table, String key, Set<String> fields, Map<String, ByteIterator> result) {
    long start = System.nanoTime();
    return timed(reads, start, inner.read(table, key, fields, result));
  }

  @Override
  public Status update(String table, String key, Map<String, ByteIterator> values) {
    long start = System.nanoTime();
    return timed(updates, start, inner.update(table, key, values));
  }

  private Status timed(List<Long> samples, long start, Status status) {
    samples.add(System.nanoTime() - start);
    if (!status.isOk()) {
      errors++;
    }
    return status;
  }

  @Override
  public void cleanup() throws DBException {
    inner.cleanup();
  }

  @Override
  public Status scan(
      String table,
      String key,
      int count,
      Set<String> fields,
      @SuppressWarnings("JdkObsolete") Vector<HashMap<String, ByteIterator>> result) {
    return Status.NOT_IMPLEMENTED;
  }

  @Override
  public Status insert(String table, String key, Map<String, ByteIterator> values) {
    return Status.NOT_IMPLEMENTED;
  }

  @Override
  public Status delete(String table, String key) {
    return Status.NOT_IMPLEMENTED;
  }
}
