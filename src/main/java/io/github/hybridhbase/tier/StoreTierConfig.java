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
package io.github.hybridhbase.tier;

import io.github.hybridhbase.config.StoragePolicy;
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;

/** One store, as the SSD tier sees it. Immutable. */
@InterfaceAudience.Private
final class StoreTierConfig {
  private final String table;
  private final Path directory;
  private final StoragePolicy policy;
  private final int replicas;
  private final long maxAgeMillis;
  private final String off;
  private final StoragePolicy hotPolicy;
  private final int hotReplicas;

  /**
   * Describes a store.
   *
   * @param directory where its files are
   * @param policy what its files are written under on SSD
   * @param replicas how many replicas of such a file are on SSD
   * @param off why nothing goes to SSD in it, for people; empty where it does
   */
  StoreTierConfig(
      String table,
      Path directory,
      StoragePolicy policy,
      int replicas,
      long maxAgeMillis,
      String off) {
    this.table = table;
    this.directory = directory;
    this.policy = policy;
    this.replicas = replicas;
    this.maxAgeMillis = maxAgeMillis;
    this.off = off;
    this.hotPolicy = StoragePolicy.NONE;
    this.hotReplicas = 0;
  }

  private StoreTierConfig(StoreTierConfig of, StoragePolicy hotPolicy, int hotReplicas) {
    this.table = of.table;
    this.directory = of.directory;
    this.policy = of.policy;
    this.replicas = of.replicas;
    this.maxAgeMillis = of.maxAgeMillis;
    this.off = of.off;
    this.hotPolicy = hotPolicy;
    this.hotReplicas = hotReplicas;
  }

  /**
   * The same store, whose files of hot rows go to SSD.
   *
   * @param of what these are written under
   * @param onSsd how many replicas of such a file are on SSD
   */
  StoreTierConfig withHot(StoragePolicy of, int onSsd) {
    return new StoreTierConfig(this, of, onSsd);
  }

  String table() {
    return table;
  }

  Path directory() {
    return directory;
  }

  /** Where the files of all its table's regions are. */
  Path tableDirectory() {
    return directory.getParent().getParent();
  }

  StoragePolicy policy() {
    return policy;
  }

  int replicas() {
    return replicas;
  }

  /** What files of hot rows are written under; NONE where there are none. */
  StoragePolicy hotPolicy() {
    return hotPolicy;
  }

  int hotReplicas() {
    return hotReplicas;
  }

  long maxAgeMillis() {
    return maxAgeMillis;
  }

  String off() {
    return off;
  }

  /** The path that a file has once it is committed, without scheme and host. */
  String key(String name) {
    return directory.toUri().getPath() + "/" + name;
  }
}
