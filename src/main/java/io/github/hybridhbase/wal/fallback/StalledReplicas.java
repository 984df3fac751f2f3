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

import io.github.hybridhbase.config.HybridSettings;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The treatment of stalled DataNodes while one WAL is opened: they are excluded as long as that
 * costs at most one replica. A replacement on DISK is accepted or omitted. Not thread-safe.
 */
@InterfaceAudience.Private
final class StalledReplicas {
  private static final Logger LOG = LoggerFactory.getLogger(StalledReplicas.class);

  private final Configuration conf;
  private final Path path;
  private final WalFallback fallback;
  private final WalOutput output;

  /** Most recent first. */
  private List<DatanodeInfo> leftOut = List.of();

  /** Whether the file was created with fewer replicas than configured. */
  private boolean shortened;

  StalledReplicas(Configuration conf, Path path, WalFallback fallback, WalOutput output) {
    this.conf = conf;
    this.path = path;
    this.fallback = fallback;
    this.output = output;
  }

  List<DatanodeInfo> leaveOut() {
    leftOut = fallback.failOver().stalled().avoided();
    return leftOut;
  }

  /**
   * Reduces the exclusion to the most recent DataNode, then to none, because the WAL would lack
   * more than one replica, or could not be created.
   *
   * @return DataNodes that are used again; empty if none was excluded
   */
  List<DatanodeInfo> spare() {
    if (leftOut.isEmpty()) {
      return List.of();
    }
    int kept = leftOut.size() > 1 ? 1 : 0;
    List<DatanodeInfo> spared = leftOut.subList(kept, leftOut.size());
    LOG.warn("The WAL {} needs {}, although its disk or the DataNode stalled lately", path, spared);
    fallback.failOver().needed(spared);
    leftOut = leftOut.subList(0, kept);
    return spared;
  }

  /**
   * Whether to omit a replica on DISK that replaces a stalled DataNode's, so that acknowledged
   * edits stay durable. Then requests fewer replicas, once.
   *
   * @param media of a WAL that was meant for SSD
   */
  boolean staysOnSsd(List<StorageType> media) {
    int onSsd = Collections.frequency(media, StorageType.SSD);
    if (shortened
        || leftOut.isEmpty()
        || onSsd == media.size()
        || onSsd + 1 < fallback.usualReplicas()
        || !HybridSettings.read(conf).stallDurable()
        || onSsd < conf.getInt("dfs.namenode.replication.min", 1)) {
      return false;
    }
    shortened = output.replicas(onSsd);
    return shortened;
  }

  /** Restores the replication of an opened WAL. Never throws. */
  void opened() {
    if (!shortened) {
      return;
    }
    try {
      output.wantAllLater();
    } catch (IOException e) {
      LOG.warn("The WAL {} keeps fewer replicas than asked for, also once it is closed", path, e);
    }
  }
}
