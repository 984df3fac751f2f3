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
import org.apache.hadoop.hbase.io.ByteBufferWriter;
import org.apache.hadoop.hbase.util.ByteBufferUtils;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A buffer for entries between their append and the flush that carries them.
 *
 * <p>An {@code AsyncFSOutput} flushes all bytes it holds, so they must not enter it earlier: an
 * entry appended while an unforced sync waits would leave with it, and the forced sync that follows
 * would find nothing to send. Staging also keeps {@code append} free of locks and its cost per byte
 * constant: netty copies HBase's single buffer as a whole when it grows.
 *
 * <p>Up to {@value #KEPT} bytes of chunks are reused, so that an append allocates nothing. Threads:
 * the appending thread writes without a lock up to the next {@link #mark}; {@code mark}, {@code
 * rewind} (both on that thread) and all methods that remove bytes need {@link GroupCommit}'s lock.
 */
@InterfaceAudience.Private
public class StagingBuffer extends OutputStream implements ByteBufferWriter {
  /** Bytes of a chunk: more than the default of {@code hbase.wal.batch.size} and one entry. */
  static final int CHUNK = 128 * 1024;

  static final int KEPT = 4 * 1024 * 1024;

  private static final int LARGEST = Integer.MAX_VALUE - 8;

  private static final class Chunk {
    private final byte[] bytes;
    private Chunk next;

    Chunk(int capacity) {
      bytes = new byte[capacity];
    }
  }

  // Appending thread only. INVARIANT: after mark() the last chunk has space, so that all others are
  // full and no sent chunk stays at the end of the queue.
  private Chunk last = new Chunk(CHUNK);
  private int lastEnd;
  private int size;
  private Chunk free;

  // Guarded by the lock.
  private Chunk first = last;
  private int firstStart;
  private long marked;
  private Chunk returned;
  private int returnedChunks;

  int size() {
    return size;
  }

  /** Bytes of all chunks; for tests, single-threaded. */
  long capacity() {
    return capacity(first) + capacity(free) + capacity(returned);
  }

  private static long capacity(Chunk from) {
    long bytes = 0;
    for (Chunk chunk = from; chunk != null; chunk = chunk.next) {
      bytes += chunk.bytes.length;
    }
    return bytes;
  }

  @Override
  public void write(int b) {
    reserve(1);
    if (lastEnd == last.bytes.length) {
      toNextChunk();
    }
    last.bytes[lastEnd++] = (byte) b;
    size++;
  }

  @Override
  public void write(byte[] b, int off, int len) {
    reserve(len);
    for (int done = 0; done < len; ) {
      int part = part(len - done);
      System.arraycopy(b, off + done, last.bytes, lastEnd, part);
      lastEnd += part;
      done += part;
    }
    size += len;
  }

  @Override
  public void write(ByteBuffer b, int off, int len) {
    reserve(len);
    for (int done = 0; done < len; ) {
      int part = part(len - done);
      ByteBufferUtils.copyFromBufferToArray(last.bytes, b, off + done, lastEnd, part);
      lastEnd += part;
      done += part;
    }
    size += len;
  }

  @Override
  public void writeInt(int i) {
    if (last.bytes.length - lastEnd < Integer.BYTES) {
      write(i >>> 24);
      write(i >>> 16);
      write(i >>> 8);
      write(i);
      return;
    }
    byte[] bytes = last.bytes;
    bytes[lastEnd] = (byte) (i >>> 24);
    bytes[lastEnd + 1] = (byte) (i >>> 16);
    bytes[lastEnd + 2] = (byte) (i >>> 8);
    bytes[lastEnd + 3] = (byte) i;
    lastEnd += Integer.BYTES;
    size += Integer.BYTES;
  }

  /**
   * Ends what one sync covers; it may be removed from now on.
   *
   * @return bytes since the previous call
   */
  int mark() {
    if (free == null) {
      free = returned;
      returned = null;
      returnedChunks = 0;
    }
    int bytes = size;
    size = 0;
    if (lastEnd == last.bytes.length) {
      addChunk(0);
      toNextChunk();
    }
    marked += bytes;
    return bytes;
  }

  void drainTo(FlushOutput output, long bytes) {
    for (long left = bytes; left > 0; ) {
      int part = (int) Math.min(left, first.bytes.length - firstStart);
      output.write(first.bytes, firstStart, part);
      left -= part;
      take(part);
    }
  }

  void drop() {
    while (marked > 0) {
      take((int) Math.min(marked, first.bytes.length - firstStart));
    }
  }

  /** Restarts the chunk of an empty buffer: its beginning is in the caches. */
  void rewind() {
    if (first == last && firstStart == lastEnd) {
      firstStart = 0;
      lastEnd = 0;
    }
  }

  private void take(int part) {
    firstStart += part;
    marked -= part;
    if (firstStart == first.bytes.length) {
      Chunk empty = first;
      first = empty.next;
      firstStart = 0;
      if (empty.bytes.length == CHUNK && returnedChunks < KEPT / CHUNK / 2) {
        empty.next = returned;
        returned = empty;
        returnedChunks++;
      }
    }
  }

  /** Returns at least 1. */
  private int part(int len) {
    if (lastEnd == last.bytes.length) {
      toNextChunk();
    }
    return Math.min(len, last.bytes.length - lastEnd);
  }

  private void toNextChunk() {
    last = last.next;
    lastEnd = 0;
  }

  private void reserve(int len) {
    if (len <= last.bytes.length - lastEnd) {
      return;
    }
    if (len > LARGEST - size) {
      throw new IllegalStateException("A WAL batch above 2 GiB: " + size + " + " + len + " bytes");
    }
    addChunk(len - (last.bytes.length - lastEnd));
  }

  /** Chunks of one sync double in size, so that netty's buffer copies each byte once on average. */
  private void addChunk(int least) {
    int capacity = Math.max(CHUNK, Math.max(size, least));
    Chunk chunk = free;
    if (chunk == null || capacity > CHUNK) {
      chunk = new Chunk(capacity);
    } else {
      free = chunk.next;
      chunk.next = null;
    }
    last.next = chunk;
  }
}
