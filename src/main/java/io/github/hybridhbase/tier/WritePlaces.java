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

import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ipc.RWQueueRpcExecutor;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A limit on concurrently delayed calls and their bytes, since each occupies a handler and request
 * memory. Thread-safe, without a lock.
 */
@InterfaceAudience.Private
final class WritePlaces {
  /** HBase refuses calls of any table while unanswered calls exceed this. */
  private static final String REQUEST_MEMORY = "hbase.ipc.server.max.callqueue.size";

  private static final long DEFAULT_REQUEST_MEMORY = 1L << 30;

  private final int most;
  private final long mostBytes;
  private final Semaphore places;
  private final AtomicLong bytes = new AtomicLong();

  WritePlaces(int most, long mostBytes) {
    this.most = most;
    this.mostBytes = mostBytes;
    this.places = new Semaphore(most);
  }

  /** Three quarters of the write handlers, a quarter of request memory. */
  static WritePlaces of(Configuration conf) {
    int handlers =
        conf.getInt(
            HConstants.REGION_SERVER_HANDLER_COUNT, HConstants.DEFAULT_REGION_SERVER_HANDLER_COUNT);
    float readShare = conf.getFloat(RWQueueRpcExecutor.CALL_QUEUE_READ_SHARE_CONF_KEY, 0);
    return new WritePlaces(
        count(handlers, readShare), conf.getLong(REQUEST_MEMORY, DEFAULT_REQUEST_MEMORY) / 4);
  }

  /**
   * @param readShare HBase's part of handlers for reads; 0 if all do both
   */
  static int count(int handlers, float readShare) {
    int readers = readShare > 0 ? Math.max(1, Math.round(handlers * readShare)) : 0;
    return Math.max(1, handlers - readers) * 3 / 4;
  }

  /** False if there is none. */
  boolean enter(long size) {
    if (!places.tryAcquire()) {
      return false;
    }
    if (bytes.addAndGet(size) > mostBytes) {
      leave(size);
      return false;
    }
    return true;
  }

  void leave(long size) {
    bytes.addAndGet(-size);
    places.release();
  }

  int waiting() {
    return most - places.availablePermits();
  }
}
