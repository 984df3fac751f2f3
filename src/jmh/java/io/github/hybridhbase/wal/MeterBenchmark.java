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
package io.github.hybridhbase.wal;

import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.WalMetrics.OpenWal;
import io.github.hybridhbase.wal.HybridWALProvider.WalMeter;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.regionserver.wal.WALActionsListener;
import org.apache.yetus.audience.InterfaceAudience;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What the plugin's metrics add to an append and to a sync, called as HBase calls the listeners of
 * a WAL, without any I/O. What that is of a whole append: {@code MeteredAppendBenchmark}.
 */
@InterfaceAudience.Private
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class MeterBenchmark {
  @Param({"off", "on"})
  String metrics;

  private final List<WALActionsListener> listeners = new CopyOnWriteArrayList<>();

  /** A WAL with three replicas on SSD. */
  @Setup
  public void open() {
    if (metrics.equals("on")) {
      HybridMetrics.get().wals().opened("bench,1,1", "log", new OpenWal(3, 3, 3, false));
      WalMeter meter = new WalMeter();
      meter.postLogRoll(null, new Path("/hbase/WALs/bench,1,1/log.1"));
      listeners.add(meter);
    }
  }

  /** An append. */
  @Benchmark
  public void append() throws IOException {
    for (WALActionsListener listener : listeners) {
      listener.postAppend(1_024, 0, null, null);
    }
  }

  /** An append, and the sync that answers it. */
  @Benchmark
  public void appendAndSync() throws IOException {
    append();
    for (WALActionsListener listener : listeners) {
      listener.postSync(400_000, 1);
    }
  }
}
