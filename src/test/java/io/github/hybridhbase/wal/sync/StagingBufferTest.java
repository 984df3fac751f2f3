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

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

@InterfaceAudience.Private
class StagingBufferTest {
  private static final class Collector implements FlushOutput {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private long count;
    private boolean keep = true;

    @Override
    public void write(byte[] b, int offset, int length) {
      count += length;
      if (keep) {
        bytes.write(b, offset, length);
      }
    }

    @Override
    public CompletableFuture<Long> flush(boolean force) {
      throw new AssertionError();
    }
  }

  private final StagingBuffer staged = new StagingBuffer();
  private final Collector out = new Collector();

  @Test
  void keepsEveryByteInOrderWhateverItIsWrittenAs() throws IOException {
    Random random = new Random(7);
    ByteArrayOutputStream expected = new ByteArrayOutputStream();
    DataOutputStream data = new DataOutputStream(expected);
    for (int i = 0; i < 3_000; i++) {
      byte[] piece = new byte[random.nextInt(500)];
      random.nextBytes(piece);
      switch (random.nextInt(5)) {
        case 0:
          staged.write(i);
          data.write(i);
          break;
        case 1:
          staged.writeInt(-i);
          data.writeInt(-i);
          break;
        case 2:
          staged.write(piece, piece.length / 3, piece.length / 2);
          data.write(piece, piece.length / 3, piece.length / 2);
          break;
        case 3:
          ByteBuffer direct = ByteBuffer.allocateDirect(piece.length);
          direct.put(piece);
          staged.write(direct, 0, piece.length);
          data.write(piece);
          break;
        default:
          staged.drainTo(out);
          assertEquals(0, staged.size());
      }
    }
    staged.drainTo(out);
    assertArrayEquals(expected.toByteArray(), out.bytes.toByteArray());
  }

  @Test
  void anEmptyBufferWritesNothing() {
    staged.drainTo(
        new FlushOutput() {
          @Override
          public void write(byte[] bytes, int offset, int length) {
            throw new AssertionError();
          }

          @Override
          public CompletableFuture<Long> flush(boolean force) {
            throw new AssertionError();
          }
        });
  }

  @Test
  void aHugeBatchGivesItsMemoryBack() {
    byte[] big = new byte[3 * StagingBuffer.KEPT];
    staged.write(big, 0, big.length);
    staged.drainTo(out);
    assertTrue(staged.capacity() <= StagingBuffer.KEPT);
  }

  @Test
  void aBatchAboveTwoGiBIsRefusedAndNotCutShort() {
    staged.write(1);
    assertThrows(
        IllegalStateException.class, () -> staged.write(new byte[0], 0, Integer.MAX_VALUE));
    assertEquals(1, staged.size());
  }

  @Test
  void anAppendAllocatesNothing() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long self = Thread.currentThread().getId();
    byte[] cell = new byte[1024];
    ByteBuffer buffer = ByteBuffer.allocateDirect(1024);
    out.keep = false;
    long before = 0;
    for (int i = 0; i < 60_000; i++) {
      if (i == 50_000) {
        before = threads.getThreadAllocatedBytes(self);
      }
      staged.writeInt(i);
      staged.write(cell, 0, cell.length);
      staged.write(buffer, 0, 1024);
      staged.write(i);
      if (i % 40 == 0) {
        staged.drainTo(out);
      }
    }
    long allocated = threads.getThreadAllocatedBytes(self) - before;
    // Not a byte per append; the call that measures may allocate a little itself.
    assertTrue(allocated < 5_000, allocated + " bytes for 10,000 appends");
    assertTrue(out.count > 100_000_000);
  }
}
