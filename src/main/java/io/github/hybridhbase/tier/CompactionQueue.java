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

import java.io.IOException;
import org.apache.hadoop.hbase.regionserver.CompactSplit;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionLifeCycleTracker;
import org.apache.yetus.audience.InterfaceAudience;

/** HBase's own queue of compactions. Tests replace it. */
@InterfaceAudience.Private
class CompactionQueue {
  private final CompactSplit queue;

  CompactionQueue(CompactSplit queue) {
    this.queue = queue;
  }

  int waiting() {
    return queue.getCompactionQueueSize();
  }

  /** False after {@code compaction_switch false}: HBase logs each request that it then refuses. */
  boolean on() {
    return queue.isCompactionsEnabled();
  }

  /**
   * Requests a compaction that selects its files when it runs.
   *
   * <p>INVARIANT: also if HBase counts the store as under compaction, which it does for ever once a
   * queue was cleared.
   */
  void request(TierStore of, String why) throws IOException {
    queue.requestSystemCompaction(of.store.getHRegion(), of.store, why, false);
  }

  void requestMajor(TierStore of, String why) throws IOException {
    of.store.triggerMajorCompaction();
    request(of, why);
  }

  /** HBase's store remembers a major one. */
  void requestForUser(TierStore of, String why) throws IOException {
    of.store
        .getHRegion()
        .requestCompaction(
            of.store.getColumnFamilyDescriptor().getName(),
            why,
            Store.PRIORITY_USER,
            false,
            CompactionLifeCycleTracker.DUMMY);
  }
}
