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
package io.github.hybridhbase.hdfs;

import io.github.hybridhbase.hdfs.XattrRecord.ForeignRecordException;
import io.github.hybridhbase.hdfs.XattrRecord.Found;
import io.github.hybridhbase.runtime.StoragePolicy;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A file system with storage policies. Every method is one or a few NameNode calls, blocks, and is
 * thread-safe.
 */
@InterfaceAudience.Private
public interface StorageNamespace {
  /** Empty if the path does not exist. One NameNode read. */
  Optional<PolicyStatus> policy(Path path) throws IOException;

  /**
   * Makes HDFS create a file under its own policy. Call it before the creation; no NameNode call.
   *
   * @param marked whether the file gets the sticky bit, which HDFS ignores and a listing shows
   * @throws IOException if this Hadoop's client cannot
   */
  NewFile place(Path file, StoragePolicy policy, boolean marked) throws IOException;

  void unsetPolicy(Path path) throws IOException;

  /** HDFS stores an empty value as null. */
  Map<String, byte[]> xattrs(Path path) throws IOException;

  void setXattr(Path path, String name, byte[] value) throws IOException;

  void removeXattr(Path path, String name) throws IOException;

  /** Empty if the path is absent or xattrs are disabled. */
  default Map<String, byte[]> records(Path path) throws IOException {
    try {
      return xattrs(path);
    } catch (FileNotFoundException e) {
      return Map.of();
    } catch (IOException e) {
      if (HdfsError.of(e).is(HdfsError.Kind.XATTRS_DISABLED)) {
        return Map.of();
      }
      throw e;
    }
  }

  /** One NameNode read. */
  default <T extends XattrRecord.Value> Found<T> read(XattrRecord<T> record, Path path)
      throws IOException {
    return record.in(records(path));
  }

  /**
   * Reads before it writes.
   *
   * @throws ForeignRecordException if another version wrote the existing one
   * @throws IOException also if the path is absent or xattrs are disabled
   */
  default <T extends XattrRecord.Value> void write(XattrRecord<T> record, Path path, T value)
      throws IOException {
    record.refuseForeign(path, records(path));
    setXattr(path, record.toString(), value.toBytes());
  }

  /**
   * Reads before it writes.
   *
   * @throws ForeignRecordException if another version wrote it
   */
  default void remove(XattrRecord<?> record, Path path) throws IOException {
    Map<String, byte[]> before = records(path);
    record.refuseForeign(path, before);
    if (before.containsKey(record.toString())) {
      removeXattr(path, record.toString());
    }
  }

  /**
   * Allocates one block in a temporary file.
   *
   * @param blockSize bytes to declare, by which HDFS judges space
   * @return also if refused, see {@link Probe#refusal()}
   * @throws IOException if space is not the cause: no permission, policies disabled or reserved to
   *     the superuser, safe mode
   */
  Probe probe(Path directory, StoragePolicy policy, long blockSize) throws IOException;

  /** Like {@link #probe}; each unresponsive DataNode adds seconds to the milliseconds. */
  default Probe probeBriefly(Path directory, StoragePolicy policy, long blockSize, int millis)
      throws IOException {
    return probe(directory, policy, blockSize);
  }

  /** Deletes files last written before this time, milliseconds since 1970; returns their number. */
  int sweepProbes(Path directory, long before) throws IOException;

  /** Empty if the directory does not exist. One NameNode call per thousand. */
  Map<String, Byte> children(Path directory) throws IOException;

  /**
   * False in safe mode.
   *
   * @throws IOException if the NameNode does not respond
   */
  boolean takesWrites() throws IOException;

  long defaultBlockSize(Path directory) throws IOException;

  Optional<FileBlocks> blocks(Path file) throws IOException;

  /**
   * One NameNode call and one page in memory at a time ({@code dfs.ls.limit}).
   *
   * @return empty if the directory does not exist
   * @throws IOException also if the user may not read it
   */
  Optional<RemoteIterator<ListingEntry>> list(Path directory) throws IOException;

  /** A directory, or a file with its blocks. */
  final class ListingEntry {
    private final Path path;
    private final byte policy;
    private final boolean erasureCoded;
    private final FileBlocks file;
    private final String owner;

    private ListingEntry(
        Path path, byte policy, boolean erasureCoded, FileBlocks file, String owner) {
      this.path = path;
      this.policy = policy;
      this.erasureCoded = erasureCoded;
      this.file = file;
      this.owner = owner;
    }

    public static ListingEntry directory(Path path, byte policy, boolean erasureCoded) {
      return new ListingEntry(path, policy, erasureCoded, null, "");
    }

    public static ListingEntry file(FileBlocks file, boolean erasureCoded) {
      return new ListingEntry(file.path(), file.policy(), erasureCoded, file, "");
    }

    public ListingEntry ownedBy(String user) {
      return new ListingEntry(path, policy, erasureCoded, file, user);
    }

    public String owner() {
      return owner;
    }

    public Path path() {
      return path;
    }

    public byte policy() {
      return policy;
    }

    public boolean erasureCoded() {
      return erasureCoded;
    }

    public Optional<FileBlocks> file() {
      return Optional.ofNullable(file);
    }
  }

  /** The storage policy in force on a path, own or inherited. Immutable. */
  final class PolicyStatus {
    private final byte effective;
    private final boolean erasureCoded;

    public PolicyStatus(byte effective, boolean erasureCoded) {
      this.effective = effective;
      this.erasureCoded = erasureCoded;
    }

    public boolean erasureCoded() {
      return erasureCoded;
    }

    /** {@link StoragePolicy#UNSPECIFIED} if none. */
    public byte effective() {
      return effective;
    }
  }
}
