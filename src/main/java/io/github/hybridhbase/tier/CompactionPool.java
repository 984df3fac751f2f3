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

import org.apache.hadoop.hbase.regionserver.CompactSplit;
import org.apache.hadoop.hbase.regionserver.OnlineRegions;
import org.apache.hadoop.hbase.regionserver.RegionServerServices;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequester;
import org.apache.yetus.audience.InterfaceAudience;

/** HBase's compaction threads of one server. Thread-safe. */
@InterfaceAudience.Private
interface CompactionPool {
  /** Compactions that wait for a thread. */
  int waiting();

  /** Whether the server compacts at all: {@code compaction_switch} turns it off. */
  boolean on();

  /** Those of the server that a region observer's environment calls its online regions. */
  static CompactionPool of(OnlineRegions server) {
    CompactionRequester requester =
        server instanceof RegionServerServices
            ? ((RegionServerServices) server).getCompactionRequestor()
            : null;
    if (!(requester instanceof CompactSplit)) {
      throw new IllegalStateException("this server's compactions are not HBase's own");
    }
    CompactSplit threads = (CompactSplit) requester;
    return new CompactionPool() {
      @Override
      public int waiting() {
        return threads.getCompactionQueueSize();
      }

      @Override
      public boolean on() {
        return threads.isCompactionsEnabled();
      }
    };
  }
}
