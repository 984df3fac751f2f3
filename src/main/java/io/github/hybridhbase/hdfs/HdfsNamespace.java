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

import io.github.hybridhbase.hdfs.FailFastClient.FailFastFileSystem;
import io.github.hybridhbase.hdfs.StorageNamespace.ListingEntry;
import io.github.hybridhbase.hdfs.StorageNamespace.PolicyStatus;
import io.github.hybridhbase.runtime.StoragePolicy;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@link StorageNamespace} of an HDFS. */
@InterfaceAudience.Private
public final class HdfsNamespace implements StorageNamespace {
  private static final Logger LOG = LoggerFactory.getLogger(HdfsNamespace.class);

  private static final EnumSet<XAttrSetFlag> OVER =
      EnumSet.of(XAttrSetFlag.CREATE, XAttrSetFlag.REPLACE);

  /** A probe's wait for a look at the DataNodes. */
  private static final int MOST_SEARCH_MILLIS = 2_000;

  private final DistributedFileSystem dfs;

  private HdfsNamespace(DistributedFileSystem dfs) {
    this.dfs = dfs;
  }

  /**
   * Empty if there is no HDFS. Unwraps, since HBase's wrapper swallows failures ({@code
   * HFileSystem.setStoragePolicy}).
   */
  public static Optional<StorageNamespace> of(FileSystem fs) {
    return FailFastClient.unwrap(fs).map(HdfsNamespace::new);
  }

  @Override
  public Optional<PolicyStatus> policy(Path path) throws IOException {
    try {
      FileStatus status = dfs.getFileStatus(path);
      return Optional.of(new PolicyStatus(FileBlocks.policyOf(status), status.isErasureCoded()));
    } catch (FileNotFoundException e) {
      return Optional.empty();
    }
  }

  @Override
  public NewFile place(Path file, StoragePolicy policy, boolean marked) throws IOException {
    NewFiles files =
        NewFiles.of(dfs)
            .orElseThrow(() -> new IOException("HDFS's client cannot create files under a policy"));
    if (policy.wantsSsd()) {
      SsdNodeSearch.of(dfs).refresh(0);
    }
    return files.place(file, policy, marked);
  }

  @Override
  public void unsetPolicy(Path path) throws IOException {
    dfs.unsetStoragePolicy(path);
  }

  @Override
  public Map<String, byte[]> xattrs(Path path) throws IOException {
    return dfs.getXAttrs(path);
  }

  @Override
  public void setXattr(Path path, String name, byte[] value) throws IOException {
    dfs.setXAttr(path, name, value, OVER);
  }

  @Override
  public void removeXattr(Path path, String name) throws IOException {
    dfs.removeXAttr(path, name);
  }

  @Override
  public Probe probe(Path directory, StoragePolicy policy, long blockSize) throws IOException {
    SsdNodeSearch.of(dfs).refresh(MOST_SEARCH_MILLIS);
    return ProbeFile.probe(dfs, directory, policy, blockSize);
  }

  @Override
  public Probe probeBriefly(Path directory, StoragePolicy policy, long blockSize, int millis)
      throws IOException {
    try (DistributedFileSystem own = impatient(Math.max(1, millis))) {
      return ProbeFile.probe(own, directory, policy, blockSize);
    }
  }

  /** HBase's own client waits longer. */
  private DistributedFileSystem impatient(int millis) throws IOException {
    Configuration brief = new Configuration(dfs.getConf());
    brief.setInt(HdfsClientConfigKeys.DFS_CLIENT_SOCKET_TIMEOUT_KEY, millis);
    return FailFastFileSystem.beside(dfs, brief);
  }

  @Override
  public int sweepProbes(Path directory, long before) throws IOException {
    return ProbeFile.sweep(dfs, directory, before);
  }

  @Override
  public Map<String, Byte> children(Path directory) throws IOException {
    Map<String, Byte> found = new LinkedHashMap<>();
    try {
      RemoteIterator<FileStatus> children = dfs.listStatusIterator(directory);
      while (children.hasNext()) {
        FileStatus child = children.next();
        if (child.isDirectory()) {
          found.put(child.getPath().getName(), FileBlocks.policyOf(child));
        }
      }
    } catch (FileNotFoundException e) {
      return Map.of();
    }
    return found;
  }

  @Override
  public boolean takesWrites() throws IOException {
    return !dfs.isInSafeMode();
  }

  @Override
  public long defaultBlockSize(Path directory) throws IOException {
    return dfs.getDefaultBlockSize(directory);
  }

  @Override
  public Optional<FileBlocks> blocks(Path file) throws IOException {
    try {
      RemoteIterator<LocatedFileStatus> one = dfs.listLocatedStatus(file);
      return one.hasNext() ? Optional.of(FileBlocks.of(one.next())) : Optional.empty();
    } catch (FileNotFoundException e) {
      return Optional.empty();
    }
  }

  @Override
  public Optional<RemoteIterator<ListingEntry>> list(Path directory) throws IOException {
    RemoteIterator<LocatedFileStatus> found;
    try {
      found = dfs.listLocatedStatus(directory);
    } catch (FileNotFoundException e) {
      return Optional.empty();
    }
    return Optional.of(
        new RemoteIterator<>() {
          @Override
          public boolean hasNext() throws IOException {
            return found.hasNext();
          }

          @Override
          public ListingEntry next() throws IOException {
            LocatedFileStatus status = found.next();
            ListingEntry entry =
                status.isDirectory()
                    ? ListingEntry.directory(
                        status.getPath(), FileBlocks.policyOf(status), status.isErasureCoded())
                    : ListingEntry.file(FileBlocks.of(status), status.isErasureCoded());
            return entry.ownedBy(status.getOwner());
          }
        });
  }
}
