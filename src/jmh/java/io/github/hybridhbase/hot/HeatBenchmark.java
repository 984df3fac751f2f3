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
package io.github.hybridhbase.hot;

import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.util.Bytes;
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
 * What a Get costs that is counted by row, with a sketch and without one: the store's part of the
 * hook, for rows of 24 bytes of a store of ten million, chosen with equal chances.
 */
@InterfaceAudience.Private
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class HeatBenchmark {
  private static final int ROWS = 1 << 16;

  @Param({"none", "sketch"})
  String counted;

  private final byte[][] rows = new byte[ROWS][];
  private final StoreHeat heat = new StoreHeat();
  private int next;

  /** Rows, and a sketch that knows them. */
  @Setup
  public void open() {
    Random random = new Random(1);
    for (int i = 0; i < ROWS; i++) {
      rows[i] = Bytes.toBytes(String.format("user%020d", random.nextInt(10_000_000)));
    }
    if (counted.equals("sketch")) {
      heat.sketch = new HeatSketch();
      for (byte[] row : rows) {
        heat.read(row);
        heat.sketch.fit(Long.MAX_VALUE);
      }
    }
  }

  /** A read. */
  @Benchmark
  public void read() {
    heat.read(rows[next++ & ROWS - 1]);
  }
}
