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

import io.github.hybridhbase.hot.HotMark;
import org.apache.hadoop.hbase.HDFSBlocksDistribution;
import org.apache.hadoop.hbase.HDFSBlocksDistribution.HostAndWeight;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.StoreFileReader;
import org.apache.yetus.audience.InterfaceAudience;

/** What HBase knows of a store file it has open; no HDFS call. */
@InterfaceAudience.Private
final class HBaseFiles {
  private HBaseFiles() {}

  /** Alone or with others. */
  static boolean mayRewrite(HStoreFile file) {
    return !file.isReference()
        && !file.getFileInfo().isLink()
        && length(file) > 0
        && !file.excludeFromMinorCompaction();
  }

  /** Replicas that are to be on SSD if the file is placed there. */
  static int replicas(HStoreFile file, StoreTierConfig config) {
    return config.hotPolicy().wantsSsd() && HotMark.isOn(file)
        ? config.hotReplicas()
        : config.replicas();
  }

  /** 0 if HBase has closed it meanwhile. */
  static long length(HStoreFile file) {
    StoreFileReader reader = file.getReader();
    return reader == null ? 0 : reader.length();
  }

  /**
   * Bytes of a file's replicas on SSD, as HBase saw them when it opened the file. The last replicas
   * of a file just closed may not have been reported then: if one was on SSD, the missing ones are
   * assumed there too.
   *
   * @param replicas how many replicas of a tiered file are on SSD
   */
  static long bytesOnSsd(HStoreFile file, int replicas) {
    HDFSBlocksDistribution blocks = file.getFileInfo().getHDFSBlockDistribution();
    long ssd = 0;
    long all = 0;
    if (blocks != null) {
      for (HostAndWeight host : blocks.getHostAndWeights().values()) {
        ssd += host.getWeightForSsd();
        all += host.getWeight();
      }
    }
    boolean tiered = ssd > 0 && !file.isReference();
    return tiered ? ssd + Math.max(0, length(file) * replicas - all) : ssd;
  }
}
