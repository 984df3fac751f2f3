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
package io.github.hybridhbase.coprocessor;

import io.github.hybridhbase.runtime.Action;
import io.github.hybridhbase.runtime.Backoff.Jitter;
import io.github.hybridhbase.runtime.DaemonThreads;
import io.github.hybridhbase.runtime.Failures;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A set of named daemon threads that run periodic work until the master ends. HBase notifies a
 * coprocessor of a stop but not of an abort, so each run checks first. Thread-safe.
 */
@InterfaceAudience.Private
final class MasterChores {
  private final BooleanSupplier ended;
  private final Map<String, ScheduledThreadPoolExecutor> threads = new HashMap<>();
  private final Map<String, List<Action<?>>> ends = new ConcurrentHashMap<>();
  private volatile boolean stopped;

  /**
   * @param ended whether the master has stopped or aborted
   */
  MasterChores(BooleanSupplier ended) {
    this.ended = ended;
  }

  /** One run at a time. {@link Jitter} spreads masters that share an HDFS. */
  synchronized void every(
      String name, long delaySeconds, long periodSeconds, String what, Action<?> work) {
    ScheduledThreadPoolExecutor thread = threads.computeIfAbsent(name, DaemonThreads::timer);
    ScheduledFuture<?> unused =
        thread.scheduleWithFixedDelay(
            () -> {
              if (stopped || ended.getAsBoolean()) {
                end(name, thread);
              } else {
                Failures.inHook(what, work);
              }
            },
            TimeUnit.SECONDS.toMillis(delaySeconds),
            Jitter.random().cut(TimeUnit.SECONDS.toMillis(periodSeconds)),
            TimeUnit.MILLISECONDS);
  }

  /** Must precede the end. */
  void atEnd(String name, Action<?> last) {
    ends.computeIfAbsent(name, thread -> new CopyOnWriteArrayList<>()).add(last);
  }

  private void end(String name, ScheduledThreadPoolExecutor thread) {
    thread.shutdown();
    List<Action<?>> last = ends.remove(name);
    if (last != null) {
      last.forEach(action -> Failures.inHook(name, action));
    }
  }

  boolean isStopped() {
    return stopped || ended.getAsBoolean();
  }

  /** Starts nothing new; running work is not interrupted, so that HDFS's answers are awaited. */
  synchronized void stop() {
    stopped = true;
    threads.forEach(
        (name, thread) -> {
          if (!thread.isShutdown()) {
            thread.execute(() -> end(name, thread));
          }
        });
  }
}
