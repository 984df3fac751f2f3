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
import java.util.concurrent.ArrayBlockingQueue;
import org.apache.hadoop.hbase.io.ByteBufferWriter;
import org.apache.hadoop.hbase.io.asyncfs.AsyncFSOutput;
import org.apache.hadoop.hbase.util.ByteBufferUtils;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A buffer for entries between their append and the flush that carries them: a queue of chunks, of
 * which all but the last are full.
 *
 * <p>An {@code AsyncFSOutput} flushes all bytes it holds: an entry appended while an unforced sync
 * waits would leave with it, and the forced sync that follows would find nothing to send.
 *
 * <p>Up to {@value #KEPT} bytes of chunks are reused, so that an append allocates nothing. The
 * appending thread writes without a lock up to the next {@link #mark}; {@code mark} (on that
 * thread) and removals need {@link GroupCommit}'s monitor.
 */
@InterfaceAudience.Private
public class StagingBuffer extends OutputStream implements ByteBufferWriter {
  /** Bytes: more than the default of {@code hbase.wal.batch.size} and one entry. */
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

  private final ArrayBlockingQueue<Chunk> free = new ArrayBlockingQueue<>(KEPT / CHUNK);

  // Appending thread only.
  private Chunk last = new Chunk(CHUNK);
  private int lastEnd;
  private int size;

  // Guarded by the monitor.
  private Chunk first = last;
  private int firstStart;
  private long marked;

  int size() {
    return size;
  }

  long capacity() {
    long bytes = (long) free.size() * CHUNK;
    for (Chunk chunk = first; chunk != null; chunk = chunk.next) {
      bytes += chunk.bytes.length;
    }
    return bytes;
  }

  @Override
  public void write(int b) {
    part(1);
    last.bytes[lastEnd++] = (byte) b;
    size++;
  }

  @Override
  public void write(byte[] b, int off, int len) {
    for (int done = 0; done < len; ) {
      int part = part(len - done);
      System.arraycopy(b, off + done, last.bytes, lastEnd, part);
      lastEnd += part;
      size += part;
      done += part;
    }
  }

  @Override
  public void write(ByteBuffer b, int off, int len) {
    for (int done = 0; done < len; ) {
      int part = part(len - done);
      ByteBufferUtils.copyFromBufferToArray(last.bytes, b, off + done, lastEnd, part);
      lastEnd += part;
      size += part;
      done += part;
    }
  }

  @Override
  public void writeInt(int i) {
    write(i >>> 24);
    write(i >>> 16);
    write(i >>> 8);
    write(i);
  }

  /**
   * Ends what one sync covers, which may be removed from now on.
   *
   * @return bytes since the previous call
   */
  int mark() {
    int bytes = size;
    size = 0;
    marked += bytes;
    return bytes;
  }

  void drainTo(AsyncFSOutput output, long bytes) {
    for (long left = bytes; left > 0; ) {
      int part = next(left);
      output.write(first.bytes, firstStart, part);
      firstStart += part;
      marked -= part;
      left -= part;
    }
  }

  void drop() {
    while (marked > 0) {
      int part = next(marked);
      firstStart += part;
      marked -= part;
    }
  }

  /** Bytes of these in the first chunk, at least 1; recycles an empty chunk. */
  private int next(long bytes) {
    if (firstStart == first.bytes.length) {
      Chunk empty = first;
      first = empty.next;
      firstStart = 0;
      empty.next = null;
      if (empty.bytes.length == CHUNK) {
        boolean unused = free.offer(empty);
      }
    }
    return (int) Math.min(bytes, first.bytes.length - firstStart);
  }

  /**
   * Bytes of these that fit into the last chunk, at least 1. Chunks of one sync double in size, so
   * that netty's buffer copies each byte once on average.
   */
  private int part(int len) {
    if (len > LARGEST - size) {
      throw new IllegalStateException("A WAL batch above 2 GiB: " + size + " + " + len + " bytes");
    }
    if (lastEnd == last.bytes.length) {
      int capacity = Math.max(CHUNK, Math.max(size, len));
      Chunk chunk = capacity == CHUNK ? free.poll() : null;
      last.next = chunk == null ? new Chunk(capacity) : chunk;
      last = last.next;
      lastEnd = 0;
    }
    return Math.min(len, last.bytes.length - lastEnd);
  }
}
