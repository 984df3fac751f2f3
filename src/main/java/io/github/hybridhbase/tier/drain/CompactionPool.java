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
package io.github.hybridhbase.tier.drain;

import io.github.hybridhbase.runtime.DaemonThreads;
import java.io.IOException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import org.apache.hadoop.hbase.regionserver.CompactSplit;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.OnlineRegions;
import org.apache.hadoop.hbase.regionserver.RegionServerServices;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionContext;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequester;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The compactions of one server: HBase's own, and two threads for exits (compactions off SSD).
 * Thread-safe.
 *
 * <p>Implementation note. HBase's queues hold either a request with selected files, which stay
 * locked if {@code compaction_switch} or {@code clear_compaction_queues} drops it, or one without
 * priority, which waits behind all others.
 */
@InterfaceAudience.Private
public class CompactionPool {
  private static final int MOST = 1_000;

  private final CompactSplit threads;
  private final ThreadPoolExecutor small = exits("hybrid-exit", 1);
  private final ThreadPoolExecutor large = exits("hybrid-exit-large", MOST);

  /**
   * @param threads null in tests with compactions of their own
   */
  public CompactionPool(CompactSplit threads) {
    this.threads = threads;
  }

  /**
   * @throws IllegalStateException if the server's compactions are not HBase's own
   */
  public static CompactionPool of(OnlineRegions server) {
    CompactionRequester requester =
        server instanceof RegionServerServices
            ? ((RegionServerServices) server).getCompactionRequestor()
            : null;
    if (!(requester instanceof CompactSplit)) {
      throw new IllegalStateException("this server's compactions are not HBase's own");
    }
    return new CompactionPool((CompactSplit) requester);
  }

  private static ThreadPoolExecutor exits(String name, int most) {
    return DaemonThreads.pool(name, 1, most, new ThreadPoolExecutor.AbortPolicy());
  }

  public int waiting() {
    return threads.getCompactionQueueSize();
  }

  public boolean on() {
    return threads.isCompactionsEnabled();
  }

  /**
   * @param ofLarge whether on the thread for what HBase calls large compactions
   * @return false if that thread's queue is full
   */
  public boolean execute(boolean ofLarge, Runnable task) {
    try {
      (ofLarge ? large : small).execute(task);
      return true;
    } catch (RejectedExecutionException e) {
      return false;
    }
  }

  /** On this thread, within HBase's throughput limit. */
  public void compact(HStore store, CompactionContext selected) throws IOException {
    store.getHRegion().compact(selected, store, threads.getCompactionThroughputController(), null);
  }
}
