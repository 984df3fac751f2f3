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
package io.github.hybridhbase.hot;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.apache.yetus.audience.InterfaceAudience;

/** A 64-bit hash of a row key, without allocation. Not stored anywhere, so it may change. */
@InterfaceAudience.Private
final class RowHash {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final long SEED = 0x9E3779B97F4A7C15L;
  private static final long FIRST = 0xBF58476D1CE4E5B9L;
  private static final long SECOND = 0x94D049BB133111EBL;

  private RowHash() {}

  /** The hash of a row. */
  static long of(byte[] row, int offset, int length) {
    long hash = SEED ^ length * FIRST;
    int at = offset;
    int end = offset + length;
    for (; at + Long.BYTES <= end; at += Long.BYTES) {
      hash = mix(hash ^ (long) LONGS.get(row, at));
    }
    long tail = 0;
    for (; at < end; at++) {
      tail = tail << Byte.SIZE | row[at] & 0xFF;
    }
    return mix(hash ^ tail);
  }

  /** The finalizer of SplitMix64. */
  static long mix(long value) {
    long mixed = (value ^ value >>> 30) * FIRST;
    mixed = (mixed ^ mixed >>> 27) * SECOND;
    return mixed ^ mixed >>> 31;
  }
}
