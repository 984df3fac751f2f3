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
import java.util.function.IntSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ipc.RWQueueRpcExecutor;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.regionserver.RegionServerServices;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutateRequest;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The calls of one server that may wait before they write: which ones, how many at a time, and how
 * long each has waited. Thread-safe.
 */
@InterfaceAudience.Private
final class WriteCalls {
  /** What a handler's thread remembers of the call that it works on. */
  static final class Waited {
    private long began;
    private long millis;
    private Object done;

    /** Milliseconds that the call has waited, for all its regions. */
    long millis() {
      return millis;
    }

    void add(long more) {
      millis += more;
    }

    /**
     * Whether it may wait for a region: the first time that it comes there, and a call to one
     * region at its first region only. Later it may hold the lock of a row.
     *
     * @param mark stands for the region
     */
    boolean isFirst(Object mark, RpcCall call) {
      if (done == mark || (done != null && isForOneRegion(call))) {
        return false;
      }
      done = mark;
      return true;
    }

    private static boolean isForOneRegion(RpcCall call) {
      return !(call.getParam() instanceof MultiRequest)
          || ((MultiRequest) call.getParam()).getRegionActionCount() == 1;
    }
  }

  private final ThreadLocal<Waited> waited = ThreadLocal.withInitial(Waited::new);
  private final int most;
  private final Semaphore places;
  private final IntSupplier queued;

  /**
   * Lets so many wait at a time.
   *
   * @param queued calls that no handler has taken yet
   */
  WriteCalls(int places, IntSupplier queued) {
    this.most = places;
    this.places = new Semaphore(places);
    this.queued = queued;
  }

  /** Those of a server: three quarters of the handlers that write may wait. */
  static WriteCalls of(Configuration conf, RegionServerServices server) {
    return new WriteCalls(
        places(
            conf.getInt(
                HConstants.REGION_SERVER_HANDLER_COUNT,
                HConstants.DEFAULT_REGION_SERVER_HANDLER_COUNT),
            conf.getFloat(RWQueueRpcExecutor.CALL_QUEUE_READ_SHARE_CONF_KEY, 0)),
        () -> server.getRpcServer().getScheduler().getGeneralQueueLength());
  }

  /**
   * How many may wait at a time.
   *
   * @param handlers of the server
   * @param readShare the part of them that HBase keeps for reads, 0 where all do both
   */
  static int places(int handlers, float readShare) {
    int readers = readShare > 0 ? Math.max(1, Math.round(handlers * readShare)) : 0;
    return Math.max(1, handlers - readers) * 3 / 4;
  }

  /**
   * Whether a call may wait: a client's plain write, on the handlers for such. A coprocessor's
   * endpoint may hold locks when it writes, and a call with a priority has handlers of its own.
   */
  static boolean mayWait(RpcCall call) {
    return call.getPriority() <= HConstants.NORMAL_QOS
        && (call.getParam() instanceof MultiRequest || call.getParam() instanceof MutateRequest);
  }

  /** What this thread remembers of the call: nothing where it is a new one. */
  Waited waited(RpcCall call) {
    Waited known = waited.get();
    if (known.began != call.getStartTime()) {
      known.began = call.getStartTime();
      known.millis = 0;
      known.done = null;
    }
    return known;
  }

  /** Calls of clients, of any kind and table, that no handler has taken yet. */
  int queued() {
    return queued.getAsInt();
  }

  /** Takes a place; false where all are taken. */
  boolean enter() {
    return places.tryAcquire();
  }

  /** How many wait now. */
  int waiting() {
    return most - places.availablePermits();
  }

  /** Gives the place back. */
  void leave() {
    places.release();
  }
}
