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

@InterfaceAudience.Private
final class NewStoreFile {
  enum Kind {
    FLUSH,
    MINOR,
    MAJOR,
    HOT,
    /** A compaction that takes old files off SSD. */
    EXIT
  }

  private final Kind kind;
  private final long bytes;
  private final long oldestMillis;
  private final long replacedBytes;

  /**
   * @param bytes upper estimate of its use of SSD with all replicas there
   * @param oldestMillis age of its oldest input, 0 for a flush
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
   * @param replacedBytes use of SSD by its hot input files
   */
  static NewStoreFile hot(long bytes, long replacedBytes) {
    return new NewStoreFile(Kind.HOT, bytes, 0, replacedBytes);
  }

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
