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

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hbase.thirdparty.io.netty.buffer.ByteBuf;
import org.apache.hbase.thirdparty.io.netty.buffer.PooledByteBufAllocator;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * How often a byte is copied between its append and its packet: HBase's output holds what it will
 * send in one buffer, and netty copies all of it whenever it grows.
 */
@InterfaceAudience.Private
class CopiedBytesTest {
  private static final int BATCH = 64 * 1024;
  private static final byte[] CELL = new byte[1024];

  /** HBase's output, with its buffer. */
  private static final class BufferedHdfsOutput extends FakeHdfsOutput {
    private ByteBuf buf = PooledByteBufAllocator.DEFAULT.directBuffer(4096);
    private long copied;
    private int largest;

    @Override
    public void write(byte[] b, int off, int len) {
      super.write(b, off, len);
      int before = buf.capacity();
      buf.ensureWritable(len);
      copied += before == buf.capacity() ? 0 : buf.readableBytes();
      buf.writeBytes(b, off, len);
      copied += len;
      largest = Math.max(largest, buf.readableBytes());
    }

    @Override
    public CompletableFuture<Long> flush(boolean sync) {
      buf.release();
      buf = PooledByteBufAllocator.DEFAULT.directBuffer(4096);
      return super.flush(sync);
    }
  }

  private final BufferedHdfsOutput hdfs = new BufferedHdfsOutput();
  private final ManualTimer timer = new ManualTimer();
  private final GroupCommit output = new GroupCommit(hdfs, true, new GatherPolicy(0), timer);

  @ParameterizedTest
  @ValueSource(ints = {16, 64, 256})
  void stagedBytes_areCopiedEquallyOften_whateverTheirNumber(int mib) {
    List<CompletableFuture<Long>> all = new ArrayList<>();
    all.add(append(10)); // held
    long bytes = (long) mib << 20;
    for (long at = 0; at < bytes; at += BATCH) {
      all.add(append(BATCH));
    }
    while (hdfs.ack()) {
      // The next one leaves.
    }
    double copies = (double) hdfs.copied / bytes;
    System.out.printf(
        "%d MiB behind one flush: each byte copied %.2f times into a buffer of at most %.1f MiB%n",
        mib, copies, hdfs.largest / 1048576.0);
    assertTrue(copies < 2.5, copies + " copies of each byte");
    assertTrue(hdfs.largest <= 4 << 20, hdfs.largest + " bytes in one buffer");
    all.forEach(sync -> assertTrue(sync.isDone() && !sync.isCompletedExceptionally()));
  }

  /** An entry of cells. */
  private CompletableFuture<Long> append(int bytes) {
    for (int at = 0; at < bytes; at += CELL.length) {
      output.stream().write(CELL, 0, Math.min(CELL.length, bytes - at));
    }
    output.entryEnds();
    return output.flush(true);
  }
}
