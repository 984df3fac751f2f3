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
import io.github.hybridhbase.metrics.Metric;
import java.lang.management.MemoryType;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleSupplier;
import java.util.function.IntSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.io.util.MemorySizeUtil;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.regionserver.RegionServerServices;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Action;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutateRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Has the calls of one server that write wait, on the threads that handle them: once, before the
 * first change, when they hold no lock of a row, and for as long as the regions ask for that it
 * writes to, each by its part of the call. What comes later in a call waits for nothing, since a
 * coprocessor may write while rows are locked. A wait ends early where the pressure falls, another
 * call waits for a thread, the first region closes or is about to be locked, the server stops or
 * the thread is interrupted. Reads HBase's memory only, and takes no lock. Thread-safe.
 */
@InterfaceAudience.Private
final class WriteCalls {
  /** After so many milliseconds a call that waits looks again: others may wait for its thread. */
  static final long SLICE_MILLIS = 5;

  /** Milliseconds for which HBase puts the flush of a region with too many files off. */
  private static final String PUT_OFF = "hbase.hstore.blockingWaitTime";

  private static final int DEFAULT_PUT_OFF = 90_000;

  /** Where it is shorter, files hardly put a flush off; it also turns the other waits off. */
  private static final int SHORT_PUT_OFF = 10_000;

  /** A region that calls write to. */
  interface WrittenRegion {
    /**
     * Milliseconds that it asks a call to wait; 0 for none.
     *
     * @param bytes that the call brings it
     * @param ofServer the pressure of the server's memstores
     */
    double askedMillis(double bytes, double ofServer);

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

  private final long longestPutOffNanos;
  private final WritePlaces places;
  private final DoubleSupplier pressure;
  private final IntSupplier queued;
  private final BooleanSupplier ended;
  private final Sleeper sleeper;

  /**
   * No region is open.
   *
   * @param longestPutOffNanos for which HBase puts a flush off where there are too many files
   * @param pressure of the server's memstores ({@link WritePressure#ofServer})
   * @param queued calls of clients, of any kind and table, that no handler has taken yet
   * @param ended whether the server has stopped
   */
  WriteCalls(
      long longestPutOffNanos,
      WritePlaces places,
      DoubleSupplier pressure,
      IntSupplier queued,
      BooleanSupplier ended,
      Sleeper sleeper) {
    this.longestPutOffNanos = longestPutOffNanos;
    this.places = places;
    this.pressure = pressure;
    this.queued = queued;
    this.ended = ended;
    this.sleeper = sleeper;
  }

  /** Those of a server; empty where none is to wait. */
  static Optional<WriteCalls> of(
      Configuration conf, RegionServerServices server, BooleanSupplier ended) {
    int putOff = conf.getInt(PUT_OFF, DEFAULT_PUT_OFF);
    boolean onHeap = MemorySizeUtil.getGlobalMemStoreSize(conf).getSecond() == MemoryType.HEAP;
    double lowMark = MemorySizeUtil.getGlobalMemStoreHeapLowerMark(conf, onHeap);
    return putOff < SHORT_PUT_OFF
        ? Optional.empty()
        : Optional.of(
            new WriteCalls(
                TimeUnit.MILLISECONDS.toNanos(putOff),
                WritePlaces.of(conf),
                () -> WritePressure.ofServer(server.getFlushPressure(), lowMark),
                () -> server.getRpcServer().getScheduler().getGeneralQueueLength(),
                ended,
                Thread::sleep));
  }

  /** For how long HBase puts a flush off where there are too many files. */
  long longestPutOffNanos() {
    return longestPutOffNanos;
  }

  /** How near the server is to where HBase blocks all updates; negative where none waits. */
  double pressure() {
    return pressure.getAsDouble();
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
    long asked = local && mayWait(call) ? asked(call) : 0;
    if (asked > 0 && places.enter(call.getSize())) {
      await(call, at, asked);
    }
  }

  private void await(RpcCall call, WrittenRegion at, long asked) {
    long waited = 0;
    try {
      long left = asked;
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

  /**
   * Milliseconds that the call is to wait altogether: what the regions that it writes to ask for,
   * each by its part of the call; 0 while another call waits for a thread.
   */
  private long asked(RpcCall call) {
    Message what = call.getParam();
    double ofServer = pressure.getAsDouble();
    double millis = 0;
    if (what instanceof MutateRequest) {
      millis = asked(((MutateRequest) what).getRegion(), call.getSize(), ofServer);
    } else {
      MultiRequest multi = (MultiRequest) what;
      int all = 0;
      for (int i = 0; i < multi.getRegionActionCount(); i++) {
        all += multi.getRegionAction(i).getActionCount();
      }
      for (int i = 0; i < multi.getRegionActionCount(); i++) {
        RegionAction one = multi.getRegionAction(i);
        double part = (double) one.getActionCount() / Math.max(1, all);
        double more = part * asked(one.getRegion(), part * call.getSize(), ofServer);
        millis += more > 0 && writes(one) ? more : 0;
      }
    }
    if (millis == 0 || queued.getAsInt() > 0) {
      return 0;
    }
    long untilDeadline = call.getDeadline() - System.currentTimeMillis();
    return WritePressure.mostMillis(Math.round(millis), untilDeadline);
  }

  private double asked(RegionSpecifier region, double bytes, double ofServer) {
    WrittenRegion of = regions.get(region.getValue());
    return of == null ? 0 : of.askedMillis(bytes, ofServer);
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
