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
import java.util.ArrayDeque;
import java.util.Random;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

@InterfaceAudience.Private
class StagingBufferTest {
  private static final class Collector extends FakeHdfsOutput {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private long count;
    private int writes;
    private boolean keep = true;

    @Override
    public void write(byte[] b, int offset, int length) {
      count += length;
      writes++;
      if (keep) {
        bytes.write(b, offset, length);
      }
    }
  }

  private final StagingBuffer staged = new StagingBuffer();
  private final Collector out = new Collector();

  private void drain() {
    staged.drainTo(out, staged.mark());
  }

  @Test
  void keepsEveryByteInOrderWhateverItIsWrittenAs() throws IOException {
    Random random = new Random(7);
    ByteArrayOutputStream expected = new ByteArrayOutputStream();
    DataOutputStream data = new DataOutputStream(expected);
    ArrayDeque<Integer> marked = new ArrayDeque<>();
    for (int i = 0; i < 6_000; i++) {
      byte[] piece = new byte[random.nextInt(random.nextInt(100) == 0 ? 400_000 : 500)];
      random.nextBytes(piece);
      switch (random.nextInt(6)) {
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
        case 4:
          marked.add(staged.mark());
          assertEquals(0, staged.size());
          break;
        default:
          // Some of what waits leaves while an entry is half written.
          for (int left = random.nextInt(3); left > 0 && !marked.isEmpty(); left--) {
            staged.drainTo(out, marked.remove());
          }
      }
    }
    marked.add(staged.mark());
    marked.forEach(bytes -> staged.drainTo(out, bytes));
    assertArrayEquals(expected.toByteArray(), out.bytes.toByteArray());
  }

  @Test
  void whatWasMarkedIsForgottenAndWhatCameLaterIsNot() {
    staged.write(new byte[StagingBuffer.CHUNK], 0, StagingBuffer.CHUNK);
    staged.mark();
    staged.write(7);
    staged.drop();
    assertEquals(1, staged.mark());
    staged.drainTo(out, 1);
    assertArrayEquals(new byte[] {7}, out.bytes.toByteArray());
  }

  /** A value is one piece, and of many small ones each is as large as all before it. */
  @Test
  void aLargeSyncIsHandedOverInFewPieces() {
    byte[] cell = new byte[40 * 1024 * 1024];
    out.keep = false;
    staged.writeInt(1);
    staged.write(cell, 0, cell.length);
    drain();
    assertEquals(2, out.writes);
    out.writes = 0;
    for (int at = 0; at < cell.length; at += 1024) {
      staged.write(cell, at, 1024);
    }
    drain();
    assertTrue(out.writes < 15, out.writes + " pieces");
    out.writes = 0;
    drain();
    assertEquals(0, out.writes, "of nothing");
  }

  @Test
  void aHugeBatchGivesItsMemoryBack() {
    byte[] big = new byte[3 * StagingBuffer.KEPT];
    out.keep = false;
    for (int round = 0; round < 3; round++) {
      staged.write(big, 0, big.length);
      drain();
      for (int at = 0; at < big.length; at += 4096) {
        staged.write(big, at, 4096);
        staged.mark();
      }
      staged.drainTo(out, big.length);
      assertTrue(staged.capacity() <= StagingBuffer.KEPT + StagingBuffer.CHUNK);
    }
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
        drain();
      }
    }
    long allocated = threads.getThreadAllocatedBytes(self) - before;
    // Not a byte per append; the call that measures may allocate a little itself.
    assertTrue(allocated < 5_000, allocated + " bytes for 10,000 appends");
    assertTrue(out.count > 100_000_000);
  }
}
