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
package io.github.hybridhbase.space;

import io.github.hybridhbase.config.StoragePolicy;
import io.github.hybridhbase.hdfs.PolicyStatus;
import io.github.hybridhbase.hdfs.StorageNamespace;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.wal.AbstractFSWALProvider;
import org.apache.yetus.audience.InterfaceAudience;

/** How many servers write WALs, and which of them fell back to DISK. Immutable. */
@InterfaceAudience.Private
public final class WalServers {
  private final int all;
  private final List<String> fellBack;

  WalServers(int all, List<String> fellBack) {
    this.all = all;
    this.fellBack = List.copyOf(fellBack);
  }

  /**
   * Asks HDFS: each server that fell back has turned its own directory to HOT.
   *
   * @param wals the directory of their directories
   */
  public static WalServers of(StorageNamespace namespace, Path wals) throws IOException {
    byte hot = StoragePolicy.HOT.id();
    Optional<PolicyStatus> parent = namespace.policy(wals);
    boolean allHot = parent.isPresent() && parent.get().effective() == hot;
    Map<String, Byte> children = namespace.children(wals);
    List<String> hotOnes =
        children.entrySet().stream()
            .filter(child -> !allHot && child.getValue() == hot)
            .map(Map.Entry::getKey)
            .filter(name -> !name.endsWith(AbstractFSWALProvider.SPLITTING_EXT)) // is dead
            .sorted()
            .collect(Collectors.toList());
    return new WalServers(children.size(), hotOnes);
  }

  int all() {
    return all;
  }

  /** Those that fell back: names of their directories, sorted. */
  public List<String> fellBack() {
    return fellBack;
  }
}
