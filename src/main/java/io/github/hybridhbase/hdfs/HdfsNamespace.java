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

import io.github.hybridhbase.config.StoragePolicy;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockStoragePolicySpi;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.yetus.audience.InterfaceAudience;

/** {@link StorageNamespace} of an HDFS. */
@InterfaceAudience.Private
public final class HdfsNamespace implements StorageNamespace {
  /** Names of probe files start with this; one that a crash left behind may be deleted. */
  public static final String PROBE_PREFIX = ".hybrid-probe-";

  private final DistributedFileSystem dfs;

  private HdfsNamespace(DistributedFileSystem dfs) {
    this.dfs = dfs;
  }

  /**
   * The HDFS behind a file system, empty where there is none (a local file system, say). HBase
   * wraps its file systems and swallows what goes wrong with policies ({@code
   * HFileSystem.setStoragePolicy}), so the wrapped one is used.
   */
  public static Optional<StorageNamespace> of(FileSystem fs) {
    return FailFastClient.unwrap(fs).map(HdfsNamespace::new);
  }

  @Override
  public Optional<PolicyStatus> policy(Path path) throws IOException {
    try {
      byte effective = effective(path);
      Path parent = path.getParent();
      byte above = parent == null ? StoragePolicy.UNSPECIFIED : effective(parent);
      return Optional.of(new PolicyStatus(effective, above));
    } catch (FileNotFoundException e) {
      return Optional.empty();
    }
  }

  private byte effective(Path path) throws IOException {
    return FileStatuses.policy(dfs.getFileStatus(path));
  }

  @Override
  public byte defaultPolicy(Path path) throws IOException {
    byte id = dfs.getServerDefaults(path).getDefaultStoragePolicyId();
    return id == StoragePolicy.UNSPECIFIED ? StoragePolicy.HOT.id() : id;
  }

  @Override
  public void setPolicy(Path path, StoragePolicy policy) throws IOException {
    dfs.setStoragePolicy(path, policy.name());
  }

  @Override
  public void unsetPolicy(Path path) throws IOException {
    dfs.unsetStoragePolicy(path);
  }

  @Override
  public Optional<PolicyProvenance> provenance(Path path) throws IOException {
    byte[] value = dfs.getXAttrs(path).get(PolicyProvenance.XATTR);
    return value == null ? Optional.empty() : PolicyProvenance.parse(value);
  }

  @Override
  public void setProvenance(Path path, PolicyProvenance provenance) throws IOException {
    dfs.setXAttr(
        path,
        PolicyProvenance.XATTR,
        provenance.toBytes(),
        EnumSet.of(XAttrSetFlag.CREATE, XAttrSetFlag.REPLACE));
  }

  @Override
  public void removeProvenance(Path path) throws IOException {
    if (dfs.getXAttrs(path).containsKey(PolicyProvenance.XATTR)) {
      dfs.removeXAttr(path, PolicyProvenance.XATTR);
    }
  }

  @Override
  public void createDirectory(Path path) throws IOException {
    if (!dfs.mkdirs(path)) {
      throw new IOException("HDFS would not create the directory " + path);
    }
  }

  @Override
  public Probe probe(Path directory, StoragePolicy policy, long blockSize) throws IOException {
    return ProbeFiles.write(dfs, directory, policy, blockSize);
  }

  @Override
  public Probe probeBriefly(Path directory, StoragePolicy policy, long blockSize, int millis)
      throws IOException {
    Configuration brief = new Configuration(dfs.getConf());
    brief.setInt(HdfsClientConfigKeys.DFS_CLIENT_SOCKET_TIMEOUT_KEY, Math.max(1, millis));
    try (FileSystem own = FileSystem.newInstance(dfs.getUri(), brief)) {
      return ProbeFiles.write((DistributedFileSystem) own, directory, policy, blockSize);
    }
  }

  @Override
  public int sweepProbes(Path directory, long before) throws IOException {
    return ProbeFiles.sweep(dfs, directory, before);
  }

  @Override
  public List<Byte> children(Path directory) throws IOException {
    List<Byte> policies = new ArrayList<>();
    try {
      RemoteIterator<FileStatus> children = dfs.listStatusIterator(directory);
      while (children.hasNext()) {
        FileStatus child = children.next();
        if (child.isDirectory()) {
          policies.add(FileStatuses.policy(child));
        }
      }
    } catch (FileNotFoundException e) {
      return List.of();
    }
    return policies;
  }

  @Override
  public Optional<Long> ssdQuota(Path directory) throws IOException {
    try {
      long quota = dfs.getQuotaUsage(directory).getTypeQuota(StorageType.SSD);
      return quota < 0 ? Optional.empty() : Optional.of(quota);
    } catch (FileNotFoundException e) {
      return Optional.empty();
    }
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
      return one.hasNext() ? Optional.of(FileStatuses.blocks(one.next())) : Optional.empty();
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
            return status.isDirectory()
                ? ListingEntry.directory(
                    status.getPath(), FileStatuses.policy(status), status.isErasureCoded())
                : ListingEntry.file(FileStatuses.blocks(status), status.isErasureCoded());
          }
        });
  }

  @Override
  public Optional<Hold> hold(Path root) throws IOException {
    return Optional.ofNullable(xattrs(root).get(Hold.XATTR)).map(Hold::parse);
  }

  /** None where the path does not exist or the NameNode has xattrs disabled. */
  private Map<String, byte[]> xattrs(Path path) throws IOException {
    try {
      return dfs.getXAttrs(path);
    } catch (FileNotFoundException e) {
      return Map.of();
    } catch (RemoteException e) {
      if (String.valueOf(e.getMessage()).contains("dfs.namenode.xattrs.enabled")) {
        return Map.of();
      }
      throw e;
    }
  }

  @Override
  public void setHold(Path root, Hold hold) throws IOException {
    dfs.setXAttr(
        root, Hold.XATTR, hold.toBytes(), EnumSet.of(XAttrSetFlag.CREATE, XAttrSetFlag.REPLACE));
  }

  @Override
  public void removeHold(Path root) throws IOException {
    if (dfs.getXAttrs(root).containsKey(Hold.XATTR)) {
      dfs.removeXAttr(root, Hold.XATTR);
    }
  }

  @Override
  public void restorePolicy(Path path, byte id) throws IOException {
    if (id == StoragePolicy.UNSPECIFIED) {
      dfs.unsetStoragePolicy(path);
      return;
    }
    // By id, since an admin may have used a policy that StoragePolicy does not name.
    for (BlockStoragePolicySpi policy : dfs.getAllStoragePolicies()) {
      if (policy instanceof BlockStoragePolicy && ((BlockStoragePolicy) policy).getId() == id) {
        dfs.setStoragePolicy(path, policy.getName());
        return;
      }
    }
    throw new IOException("HDFS has no storage policy with the id " + id);
  }

  @Override
  public void satisfy(Path file) throws IOException {
    dfs.satisfyStoragePolicy(file);
  }

  @Override
  public void satisfyAgain(Path file) throws IOException {
    if (xattrs(file).containsKey(MoveRequests.XATTR)) {
      MoveRequests.takeBack(dfs, file);
    }
    dfs.satisfyStoragePolicy(file);
  }

  @Override
  public boolean moves(Path root) throws IOException {
    return MoveRequests.areTaken(dfs, root);
  }

  @Override
  public Optional<MoveConsent> consent(Path root) throws IOException {
    return Optional.ofNullable(xattrs(root).get(MoveConsent.XATTR)).flatMap(MoveConsent::parse);
  }

  @Override
  public void setConsent(Path root, MoveConsent consent) throws IOException {
    dfs.setXAttr(
        root,
        MoveConsent.XATTR,
        consent.toBytes(),
        EnumSet.of(XAttrSetFlag.CREATE, XAttrSetFlag.REPLACE));
  }

  @Override
  public void removeConsent(Path root) throws IOException {
    if (xattrs(root).containsKey(MoveConsent.XATTR)) {
      dfs.removeXAttr(root, MoveConsent.XATTR);
    }
  }

  @Override
  public Optional<TierState> tierState(Path root) throws IOException {
    Map<String, byte[]> found = xattrs(root);
    byte[] value = found.get(TierState.XATTR);
    if (value == null) {
      return Optional.empty();
    }
    return Optional.of(
        found.containsKey(Hold.XATTR) ? TierState.closed("a hold stands") : TierState.parse(value));
  }

  @Override
  public void setTierState(Path root, TierState state) throws IOException {
    dfs.setXAttr(
        root,
        TierState.XATTR,
        state.toBytes(),
        EnumSet.of(XAttrSetFlag.CREATE, XAttrSetFlag.REPLACE));
  }

  @Override
  public void removeTierState(Path root) throws IOException {
    if (xattrs(root).containsKey(TierState.XATTR)) {
      dfs.removeXAttr(root, TierState.XATTR);
    }
  }
}
