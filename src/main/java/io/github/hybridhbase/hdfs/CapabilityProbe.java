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
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Does with one small file all that the plugin does, as this user: creates it, gives it a policy, a
 * provenance record and a flushed block, and asks for a move; then deletes it. What HDFS would
 * really do is known only so: its settings cannot be asked for.
 */
@InterfaceAudience.Private
public final class CapabilityProbe {
  private Optional<IOException> create = Optional.empty();
  private Optional<IOException> policy = Optional.empty();
  private Optional<IOException> xattr = Optional.empty();
  private Optional<IOException> write = Optional.empty();
  private Optional<IOException> satisfy = Optional.empty();
  private List<StorageType> replicas = List.of();

  /** A probe in which nothing was refused. */
  public static CapabilityProbe of(StorageType... replicas) {
    CapabilityProbe capabilities = new CapabilityProbe();
    capabilities.replicas = List.of(replicas);
    return capabilities;
  }

  /** The same with refusals; null for none. */
  public CapabilityProbe refusing(
      IOException create,
      IOException policy,
      IOException xattr,
      IOException write,
      IOException satisfy) {
    CapabilityProbe capabilities = CapabilityProbe.of(replicas.toArray(new StorageType[0]));
    capabilities.create = Optional.ofNullable(create);
    capabilities.policy = Optional.ofNullable(policy);
    capabilities.xattr = Optional.ofNullable(xattr);
    capabilities.write = Optional.ofNullable(write);
    capabilities.satisfy = Optional.ofNullable(satisfy);
    return capabilities;
  }

  /**
   * Probes in a directory.
   *
   * @param blockSize bytes to declare, by which HDFS judges space
   * @return empty where the file system is no HDFS
   */
  public static Optional<CapabilityProbe> in(FileSystem fs, Path directory, long blockSize) {
    Optional<DistributedFileSystem> dfs = FailFastClient.unwrap(fs);
    return dfs.isEmpty()
        ? Optional.empty()
        : Optional.of(new CapabilityProbe().run(dfs.get(), directory, blockSize));
  }

  private CapabilityProbe run(DistributedFileSystem dfs, Path directory, long blockSize) {
    try (ProbeFile file = new ProbeFile(dfs, directory)) {
      create = tried(() -> file.create(blockSize));
      if (create.isEmpty()) {
        policy = tried(() -> dfs.setStoragePolicy(file.path(), StoragePolicy.ALL_SSD.name()));
        xattr =
            tried(
                () ->
                    dfs.setXAttr(
                        file.path(),
                        PolicyProvenance.XATTR,
                        new byte[] {'x'},
                        EnumSet.of(XAttrSetFlag.CREATE)));
        write = tried(() -> replicas = file.write());
        file.finish();
        satisfy = tried(() -> dfs.satisfyStoragePolicy(file.path()));
      }
    }
    return this;
  }

  private interface Step {
    void run() throws IOException;
  }

  private static Optional<IOException> tried(Step step) {
    try {
      step.run();
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of(e);
    } catch (UnsupportedOperationException e) {
      return Optional.of(new IOException(e));
    }
  }

  /** Why no file could be created, where none could: nothing else was tried then. */
  public Optional<IOException> create() {
    return create;
  }

  /** Why no policy could be set. */
  public Optional<IOException> policy() {
    return policy;
  }

  /** Why no provenance could be left. */
  public Optional<IOException> xattr() {
    return xattr;
  }

  /** Why no block could be written under ALL_SSD. */
  public Optional<IOException> write() {
    return write;
  }

  /** Why no move could be asked for. */
  public Optional<IOException> satisfy() {
    return satisfy;
  }

  /** The medium of each replica of the block. */
  public List<StorageType> replicas() {
    return replicas;
  }
}
