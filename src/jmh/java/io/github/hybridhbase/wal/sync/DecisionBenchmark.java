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
package io.github.hybridhbase.wal.sync;

import io.github.hybridhbase.wal.failover.Pipeline;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.DatanodeInfoBuilder;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.yetus.audience.InterfaceAudience;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What the plugin adds to an append, a sync and a flush, in nanoseconds, without any I/O. */
@InterfaceAudience.Private
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class DecisionBenchmark {
  private static final CompletableFuture<Long> DONE = CompletableFuture.completedFuture(1L);

  private final DatanodeInfo[] pipeline = new DatanodeInfo[3];
  private final byte[] entry = new byte[1024];
  private final StagingBuffer staged = new StagingBuffer();
  private final GatherPolicy policy = new GatherPolicy(50);
  private final FakeHdfsOutput output =
      new FakeHdfsOutput() {
        @Override
        public void write(byte[] bytes, int offset, int length) {
          // Costs nothing, so that only the group commit is measured.
        }

        @Override
        public CompletableFuture<Long> flush(boolean force) {
          return DONE;
        }
      };
  private final GroupCommit groupCommit =
      new GroupCommit(
          output,
          false,
          new GatherPolicy(50),
          (task, nanos) -> { // nothing gathers here
            task.run();
            return true;
          });

  /** Three replicas on SSD. */
  public DecisionBenchmark() {
    DatanodeInfo node =
        new DatanodeInfoBuilder()
            .setNodeID(new DatanodeID("127.0.0.1", "localhost", "uuid", 1, 2, 3, 4))
            .build();
    Arrays.fill(pipeline, new DatanodeInfoWithStorage(node, "storage", StorageType.SSD));
    policy.flushed(50, 50, 1_000_000);
    groupCommit.staged = staged;
  }

  /** Asked per open with asyncfs, per sync with filesystem. */
  @Benchmark
  public boolean everyReplicaOnSsd() {
    return Pipeline.everyReplicaOnSsd(pipeline);
  }

  /** Asked per batch. */
  @Benchmark
  public long delayOfABatch() {
    return policy.delayNanos(50);
  }

  /** 1 KB into the staging buffer: what an append pays. */
  @Benchmark
  public int stageAnEntry() {
    if (staged.size() > 64 * 1024) {
      forget();
    }
    staged.write(entry, 0, entry.length);
    return staged.size();
  }

  /** A sync that finds nothing under way, and its acknowledgement. */
  @Benchmark
  public CompletableFuture<Long> syncAndAcknowledge() {
    forget();
    staged.write(entry, 0, 16);
    return groupCommit.sync(false, 1);
  }

  private void forget() {
    staged.reuse(staged.take());
  }
}
