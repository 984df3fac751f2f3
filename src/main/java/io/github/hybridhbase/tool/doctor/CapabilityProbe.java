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
package io.github.hybridhbase.tool.doctor;

import io.github.hybridhbase.hdfs.DataNodeState;
import io.github.hybridhbase.hdfs.NewFiles;
import io.github.hybridhbase.hdfs.ProbeFile;
import io.github.hybridhbase.hdfs.SsdNodeSearch;
import io.github.hybridhbase.runtime.Action;
import io.github.hybridhbase.runtime.StoragePolicy;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.yetus.audience.InterfaceAudience;

/** A rehearsal of the plugin's calls on one temporary file: HDFS has no query for the settings. */
@InterfaceAudience.Private
public final class CapabilityProbe {
  @InterfaceAudience.Private
  public enum Step {
    /** If refused, no other step is tried. */
    CREATE,
    POLICY,
    XATTR,
    WRITE
  }

  private final List<StorageType> replicas;
  private final Map<Step, IOException> refusals;

  /**
   * @param replicas empty if nothing was written
   */
  public CapabilityProbe(List<StorageType> replicas, Map<Step, IOException> refusals) {
    this.replicas = List.copyOf(replicas);
    this.refusals = Map.copyOf(refusals);
  }

  /**
   * @param live DataNodes, from which it names some, as files of servers do
   */
  static CapabilityProbe in(
      FileSystem fs, Path directory, long blockSize, Collection<DataNodeState> live)
      throws IOException {
    SsdNodeSearch.of(fs).ifPresent(search -> search.looked(live));
    List<StorageType> replicas = new ArrayList<>();
    Map<Step, IOException> refusals = new EnumMap<>(Step.class);
    if (NewFiles.of(fs).filter(NewFiles::disabled).isPresent()) {
      refusals.put(Step.POLICY, new IOException("dfs.storage.policy.enabled is set to false"));
    }
    try (ProbeFile file = new ProbeFile(fs, directory)) {
      boolean may = refusals.isEmpty();
      tryIt(
          refusals,
          Step.CREATE,
          () -> file.create(may ? StoragePolicy.ALL_SSD : StoragePolicy.NONE, blockSize));
      if (!refusals.containsKey(Step.CREATE)) {
        tryIt(refusals, Step.XATTR, () -> file.xattr("user.hbase.hybrid.probe"));
        tryIt(refusals, Step.WRITE, () -> replicas.addAll(file.write()));
      }
    }
    return new CapabilityProbe(replicas, refusals);
  }

  private static void tryIt(Map<Step, IOException> refusals, Step step, Action<IOException> call) {
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
