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

import io.github.hybridhbase.runtime.StoragePolicy;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.util.functional.RemoteIterators;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * An HDFS with storage policies, of which tests have another. Every method is one or a few NameNode
 * calls, blocks, and is thread-safe.
 */
@InterfaceAudience.Private
public class StorageNamespace {
  private final DistributedFileSystem dfs;

  protected StorageNamespace(DistributedFileSystem dfs) {
    this.dfs = dfs;
  }

  /**
   * Empty if there is no HDFS. Unwraps, since HBase's wrapper swallows failures ({@code
   * HFileSystem.setStoragePolicy}).
   */
  public static Optional<StorageNamespace> of(FileSystem fs) {
    return FailFastClient.unwrap(fs).map(StorageNamespace::new);
  }

  /** Empty if the path does not exist. One NameNode read. */
  public Optional<PolicyStatus> policy(Path path) throws IOException {
    try {
      FileStatus status = dfs.getFileStatus(path);
      return Optional.of(new PolicyStatus(FileBlocks.policyOf(status), status.isErasureCoded()));
    } catch (FileNotFoundException e) {
      return Optional.empty();
    }
  }

  /**
   * Makes HDFS create a file under its own policy. Call it before the creation; no NameNode call.
   *
   * @param marked whether the file gets the sticky bit, which HDFS ignores and a listing shows
   * @throws IOException if this Hadoop's client cannot
   */
  public NewFile place(Path file, StoragePolicy policy, boolean marked) throws IOException {
    NewFiles files =
        NewFiles.of(dfs)
            .orElseThrow(() -> new IOException("HDFS's client cannot create files under a policy"));
    if (policy.wantsSsd()) {
      SsdNodeSearch.of(dfs).refresh(0);
    }
    return files.place(file, policy, marked);
  }

  /** See {@link NewFiles#refuses}. */
  public boolean refuses() {
    return NewFiles.of(dfs).map(NewFiles::refuses).orElse(false);
  }

  /** See {@link NewFiles#refused}. */
  public void refused(Object what, long firstNanos) {
    NewFiles.of(dfs).ifPresent(files -> files.refused(what, firstNanos));
  }

  public void unsetPolicy(Path path) throws IOException {
    dfs.unsetStoragePolicy(path);
  }

  /** HDFS stores an empty value as null. */
  public Map<String, byte[]> xattrs(Path path) throws IOException {
    return dfs.getXAttrs(path);
  }

  public void setXattr(Path path, String name, byte[] value) throws IOException {
    dfs.setXAttr(path, name, value);
  }

  public void removeXattr(Path path, String name) throws IOException {
    dfs.removeXAttr(path, name);
  }

  /** Empty if the path is absent or xattrs are disabled. One NameNode read. */
  public final Map<String, byte[]> records(Path path) throws IOException {
    try {
      return xattrs(path);
    } catch (FileNotFoundException e) {
      return Map.of();
    } catch (IOException e) {
      if (HdfsError.of(e).kind == HdfsError.Kind.XATTRS_DISABLED) {
        return Map.of();
      }
      throw e;
    }
  }

  /**
   * Names of directories; empty if the directory does not exist. One NameNode call per thousand.
   */
  public List<String> children(Path directory) throws IOException {
    List<String> found = new ArrayList<>();
    try {
      RemoteIterator<FileStatus> children = dfs.listStatusIterator(directory);
      while (children.hasNext()) {
        FileStatus child = children.next();
        if (child.isDirectory()) {
          found.add(child.getPath().getName());
        }
      }
    } catch (FileNotFoundException e) {
      return List.of();
    }
    return found;
  }

  /**
   * False in safe mode.
   *
   * @throws IOException if the NameNode does not respond
   */
  public boolean takesWrites() throws IOException {
    return !dfs.isInSafeMode();
  }

  public long defaultBlockSize(Path directory) throws IOException {
    return dfs.getDefaultBlockSize(directory);
  }

  public Optional<FileBlocks> blocks(Path file) throws IOException {
    try {
      RemoteIterator<LocatedFileStatus> one = dfs.listLocatedStatus(file);
      return one.hasNext() ? Optional.of(FileBlocks.of(one.next())) : Optional.empty();
    } catch (FileNotFoundException e) {
      return Optional.empty();
    }
  }

  /**
   * One NameNode call and one page in memory at a time ({@code dfs.ls.limit}).
   *
   * @return empty if the directory does not exist
   * @throws IOException also if the user may not read it
   */
  public Optional<RemoteIterator<ListingEntry>> list(Path directory) throws IOException {
    try {
      return Optional.of(
          RemoteIterators.mappingRemoteIterator(
              dfs.listLocatedStatus(directory), ListingEntry::of));
    } catch (FileNotFoundException e) {
      return Optional.empty();
    }
  }

  /** A directory, or a file with its blocks. */
  public static final class ListingEntry {
    public final Path path;
    public final byte policy;
    public final boolean erasureCoded;
    public final String owner;

    /** Null for a directory. */
    public final FileBlocks file;

    public ListingEntry(
        Path path, byte policy, boolean erasureCoded, String owner, FileBlocks file) {
      this.path = path;
      this.policy = policy;
      this.erasureCoded = erasureCoded;
      this.owner = owner;
      this.file = file;
    }

    private static ListingEntry of(LocatedFileStatus status) throws IOException {
      return new ListingEntry(
          status.getPath(),
          FileBlocks.policyOf(status),
          status.isErasureCoded(),
          status.getOwner(),
          status.isDirectory() ? null : FileBlocks.of(status));
    }
  }

  /** The storage policy in force on a path, own or inherited. Immutable. */
  public static final class PolicyStatus {
    /** {@link StoragePolicy#UNSPECIFIED} if none. */
    public final byte effective;

    public final boolean erasureCoded;

    public PolicyStatus(byte effective, boolean erasureCoded) {
      this.effective = effective;
      this.erasureCoded = erasureCoded;
    }
  }
}
