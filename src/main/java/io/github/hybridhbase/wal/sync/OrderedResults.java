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

import java.util.concurrent.atomic.AtomicInteger;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A queue of answers, delivered one at a time (see {@link GroupCommit}). Never blocks and allocates
 * nothing, so that a process without memory answers too.
 */
@InterfaceAudience.Private
final class OrderedResults {
  private final AtomicInteger delivering = new AtomicInteger();

  /** The batch added last; guarded by the group commit's lock. */
  private SyncBatch last = new SyncBatch();

  /** The batch delivered last; written by the delivering thread only. */
  private volatile SyncBatch delivered = last;

  void add(SyncBatch batch, long acked, Throwable error) {
    batch.answer(acked, error);
    last.next(batch);
    last = batch;
  }

  /** Completes futures in order, also those added meanwhile by threads that return at once. */
  void deliver() {
    if (delivered.next() == null || delivering.getAndIncrement() != 0) {
      return;
    }
    int seen = 1;
    do {
      for (SyncBatch batch = delivered.next(); batch != null; batch = batch.next()) {
        delivered = batch;
        complete(batch);
      }
      seen = delivering.addAndGet(-seen);
    } while (seen != 0);
  }

  private static void complete(SyncBatch batch) {
    boolean more = true;
    while (more) {
      try {
        more = batch.completeNext();
      } catch (Throwable t) {
        // A failing callback must not keep others from their answer; logging it might throw again.
        more = true;
      }
    }
  }
}
