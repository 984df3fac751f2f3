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
import java.util.Arrays;
import org.apache.hadoop.hbase.io.ByteBufferWriter;
import org.apache.hadoop.hbase.util.ByteBufferUtils;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Where entries wait between their append and the sync that covers them.
 *
 * <p>An {@code AsyncFSOutput} flushes all it holds, so bytes must not enter it before a sync has
 * said how strongly they are to leave: an entry appended while an unforced sync waits would leave
 * in its packet, and the forced sync that follows would find nothing to send. Keeping entries here
 * until then also frees {@code append} of any lock.
 *
 * <p>Used by one thread at a time, the one that appends. The array is kept from batch to batch, so
 * that an append allocates nothing once it has grown; after a batch larger than {@value #KEPT}
 * bytes it is given back.
 */
@InterfaceAudience.Private
public final class StagingBuffer extends OutputStream implements ByteBufferWriter {
  /** Bytes to start with: AsyncFSWAL's {@code hbase.wal.batch.size} default and one entry more. */
  private static final int INITIAL = 96 * 1024;

  /** Bytes above which an array is not kept for the next batch. */
  static final int KEPT = 1024 * 1024;

  /** The largest array that every JVM can allocate. */
  private static final int LARGEST = Integer.MAX_VALUE - 8;

  private byte[] bytes = new byte[INITIAL];
  private int size;

  /** Bytes held. */
  int size() {
    return size;
  }

  /** Bytes that fit before the array has to grow. */
  int capacity() {
    return bytes.length;
  }

  @Override
  public void write(int b) {
    reserve(1);
    bytes[size++] = (byte) b;
  }

  @Override
  public void write(byte[] b, int off, int len) {
    reserve(len);
    System.arraycopy(b, off, bytes, size, len);
    size += len;
  }

  @Override
  public void write(ByteBuffer b, int off, int len) {
    reserve(len);
    ByteBufferUtils.copyFromBufferToArray(bytes, b, off, size, len);
    size += len;
  }

  @Override
  public void writeInt(int i) {
    reserve(Integer.BYTES);
    bytes[size] = (byte) (i >>> 24);
    bytes[size + 1] = (byte) (i >>> 16);
    bytes[size + 2] = (byte) (i >>> 8);
    bytes[size + 3] = (byte) i;
    size += Integer.BYTES;
  }

  /** Hands all bytes to {@code output} and holds none afterwards. */
  void drainTo(FlushOutput output) {
    if (size == 0) {
      return;
    }
    output.write(bytes, 0, size);
    clear();
  }

  /** Forgets all bytes. */
  void clear() {
    size = 0;
    if (bytes.length > KEPT) {
      bytes = new byte[INITIAL];
    }
  }

  private void reserve(int len) {
    if (len <= bytes.length - size) {
      return;
    }
    if (len > LARGEST - size) {
      throw new IllegalStateException("A WAL batch above 2 GiB: " + size + " + " + len + " bytes");
    }
    int doubled = bytes.length > LARGEST / 2 ? LARGEST : bytes.length * 2;
    bytes = Arrays.copyOf(bytes, Math.max(doubled, size + len));
  }
}
