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
package io.github.hybridhbase.tier;

import org.apache.yetus.audience.InterfaceAudience;

/** A store file that is about to be written. Immutable. */
@InterfaceAudience.Private
final class NewStoreFile {
  /** What writes it. */
  enum Kind {
    FLUSH,
    MINOR,
    MAJOR,
    /** The rows of a compaction that are read often. */
    HOT,
    /** A compaction that takes old files off SSD. */
    EXIT
  }

  private final Kind kind;
  private final long bytes;
  private final long oldestMillis;
  private final long replacedBytes;

  /**
   * Describes a new file.
   *
   * @param bytes what it is expected to take of SSD with all its replicas there, at most
   * @param oldestMillis age of the oldest file that goes into it, 0 for a flush
   */
  NewStoreFile(Kind kind, long bytes, long oldestMillis) {
    this(kind, bytes, oldestMillis, 0);
  }

  private NewStoreFile(Kind kind, long bytes, long oldestMillis, long replacedBytes) {
    this.kind = kind;
    this.bytes = Math.max(0, bytes);
    this.oldestMillis = oldestMillis;
    this.replacedBytes = replacedBytes;
  }

  /**
   * A file of hot rows.
   *
   * @param bytes as of any new file
   * @param replacedBytes what the hot files that go into it take of SSD
   */
  static NewStoreFile hot(long bytes, long replacedBytes) {
    return new NewStoreFile(Kind.HOT, bytes, 0, replacedBytes);
  }

  /** What files of the same kind that go into it take of SSD. */
  long replacedBytes() {
    return replacedBytes;
  }

  Kind kind() {
    return kind;
  }

  long bytes() {
    return bytes;
  }

  long oldestMillis() {
    return oldestMillis;
  }

  @Override
  public String toString() {
    return kind + " of " + bytes + " bytes, oldest " + oldestMillis + " ms";
  }
}
