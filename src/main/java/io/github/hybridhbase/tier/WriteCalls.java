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

import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.Metric;
import java.lang.management.MemoryType;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleBinaryOperator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.io.util.MemorySizeUtil;
import org.apache.hadoop.hbase.ipc.RWQueueRpcExecutor;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.regionserver.RegionServerServices;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Action;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutateRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.util.Threads;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A throttle of one server's write calls on their handler threads. Delays a call once, before its
 * first change: a coprocessor may make later ones under row locks. The delay is the regions' sum,
 * weighted by their parts of the call; it ends early if the pressure falls, another call is queued,
 * the region closes, the server stops or the thread is interrupted. Takes no lock. Thread-safe.
 * Tests replace what reads HBase.
 */
@InterfaceAudience.Private
class WriteCalls {
  static final long SLICE_MILLIS = 5;

  private static final String DEFERRAL = "hbase.hstore.blockingWaitTime";

  private static final int DEFAULT_DEFERRAL = 90_000;

  /** Milliseconds asked of a call, by its bytes for the region and the server's pressure. */
  private final Map<ByteString, DoubleBinaryOperator> regions = new ConcurrentHashMap<>();

  /** Start of the last call seen on this thread; the call itself would be retained. */
  private final ThreadLocal<long[]> seen = ThreadLocal.withInitial(() -> new long[1]);

  final long longestDeferralNanos;
  private final int most;
  private final double lowMark;
  private final RegionServerServices server;

  /** Delayed calls, each on a handler. */
  final AtomicInteger waiting = new AtomicInteger();

  WriteCalls(Configuration conf, RegionServerServices server) {
    boolean onHeap = MemorySizeUtil.getGlobalMemStoreSize(conf).getSecond() == MemoryType.HEAP;
    this.longestDeferralNanos =
        TimeUnit.MILLISECONDS.toNanos(conf.getInt(DEFERRAL, DEFAULT_DEFERRAL));
    this.most =
        places(
            conf.getInt(
                HConstants.REGION_SERVER_HANDLER_COUNT,
                HConstants.DEFAULT_REGION_SERVER_HANDLER_COUNT),
            conf.getFloat(RWQueueRpcExecutor.CALL_QUEUE_READ_SHARE_CONF_KEY, 0));
    this.lowMark = MemorySizeUtil.getGlobalMemStoreHeapLowerMark(conf, onHeap);
    this.server = server;
  }

  /**
   * Three quarters of the handlers that write.
   *
   * @param readShare part of handlers for reads; 0 if all do both
   */
  static int places(int handlers, float readShare) {
    int readers = readShare > 0 ? Math.max(1, Math.round(handlers * readShare)) : 0;
    return Math.max(1, handlers - readers) * 3 / 4;
  }

  double pressure() {
    return WritePressure.ofServer(server.getFlushPressure(), lowMark);
  }

  int queued() {
    return server.getRpcServer().getScheduler().getGeneralQueueLength();
  }

  boolean isStopping() {
    return server.isStopped() || server.isAborted();
  }

  void sleep(long millis) {
    Threads.sleep(millis);
  }

  void opened(byte[] regionName, DoubleBinaryOperator askedMillis) {
    regions.put(ByteString.copyFrom(regionName), askedMillis);
  }

  void closed(byte[] regionName) {
    regions.remove(ByteString.copyFrom(regionName));
  }

  /**
   * Call it before a change or row lock.
   *
   * @param closing whether the region's closing would block behind delayed calls
   * @param local false for a change by replication
   */
  void before(RpcCall call, BooleanSupplier closing, boolean local) {
    long[] last = seen.get();
    if (last[0] == call.getStartTime()) {
      return;
    }
    last[0] = call.getStartTime();
    long asked = local && mayWait(call) ? asked(call) : 0;
    if (asked == 0) {
      return;
    }
    long waited = 0;
    try {
      long left = waiting.incrementAndGet() <= most ? asked : 0;
      while (left > 0
          && !closing.getAsBoolean()
          && !isStopping()
          && !Thread.currentThread().isInterrupted()) {
        long slice = Math.min(left, SLICE_MILLIS);
        sleep(slice);
        waited += slice;
        left = asked(call) - waited;
      }
    } finally {
      waiting.decrementAndGet();
      if (waited > 0) {
        HybridMetrics.get().count(Metric.WRITES_DELAYED);
        HybridMetrics.get().count(Metric.WRITE_DELAY, waited);
      }
    }
  }

  /**
   * Only a client's plain write at normal priority: an endpoint may hold locks, and other calls
   * have other handlers.
   */
  private static boolean mayWait(RpcCall call) {
    return call.getPriority() <= HConstants.NORMAL_QOS
        && (call.getParam() instanceof MultiRequest || call.getParam() instanceof MutateRequest);
  }

  /** Milliseconds, at most half the time until the client gives up; 0 if another call is queued. */
  private long asked(RpcCall call) {
    Message what = call.getParam();
    double ofServer = pressure();
    double millis = 0;
    if (what instanceof MutateRequest) {
      millis = asked(((MutateRequest) what).getRegion(), call.getSize(), ofServer);
    } else {
      MultiRequest multi = (MultiRequest) what;
      int all = multi.getRegionActionList().stream().mapToInt(RegionAction::getActionCount).sum();
      for (RegionAction one : multi.getRegionActionList()) {
        double part = (double) one.getActionCount() / Math.max(1, all);
        double more = part * asked(one.getRegion(), part * call.getSize(), ofServer);
        boolean delays = more > 0 && one.getActionList().stream().anyMatch(Action::hasMutation);
        millis += delays ? more : 0;
      }
    }
    if (millis == 0 || queued() > 0) {
      return 0;
    }
    long untilDeadline = call.getDeadline() - System.currentTimeMillis();
    return Math.max(0, Math.min(Math.round(millis), untilDeadline / 2));
  }

  private double asked(RegionSpecifier region, double bytes, double ofServer) {
    DoubleBinaryOperator of = regions.get(region.getValue());
    return of == null ? 0 : of.applyAsDouble(bytes, ofServer);
  }
}
