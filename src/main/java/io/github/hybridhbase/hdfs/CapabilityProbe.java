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
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
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
  /** What is tried, in this order. */
  @InterfaceAudience.Private
  public enum Step {
    /** To create a file; where that is refused nothing else is tried. */
    CREATE,
    /** To set a policy. */
    POLICY,
    /** To leave a provenance record. */
    XATTR,
    /** To write a block under ALL_SSD. */
    WRITE,
    /** To ask for a move. */
    SATISFY
  }

  private final Map<Step, IOException> refusals = new EnumMap<>(Step.class);
  private List<StorageType> replicas = List.of();

  /** A probe in which nothing was refused. */
  public static CapabilityProbe of(StorageType... replicas) {
    CapabilityProbe capabilities = new CapabilityProbe();
    capabilities.replicas = List.of(replicas);
    return capabilities;
  }

  /** The same, in which this was refused too. */
  public CapabilityProbe refusing(Step step, IOException why) {
    refusals.put(step, why);
    return this;
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
      tryIt(Step.CREATE, () -> file.create(blockSize));
      if (refusal(Step.CREATE).isEmpty()) {
        tryIt(Step.POLICY, () -> dfs.setStoragePolicy(file.path(), StoragePolicy.ALL_SSD.name()));
        tryIt(
            Step.XATTR,
            () ->
                dfs.setXAttr(
                    file.path(),
                    PolicyProvenance.XATTR,
                    new byte[] {'x'},
                    EnumSet.of(XAttrSetFlag.CREATE)));
        tryIt(Step.WRITE, () -> replicas = file.write());
        file.finish();
        tryIt(Step.SATISFY, () -> dfs.satisfyStoragePolicy(file.path()));
      }
    }
    return this;
  }

  private interface Call {
    void run() throws IOException;
  }

  private void tryIt(Step step, Call call) {
    try {
      call.run();
    } catch (IOException e) {
      refusals.put(step, e);
    } catch (UnsupportedOperationException e) {
      refusals.put(step, new IOException(e));
    }
  }

  /** Why HDFS did not do it; empty where it did, or was not asked to. */
  public Optional<IOException> refusal(Step step) {
    return Optional.ofNullable(refusals.get(step));
  }

  /** The medium of each replica of the block. */
  public List<StorageType> replicas() {
    return replicas;
  }
}
