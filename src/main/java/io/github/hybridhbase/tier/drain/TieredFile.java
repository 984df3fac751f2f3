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
package io.github.hybridhbase.tier.drain;

import io.github.hybridhbase.hdfs.FileBlocks;
import io.github.hybridhbase.runtime.StoragePolicy;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.yetus.audience.InterfaceAudience;

/** A closed store file with replicas on SSD. Immutable. */
@InterfaceAudience.Private
public final class TieredFile {
  private final Path path;
  private final String table;
  private final long bytes;
  private final long writtenMillis;
  private final long dueMillis;
  private final boolean archived;
  private final boolean rewritable;
  private final Path blocks;
  private final boolean hot;

  private TieredFile(
      Path path,
      Path blocks,
      String table,
      long bytes,
      long writtenMillis,
      long dueMillis,
      boolean archived,
      boolean rewritable,
      boolean hot) {
    this.path = path;
    this.blocks = blocks;
    this.table = table;
    this.bytes = bytes;
    this.writtenMillis = writtenMillis;
    this.dueMillis = dueMillis;
    this.archived = archived;
    this.rewritable = rewritable;
    this.hot = hot;
  }

  /**
   * @param bytes of its replicas on SSD
   * @param writtenMillis since 1970
   * @param rewritable whether a compaction may take it alone: false for a reference
   */
  public static TieredFile inStore(
      Path path,
      String table,
      long bytes,
      long writtenMillis,
      long maxAgeMillis,
      boolean rewritable) {
    return new TieredFile(
        path,
        path,
        table,
        bytes,
        writtenMillis,
        writtenMillis + maxAgeMillis,
        false,
        rewritable,
        false);
  }

  public TieredFile ofHotRows() {
    return new TieredFile(
        path, blocks, table, bytes, writtenMillis, Long.MAX_VALUE, archived, rewritable, true);
  }

  TieredFile leaving() {
    return hot
        ? new TieredFile(path, blocks, table, bytes, writtenMillis, 0, archived, rewritable, false)
        : this;
  }

  public boolean hasToLeave() {
    return dueMillis == 0;
  }

  /**
   * As a reference to a file of a split or merged region.
   *
   * @param referred the file that has the blocks
   */
  public TieredFile of(Path referred) {
    return new TieredFile(
        path, referred, table, bytes, writtenMillis, dueMillis, archived, rewritable, hot);
  }

  /**
   * @param to its place in the archive
   * @param due when it should be deleted at the latest
   */
  public TieredFile archived(Path to, long due) {
    return new TieredFile(to, blocks, table, bytes, writtenMillis, due, true, false, false);
  }

  public Path path() {
    return path;
  }

  /** The file that had the blocks in its store: another one for a reference. */
  public Path blocks() {
    return blocks;
  }

  public String key() {
    return path.toUri().getPath();
  }

  public String table() {
    return table;
  }

  public String name() {
    return path.getName();
  }

  public long bytes() {
    return bytes;
  }

  public long writtenMillis() {
    return writtenMillis;
  }

  /** When it must leave SSD; milliseconds since 1970. */
  long dueMillis() {
    return dueMillis;
  }

  public boolean archived() {
    return archived;
  }

  public boolean hot() {
    return hot;
  }

  boolean rewritable() {
    return rewritable;
  }

  /** HBase compacts references soon. */
  public boolean reference() {
    return !archived && !blocks.equals(path);
  }

  /**
   * Whether neither HBase deletes it soon nor an exit takes it: held by a snapshot in the archive,
   * or of hot rows.
   */
  public boolean held(long nowMillis) {
    return archived ? dueMillis <= nowMillis : hot || !rewritable && !reference();
  }

  /**
   * Whether a file has left SSD for good. HDFS restores a missing replica, e.g. of a dead DataNode,
   * on SSD if the file's policy is for SSD.
   */
  static boolean hasLeftSsd(FileBlocks file) {
    return file.bytes(StorageType.SSD) == 0
        && (file.underReplicatedBlocks() == 0 || !StoragePolicy.isForSsd(file.policy()));
  }

  @Override
  public String toString() {
    return key() + " " + bytes + (archived ? " archived" : "") + " due " + dueMillis;
  }
}
