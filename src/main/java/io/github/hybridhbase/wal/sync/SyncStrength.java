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

/** How the syncs of a log are carried out. */
@InterfaceAudience.Private
public enum SyncStrength {
  /** As HBase asks for: {@code hbase.wal.hsync} and the durability of each mutation decide. */
  STOCK("as hbase.wal.hsync says"),
  /** Every sync is an hsync, because every replica is on SSD. */
  DURABLE("hsync on every sync: all replicas are on SSD"),
  /** {@code auto} was asked for, but at least one replica is not, or not known to be, on SSD. */
  NOT_ALL_SSD("as hbase.wal.hsync says: not every replica is known to be on SSD");

  private final String meaning;

  SyncStrength(String meaning) {
    this.meaning = meaning;
  }

  /**
   * What is in force.
   *
   * @param auto whether {@code hbase.hybrid.wal.hsync=auto}
   * @param everyReplicaOnSsd whether that is known of the file's replicas
   */
  public static SyncStrength of(boolean auto, boolean everyReplicaOnSsd) {
    if (!auto) {
      return STOCK;
    }
    return everyReplicaOnSsd ? DURABLE : NOT_ALL_SSD;
  }

  /**
   * What is in force under {@code auto} from here on.
   *
   * @param last what was in force before; null where nothing was known yet
   * @param pipeline the replicas at hand; empty where none are known, as between two blocks of a
   *     file: {@code last} then, because what comes may be on SSD as well
   */
  public static SyncStrength next(SyncStrength last, DatanodeInfo[] pipeline) {
    return pipeline.length == 0 ? last : of(true, Pipeline.everyReplicaOnSsd(pipeline));
  }

  /** Whether a sync is upgraded to an hsync. */
  public boolean forces() {
    return this == DURABLE;
  }

  /** For people, half a sentence. */
  public String meaning() {
    return meaning;
  }
}
