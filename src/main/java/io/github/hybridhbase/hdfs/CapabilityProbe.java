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

import io.github.hybridhbase.runtime.Action;
import io.github.hybridhbase.runtime.StoragePolicy;
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
 * A rehearsal of what the plugin does in HDFS, on one temporary file: HDFS offers no query for the
 * relevant settings.
 */
@InterfaceAudience.Private
public final class CapabilityProbe {
  @InterfaceAudience.Private
  public enum Step {
    /** Creates the file; if refused, no other step is tried. */
    CREATE,
    POLICY,
    XATTR,
    WRITE,
    SATISFY
  }

  private final Map<Step, IOException> refusals = new EnumMap<>(Step.class);
  private List<StorageType> replicas = List.of();

  public static CapabilityProbe of(StorageType... replicas) {
    CapabilityProbe capabilities = new CapabilityProbe();
    capabilities.replicas = List.of(replicas);
    return capabilities;
  }

  public CapabilityProbe refusing(Step step, IOException why) {
    refusals.put(step, why);
    return this;
  }

  /**
   * @param blockSize bytes to declare, by which HDFS judges space
   * @return empty if the file system is not HDFS
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

  private void tryIt(Step step, Action<IOException> call) {
    try {
      call.run();
    } catch (IOException e) {
      refusals.put(step, e);
    } catch (UnsupportedOperationException e) {
      refusals.put(step, new IOException(e));
    }
  }

  public Optional<IOException> refusal(Step step) {
    return Optional.ofNullable(refusals.get(step));
  }

  public List<StorageType> replicas() {
    return replicas;
  }
}
