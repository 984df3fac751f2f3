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

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.Vector;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.yetus.audience.InterfaceAudience;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.DBException;
import site.ycsb.Status;

/** Times another binding. Used by one thread, read by another. */
@InterfaceAudience.Private
final class RecordingDb extends DB {
  private final DB inner;
  private final AtomicLong errors = new AtomicLong();
  private Latencies latencies = new Latencies();

  RecordingDb(DB inner) {
    this.inner = inner;
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

  private Status answered(String kind, long start, Status status) {
    if (status.isOk()) {
      record(kind, System.nanoTime() - start);
    } else {
      errors.incrementAndGet();
    }
    return status;
  }

  @Override
  public void init() throws DBException {
    inner.setProperties(getProperties());
    inner.init();
  }

  @Override
  public void cleanup() throws DBException {
    inner.cleanup();
  }

  @Override
  public Status read(
      String table, String key, Set<String> fields, Map<String, ByteIterator> result) {
    long start = System.nanoTime();
    return answered("read", start, inner.read(table, key, fields, result));
  }

  @Override
  public Status scan(
      String table,
      String key,
      int count,
      Set<String> fields,
      @SuppressWarnings("JdkObsolete") Vector<HashMap<String, ByteIterator>> result) {
    long start = System.nanoTime();
    return answered("scan", start, inner.scan(table, key, count, fields, result));
  }

  @Override
  public Status update(String table, String key, Map<String, ByteIterator> values) {
    long start = System.nanoTime();
    return answered("update", start, inner.update(table, key, values));
  }

  @Override
  public Status insert(String table, String key, Map<String, ByteIterator> values) {
    long start = System.nanoTime();
    return answered("insert", start, inner.insert(table, key, values));
  }

  @Override
  public Status delete(String table, String key) {
    long start = System.nanoTime();
    return answered("delete", start, inner.delete(table, key));
  }
}
