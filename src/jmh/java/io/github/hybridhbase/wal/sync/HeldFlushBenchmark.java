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

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hbase.thirdparty.io.netty.buffer.ByteBuf;
import org.apache.hbase.thirdparty.io.netty.buffer.PooledByteBufAllocator;
import org.apache.yetus.audience.InterfaceAudience;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A slow hsync under 200 writers: one flush is held while each of them appends and syncs, then all
 * that waited leaves. Only copying costs anything, no I/O and no checksum; HBase's output keeps
 * what it will send in one buffer of netty's, and so does this one.
 */
@InterfaceAudience.Private
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 1, jvmArgsAppend = "-Xmx3g")
public class HeldFlushBenchmark {
  private static final int WRITERS = 200;

  /** Bytes that each writer syncs: 200 MiB in all for the largest. */
  @Param({"1024", "65536", "1048576"})
  int bytes;

  private HeldOutput hdfs;
  private GroupCommit output;
  private byte[] entry;

  /** Opens the output. */
  @Setup(Level.Trial)
  public void open() {
    entry = new byte[bytes];
    hdfs = new HeldOutput();
    output = new GroupCommit(hdfs, true, new GatherPolicy(0), (task, nanos) -> true);
  }

  /** Frees the buffer. */
  @TearDown(Level.Trial)
  public void close() {
    hdfs.buf.release();
  }

  /** All 200, from the first append to the last answer. */
  @Benchmark
  public long twoHundredWritersBehindOneFlush() {
    CompletableFuture<Long> last = null;
    for (int writer = 0; writer < WRITERS; writer++) {
      output.stream().write(entry, 0, bytes);
      output.entryEnds();
      last = output.flush(true);
    }
    while (!last.isDone()) {
      hdfs.acknowledge();
    }
    return last.join();
  }

  /** Answers its one flush in flight when it is told to. */
  private static final class HeldOutput extends FakeHdfsOutput {
    private ByteBuf buf = PooledByteBufAllocator.DEFAULT.directBuffer(4096);
    private CompletableFuture<Long> held;
    private long length;

    void acknowledge() {
      CompletableFuture<Long> answered = held;
      held = null;
      answered.complete(length);
    }

    @Override
    public CompletableFuture<Long> flush(boolean sync) {
      length += buf.readableBytes();
      int usual = Math.min(4 << 20, buf.capacity());
      buf.release();
      buf = PooledByteBufAllocator.DEFAULT.directBuffer(usual);
      held = new CompletableFuture<>();
      return held;
    }

    @Override
    public void write(byte[] b, int off, int len) {
      buf.ensureWritable(len);
      buf.writeBytes(b, off, len);
    }

    @Override
    public void writeInt(int i) {
      buf.ensureWritable(4);
      buf.writeInt(i);
    }

    @Override
    public void write(ByteBuffer bb) {
      buf.ensureWritable(bb.remaining());
      buf.writeBytes(bb);
    }

    @Override
    public int buffered() {
      return buf.readableBytes();
    }

    @Override
    public long getSyncedLength() {
      return length;
    }
  }
}
