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

import io.github.hybridhbase.metrics.HybridMetrics;
import io.github.hybridhbase.metrics.HybridMetrics.Metric;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.regionserver.RegionServerServices;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Action;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutateRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Has the calls of one server that write wait, on the threads that handle them: once, before the
 * first change, when they hold no lock of a row, and for as long as the region asks for most of all
 * that the call writes to. What comes later in a call waits for nothing, since a coprocessor may
 * write while rows are locked. A wait ends early where the pressure falls, another call waits for a
 * thread, the first region closes or is about to be locked, the server stops or the thread is
 * interrupted. Reads HBase's memory only, and takes no lock. Thread-safe.
 */
@InterfaceAudience.Private
final class WriteCalls {
  /** After so many milliseconds a call that waits looks again: others may wait for its thread. */
  static final long SLICE_MILLIS = 5;

  /** Milliseconds for which HBase puts the flush of a region with too many files off. */
  private static final String PUT_OFF = "hbase.hstore.blockingWaitTime";

  private static final int DEFAULT_PUT_OFF = 90_000;

  /** Where it is shorter HBase flushes before the memstore is full, and need not be helped. */
  private static final int SHORT_PUT_OFF = 10_000;

  /** A region that calls write to. */
  interface WrittenRegion {
    /** How near it is to the point where HBase refuses its writes, see {@link WritePressure}. */
    double pressure();

    /** Whether HBase is about to lock it, for which it would await who waits there. */
    boolean isAboutToLock();
  }

  /** Waits. */
  interface Sleeper {
    void sleep(long millis) throws InterruptedException;
  }

  private final Map<ByteString, WrittenRegion> regions = new ConcurrentHashMap<>();

  /**
   * When the call began that this thread has let through last; no reference, which would keep it.
   */
  private final ThreadLocal<long[]> seen = ThreadLocal.withInitial(() -> new long[1]);

  private final int mostMillis;
  private final WritePlaces places;
  private final IntSupplier queued;
  private final BooleanSupplier ended;
  private final Sleeper sleeper;

  /**
   * No region is open.
   *
   * @param mostMillis the longest that a call waits
   * @param queued calls of clients, of any kind and table, that no handler has taken yet
   * @param ended whether the server has stopped
   */
  WriteCalls(
      int mostMillis,
      WritePlaces places,
      IntSupplier queued,
      BooleanSupplier ended,
      Sleeper sleeper) {
    this.mostMillis = mostMillis;
    this.places = places;
    this.queued = queued;
    this.ended = ended;
    this.sleeper = sleeper;
  }

  /**
   * Those of a server; empty where none is to wait.
   *
   * @param mostMillis the longest that a call waits, 0 for none
   */
  static Optional<WriteCalls> of(
      Configuration conf, RegionServerServices server, int mostMillis, BooleanSupplier ended) {
    return mostMillis == 0 || conf.getInt(PUT_OFF, DEFAULT_PUT_OFF) < SHORT_PUT_OFF
        ? Optional.empty()
        : Optional.of(
            new WriteCalls(
                mostMillis,
                WritePlaces.of(conf),
                () -> server.getRpcServer().getScheduler().getGeneralQueueLength(),
                ended,
                Thread::sleep));
  }

  /** A region is open: calls that name it may wait for it. */
  void opened(byte[] regionName, WrittenRegion region) {
    regions.put(ByteString.copyFrom(regionName), region);
  }

  /** A region has closed. */
  void closed(byte[] regionName) {
    regions.remove(ByteString.copyFrom(regionName));
  }

  /** How many calls wait now. */
  int waiting() {
    return places.waiting();
  }

  /**
   * A call is about to change something for the first time, or to lock a row for that.
   *
   * @param at the region that it has come to
   * @param local whether it is no change that came by replication
   */
  void before(RpcCall call, WrittenRegion at, boolean local) {
    long[] last = seen.get();
    if (last[0] == call.getStartTime()) {
      return;
    }
    last[0] = call.getStartTime();
    if (local && mayWait(call) && asked(call) > 0 && places.enter(call.getSize())) {
      await(call, at);
    }
  }

  private void await(RpcCall call, WrittenRegion at) {
    long waited = 0;
    try {
      long left = asked(call);
      while (left > 0 && !at.isAboutToLock() && !ended.getAsBoolean()) {
        long slice = Math.min(left, SLICE_MILLIS);
        sleeper.sleep(slice);
        waited += slice;
        left = WritePressure.leftMillis(asked(call), waited, queued.getAsInt());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      places.leave(call.getSize());
      if (waited > 0) {
        HybridMetrics.get().count(Metric.WRITES_DELAYED);
        HybridMetrics.get().count(Metric.WRITE_DELAY, waited);
      }
    }
  }

  /**
   * Whether a call may wait: a client's plain write, on the handlers for such. A coprocessor's
   * endpoint may hold locks when it writes, and a call with a priority has handlers of its own.
   */
  private static boolean mayWait(RpcCall call) {
    return call.getPriority() <= HConstants.NORMAL_QOS
        && (call.getParam() instanceof MultiRequest || call.getParam() instanceof MutateRequest);
  }

  /** Milliseconds that the call is to wait altogether; 0 while another one waits for a thread. */
  private long asked(RpcCall call) {
    Message what = call.getParam();
    double pressure = WritePressure.NONE;
    int count = 1;
    if (what instanceof MutateRequest) {
      pressure = pressure(((MutateRequest) what).getRegion().getValue());
    } else {
      MultiRequest multi = (MultiRequest) what;
      count = multi.getRegionActionCount();
      for (int i = 0; i < count; i++) {
        RegionAction one = multi.getRegionAction(i);
        double more = pressure(one.getRegion().getValue());
        pressure = more > pressure && writes(one) ? more : pressure;
      }
    }
    if (pressure < 0 || queued.getAsInt() > 0) {
      return 0;
    }
    long untilDeadline = call.getDeadline() - System.currentTimeMillis();
    return Math.min(
        WritePressure.mostMillis(mostMillis, untilDeadline),
        WritePressure.delayMillis(pressure, call.getSize() / Math.max(1, count), mostMillis));
  }

  private double pressure(ByteString regionName) {
    WrittenRegion of = regions.get(regionName);
    return of == null ? WritePressure.NONE : of.pressure();
  }

  private static boolean writes(RegionAction region) {
    for (int i = 0; i < region.getActionCount(); i++) {
      Action action = region.getAction(i);
      if (action.hasMutation()) {
        return true;
      }
    }
    return false;
  }
}
