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
 * How many calls of a server may wait at a time, and with how many bytes: each holds the thread
 * that handles it, and counts as request memory until it ends. Thread-safe, without a lock.
 */
@InterfaceAudience.Private
final class WritePlaces {
  /** HBase refuses calls, of whatever table, where those not yet answered have more bytes. */
  private static final String REQUEST_MEMORY = "hbase.ipc.server.max.callqueue.size";

  private static final long DEFAULT_REQUEST_MEMORY = 1L << 30;

  private final int most;
  private final long mostBytes;
  private final Semaphore places;
  private final AtomicLong bytes = new AtomicLong();

  /** Lets so many wait at a time. */
  WritePlaces(int most, long mostBytes) {
    this.most = most;
    this.mostBytes = mostBytes;
    this.places = new Semaphore(most);
  }

  /** Those of a server: three quarters of the handlers that write, a quarter of request memory. */
  static WritePlaces of(Configuration conf) {
    int handlers =
        conf.getInt(
            HConstants.REGION_SERVER_HANDLER_COUNT, HConstants.DEFAULT_REGION_SERVER_HANDLER_COUNT);
    float readShare = conf.getFloat(RWQueueRpcExecutor.CALL_QUEUE_READ_SHARE_CONF_KEY, 0);
    return new WritePlaces(
        count(handlers, readShare), conf.getLong(REQUEST_MEMORY, DEFAULT_REQUEST_MEMORY) / 4);
  }

  /**
   * How many may wait at a time.
   *
   * @param handlers of the server
   * @param readShare the part of them that HBase keeps for reads, 0 where all do both
   */
  static int count(int handlers, float readShare) {
    int readers = readShare > 0 ? Math.max(1, Math.round(handlers * readShare)) : 0;
    return Math.max(1, handlers - readers) * 3 / 4;
  }

  /** Takes a place for a call of so many bytes; false where there is none. */
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

  /** Gives it back. */
  void leave(long size) {
    bytes.addAndGet(-size);
    places.release();
  }

  /** How many wait now. */
  int waiting() {
    return most - places.availablePermits();
  }
}
