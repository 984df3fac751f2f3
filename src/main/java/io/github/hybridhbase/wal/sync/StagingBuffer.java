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

import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.apache.hadoop.hbase.io.ByteArrayOutputStream;
import org.apache.hadoop.hbase.io.ByteBufferWriter;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A buffer for entries between their append and the sync that covers them, which takes it over.
 *
 * <p>An {@code AsyncFSOutput} flushes all bytes it holds: an entry appended while an unforced sync
 * waits would leave with it, and the forced sync that follows would find nothing to send.
 *
 * <p>Up to {@value #KEPT} bytes are reused, so that an append allocates nothing, also if each of
 * hundreds of writers waits with a sync of its own. Writes are for the appending thread; {@link
 * #take}, by that one as well, and {@link #reuse} exclude each other.
 */
@InterfaceAudience.Private
public class StagingBuffer extends OutputStream implements ByteBufferWriter {
  static final int KEPT = 4 * 1024 * 1024;

  /** Bytes of the largest that is reused: above {@code hbase.wal.batch.size} and one entry. */
  static final int LARGEST = 128 * 1024;

  /** Bytes of one that is not reused. */
  static final int NEW = 4 * 1024;

  private final ArrayDeque<ByteArrayOutputStream> free = new ArrayDeque<>();
  private int freeBytes;
  private ByteArrayOutputStream entries = new ByteArrayOutputStream(NEW);

  int size() {
    return entries.size();
  }

  @Override
  public void write(int b) {
    entries.write(b);
  }

  @Override
  public void write(byte[] b, int off, int len) {
    entries.write(b, off, len);
  }

  @Override
  public void write(ByteBuffer b, int off, int len) {
    entries.write(b, off, len);
  }

  @Override
  public void writeInt(int i) {
    entries.writeInt(i);
  }

  /** What was written since the previous call. */
  ByteArrayOutputStream take() {
    ByteArrayOutputStream next = free.poll();
    if (next == null) {
      next = new ByteArrayOutputStream(NEW);
    } else {
      freeBytes -= next.getBuffer().length;
    }
    ByteArrayOutputStream taken = entries;
    entries = next;
    return taken;
  }

  /**
   * @param sent not used by its sync any more
   */
  void reuse(ByteArrayOutputStream sent) {
    int bytes = sent.getBuffer().length;
    if (bytes <= LARGEST && freeBytes + bytes <= KEPT) {
      sent.reset();
      free.add(sent);
      freeBytes += bytes;
    }
  }
}
