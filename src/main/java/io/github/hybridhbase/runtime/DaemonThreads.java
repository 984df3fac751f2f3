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
package io.github.hybridhbase.runtime;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.hbase.thirdparty.com.google.common.util.concurrent.ThreadFactoryBuilder;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A factory of named daemon threads that block on HDFS and end after {@value #IDLE_SECONDS} idle
 * seconds.
 */
@InterfaceAudience.Private
public final class DaemonThreads {
  private static final int IDLE_SECONDS = 10;

  private DaemonThreads() {}

  /**
   * @param name with {@code %d} if there are several threads
   * @param waiting longest queue; 0 for none
   * @param refused for tasks beyond the queue
   */
  public static ThreadPoolExecutor pool(
      String name, int threads, int waiting, RejectedExecutionHandler refused) {
    BlockingQueue<Runnable> queue =
        waiting == 0 ? new SynchronousQueue<>() : new LinkedBlockingQueue<>(waiting);
    return ending(
        new ThreadPoolExecutor(
            threads, threads, IDLE_SECONDS, TimeUnit.SECONDS, queue, named(name), refused));
  }

  /** After shutdown, queued and new tasks are dropped. */
  public static ScheduledThreadPoolExecutor timer(String name) {
    ScheduledThreadPoolExecutor timer =
        new ScheduledThreadPoolExecutor(1, named(name), new ThreadPoolExecutor.DiscardPolicy());
    timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    return ending(timer);
  }

  /**
   * Empty answers for questions that failed or took too long.
   *
   * @param seconds for all together
   */
  public static <T> List<Optional<T>> askAll(
      String name, int atOnce, List<Callable<T>> questions, int seconds)
      throws InterruptedException {
    List<Optional<T>> answers = new ArrayList<>();
    ThreadPoolExecutor pool =
        pool(name, atOnce, Integer.MAX_VALUE, new ThreadPoolExecutor.AbortPolicy());
    try {
      for (Future<T> answer : pool.invokeAll(questions, seconds, TimeUnit.SECONDS)) {
        try {
          answers.add(Optional.of(answer.get()));
        } catch (CancellationException | ExecutionException e) {
          answers.add(Optional.empty());
        }
      }
    } finally {
      pool.shutdownNow();
    }
    return answers;
  }

  private static ThreadFactory named(String name) {
    return new ThreadFactoryBuilder().setNameFormat(name).setDaemon(true).build();
  }

  private static <E extends ThreadPoolExecutor> E ending(E executor) {
    executor.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
    executor.allowCoreThreadTimeOut(true);
    return executor;
  }
}
