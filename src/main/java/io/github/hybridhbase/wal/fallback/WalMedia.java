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
package io.github.hybridhbase.wal.fallback;

import io.github.hybridhbase.config.StoragePolicy;
import io.github.hybridhbase.hdfs.Probe;
import io.github.hybridhbase.hdfs.WalFiles;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.yetus.audience.InterfaceAudience;

/** The media of one server's open WALs, and whether new WALs would be better. Pure. Thread-safe. */
@InterfaceAudience.Private
final class WalMedia {
  private final int replication;
  private int usualReplicas;

  /** By name without the number that changes with every roll. */
  private final Map<String, List<StorageType>> last = new HashMap<>();

  WalMedia(int replication) {
    this.replication = replication;
    this.usualReplicas = replication;
  }

  int replication() {
    return replication;
  }

  synchronized int usualReplicas() {
    return usualReplicas;
  }

  /**
   * @param onDisk whether it was meant for DISK without exclusions; SSD then caused no missing
   *     replica
   * @return whether it has too few replicas
   */
  synchronized boolean opened(Path wal, List<StorageType> media, boolean onDisk) {
    last.put(WalFiles.log(wal), List.copyOf(media));
    if (media.size() >= replication) {
      usualReplicas = replication;
    } else if (onDisk) {
      usualReplicas = media.size();
    }
    return media.size() < replication;
  }

  /** Whether a WAL has too few replicas; also true if no WAL is known. */
  synchronized boolean anyUnderReplicated() {
    return last.isEmpty() || last.values().stream().anyMatch(media -> media.size() < replication);
  }

  /**
   * Whether this file's log has too few replicas, or one that the policy does not want; false if
   * unknown.
   */
  synchronized boolean isWorseThan(Path wal, StoragePolicy policy) {
    List<StorageType> media = last.get(WalFiles.log(wal));
    return media != null && (media.size() < replication || policy.misplaced(media) > 0);
  }

  /** Whether WALs written like this probe would have more replicas, or more of them on SSD. */
  synchronized boolean wouldBeBetter(Probe probe) {
    List<StorageType> now = probe.replicas();
    return probe.refusal().isEmpty()
        && last.values().stream().allMatch(media -> now.size() >= media.size())
        && (last.isEmpty()
            || last.values().stream()
                .anyMatch(media -> now.size() > media.size() || onSsd(now) > onSsd(media)));
  }

  private static long onSsd(List<StorageType> media) {
    return media.stream().filter(type -> type == StorageType.SSD).count();
  }
}
