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
package io.github.hybridhbase.wal;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Answers on their way out, one after the other: AsyncFSWAL's idea of the highest synced
 * transaction would go backwards if two threads gave them at once. Thread-safe; never blocks.
 */
@InterfaceAudience.Private
final class Answers {
  private static final class Answer {
    private final Batch batch;
    private final long acked;
    private final Throwable error;

    Answer(Batch batch, long acked, Throwable error) {
      this.batch = batch;
      this.acked = acked;
      this.error = error;
    }
  }

  private final ConcurrentLinkedQueue<Answer> queue = new ConcurrentLinkedQueue<>();
  private final AtomicInteger delivering = new AtomicInteger();

  /** Puts an answer behind those given before; {@link #deliver} hands it out. */
  void add(Batch batch, long acked, Throwable error) {
    queue.add(new Answer(batch, acked, error));
  }

  /** Completes futures in order: whoever is first here does it for all that come meanwhile. */
  void deliver() {
    if (queue.isEmpty() || delivering.getAndIncrement() != 0) {
      return;
    }
    int seen = 1;
    do {
      for (Answer answer = queue.poll(); answer != null; answer = queue.poll()) {
        answer.batch.complete(answer.acked, answer.error);
      }
      seen = delivering.addAndGet(-seen);
    } while (seen != 0);
  }
}
