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
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.util.Random;
import org.apache.hadoop.hbase.io.ByteArrayOutputStream;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

@InterfaceAudience.Private
class StagingBufferTest {
  private final StagingBuffer staged = new StagingBuffer();

  @Test
  void keepsEveryByteInOrderWhateverItIsWrittenAs() throws IOException {
    Random random = new Random(7);
    var expected = new java.io.ByteArrayOutputStream();
    var sent = new java.io.ByteArrayOutputStream();
    DataOutputStream data = new DataOutputStream(expected);
    for (int i = 0; i < 6_000; i++) {
      byte[] piece = new byte[random.nextInt(random.nextInt(100) == 0 ? 400_000 : 500)];
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
          ByteArrayOutputStream taken = staged.take();
          assertEquals(0, staged.size());
          sent.write(taken.getBuffer(), 0, taken.size());
          staged.reuse(taken);
      }
    }
    sent.write(staged.take().toByteArray());
    assertArrayEquals(expected.toByteArray(), sent.toByteArray());
  }

  @Test
  void whatASyncHasTakenIsNotWrittenToUntilItIsReused() {
    staged.write(1);
    ByteArrayOutputStream first = staged.take();
    staged.write(2);
    assertNotSame(first, staged.take());
    assertArrayEquals(new byte[] {1}, first.toByteArray());
    staged.reuse(first);
    staged.take();
    assertSame(first, staged.take());
    assertEquals(0, first.size());
  }

  @Test
  void aHugeBatchGivesItsMemoryBack() {
    byte[] piece = new byte[StagingBuffer.LARGEST];
    for (int sync = 0; sync < 100; sync++) {
      staged.write(piece, 0, piece.length);
      staged.write(piece, 0, sync % 2);
      staged.reuse(staged.take());
      staged.reuse(new ByteArrayOutputStream(piece.length));
    }
    long kept = 0;
    for (int sync = 0; sync < 100; sync++) {
      kept += staged.take().getBuffer().length;
    }
    assertTrue(kept <= StagingBuffer.KEPT + 100 * StagingBuffer.NEW, kept + " bytes");
  }

  @Test
  void syncsOfHundredsOfWritersBehindOneFlushAllocateNothing() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long self = Thread.currentThread().getId();
    byte[] cell = new byte[1024];
    ByteArrayOutputStream[] waiting = new ByteArrayOutputStream[500];
    long before = 0;
    for (int flush = 0; flush < 40; flush++) {
      before = flush == 20 ? threads.getThreadAllocatedBytes(self) : before;
      for (int sync = 0; sync < waiting.length; sync++) {
        staged.write(cell, 0, cell.length);
        waiting[sync] = staged.take();
      }
      for (ByteArrayOutputStream sent : waiting) {
        staged.reuse(sent);
      }
    }
    long allocated = threads.getThreadAllocatedBytes(self) - before;
    assertTrue(allocated < 5_000, allocated + " bytes for 10,000 syncs");
  }

  @Test
  void aBatchAboveTwoGiBIsRefusedAndNotCutShort() {
    staged.write(1);
    assertThrows(
        BufferOverflowException.class, () -> staged.write(new byte[0], 0, Integer.MAX_VALUE));
    assertEquals(1, staged.size());
  }

  @Test
  void anAppendAllocatesNothing() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long self = Thread.currentThread().getId();
    byte[] cell = new byte[1024];
    ByteBuffer buffer = ByteBuffer.allocateDirect(1024);
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
        staged.reuse(staged.take());
      }
    }
    long allocated = threads.getThreadAllocatedBytes(self) - before;
    // Not a byte per append; the call that measures may allocate a little itself.
    assertTrue(allocated < 5_000, allocated + " bytes for 10,000 appends");
  }
}
