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

import java.util.stream.Stream;
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;

/** A store file that the tier wrote for SSD and that has replicas there. Immutable. */
@InterfaceAudience.Private
final class TierFile {
  enum Kind {
    /** Leaves when it is old, or the share is short. */
    YOUNG,
    /** May stay. */
    HOT,
    /**
     * Compacted away, or a reference to a file of a split or merged region: HBase deletes it. Or
     * closed.
     */
    PASSING
  }

  final Path path;

  /** Path of the file with the blocks. */
  final String blocks;

  /** Of its replicas on SSD. */
  final long bytes;

  /** Milliseconds since 1970. */
  final long writtenMillis;

  /** When it has to leave SSD or, if archived, is deleted; milliseconds since 1970. */
  final long dueMillis;

  final Kind kind;

  TierFile(Path path, String blocks, long bytes, long writtenMillis, long dueMillis, Kind kind) {
    this.path = path;
    this.blocks = blocks;
    this.bytes = bytes;
    this.writtenMillis = writtenMillis;
    this.dueMillis = dueMillis;
    this.kind = kind;
  }

  TierFile passing(long deletedMillis) {
    return new TierFile(path, blocks, bytes, writtenMillis, deletedMillis, Kind.PASSING);
  }

  static long bytes(Stream<TierFile> files) {
    return files.mapToLong(file -> file.bytes).sum();
  }

  boolean is(Kind one) {
    return kind == one;
  }

  String key() {
    return path.toUri().getPath();
  }
}
