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
package io.github.hybridhbase.wal.sync;

import io.github.hybridhbase.hdfs.Pipeline;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.yetus.audience.InterfaceAudience;

/** How the syncs of a log are executed. */
@InterfaceAudience.Private
public enum SyncStrength {
  /** As HBase requests: {@code hbase.wal.hsync} and the durability of each mutation decide. */
  STOCK("as hbase.wal.hsync says"),
  DURABLE("hsync on every sync: all replicas are on SSD"),
  /** At least one replica is off SSD or unknown. */
  NOT_ALL_SSD("as hbase.wal.hsync says: not every replica is known to be on SSD");

  private final String meaning;

  SyncStrength(String meaning) {
    this.meaning = meaning;
  }

  /**
   * @param auto whether {@code hbase.hybrid.wal.hsync} is {@code auto}
   */
  public static SyncStrength of(boolean auto, boolean everyReplicaOnSsd) {
    if (!auto) {
      return STOCK;
    }
    return everyReplicaOnSsd ? DURABLE : NOT_ALL_SSD;
  }

  /**
   * The strength under {@code auto} from now on.
   *
   * @param last the previous strength; null if unknown
   * @param pipeline the current replicas; if empty, as between two blocks of a file, the result is
   *     {@code last}, since the next block may be on SSD as well
   */
  public static SyncStrength next(SyncStrength last, DatanodeInfo[] pipeline) {
    return pipeline.length == 0 ? last : of(true, Pipeline.everyReplicaOnSsd(pipeline));
  }

  public boolean forces() {
    return this == DURABLE;
  }

  public String meaning() {
    return meaning;
  }
}
