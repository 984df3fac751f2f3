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

/** The SSD tier's view of one store. Immutable. */
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
   * @param policy of its files on SSD
   * @param replicas of such a file on SSD
   * @param off why nothing goes to SSD in it, for people; empty if it does
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
   * @param of policy of its files of hot rows
   * @param onSsd replicas of such a file on SSD
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

  /** The directory of all its table's regions. */
  Path tableDirectory() {
    return directory.getParent().getParent();
  }

  StoragePolicy policy() {
    return policy;
  }

  int replicas() {
    return replicas;
  }

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

  /** A file's path once it is committed, without scheme and host. */
  String key(String name) {
    return directory.toUri().getPath() + "/" + name;
  }
}
