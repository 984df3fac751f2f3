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

import io.github.hybridhbase.hdfs.NewFile;
import org.apache.yetus.audience.InterfaceAudience;

/** A store file that HBase is about to write and that may go to SSD; if it does, its charge. */
@InterfaceAudience.Private
final class NewStoreFile {
  enum Kind {
    FLUSH,
    /** A minor compaction's of young files. */
    MINOR,
    /** The hot rows of a compaction. */
    HOT
  }

  final Kind kind;

  /** Of hot files on SSD. */
  final long replacedBytes;

  /** All replicas on SSD: an upper estimate until the commit. The ledger guards it and the rest. */
  long bytes;

  TierStore store;

  /** Null until placed. */
  NewFile file;

  NewStoreFile(Kind kind, long bytes, long replacedBytes) {
    this.kind = kind;
    this.bytes = Math.max(0, bytes);
    this.replacedBytes = replacedBytes;
  }

  void close() {
    if (file != null) {
      file.close();
    }
  }
}
