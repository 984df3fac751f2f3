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

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hbase.io.asyncfs.monitor.StreamSlowMonitor;
import org.apache.hadoop.hbase.util.CommonFSUtils.StreamLacksCapabilityException;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.yetus.audience.InterfaceAudience;

/** One way of writing a WAL: HBase's fan-out output, or a stream of HDFS. One thread. */
@InterfaceAudience.Private
interface WalOutput {
  /**
   * Makes the file and its first block; throws where either is refused.
   *
   * @param step by which client, and for which medium
   */
  void create(OpenState.Step step, boolean overwrite, StreamSlowMonitor monitor)
      throws IOException, StreamLacksCapabilityException;

  /**
   * From now on {@link #create} asks for so many replicas.
   *
   * @return false where it cannot
   */
  default boolean replicas(int count) {
    return false;
  }

  /** What {@link #create} made gets all its replicas once its block is closed. */
  default void wantAllLater() throws IOException {}

  /** The medium of each replica of what {@link #create} made; empty where it is not known. */
  List<StorageType> media();

  /** The DataNodes of what {@link #create} made; empty where they are not known. */
  List<DatanodeInfo> pipeline();

  /** Why too few replicas are on SSD; "" if enough are, or it is not known. */
  default String shortfall() {
    return "";
  }

  /** Whether {@link #create} throws where a DataNode refuses, rather than going without it. */
  boolean namesRefusals();

  /** Closes what {@link #create} made, however far it came. Never throws. */
  void discard();
}
