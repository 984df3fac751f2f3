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
package io.github.hybridhbase.tool.cli;

import io.github.hybridhbase.runtime.DaemonThreads;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.PrintStream;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hbase.thirdparty.com.google.common.base.Throwables;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A bound on the first answer of a cluster. Hadoop waits a minute or more for a NameNode that
 * accepts connections and hangs, and tries again.
 */
@InterfaceAudience.Private
final class FirstAnswer {
  static final int MOST_SECONDS = 20;
  private static final int SILENT_SECONDS = 3;

  private FirstAnswer() {}

  /**
   * Reports on {@code err} if the answer takes a few seconds.
   *
   * @param cluster key and value that name it, for people
   * @throws UnreachableException after {@value #MOST_SECONDS} seconds, or if a stop was requested
   */
  static <T> T await(Callable<T> question, String cluster, PrintStream err, Stop stop)
      throws IOException {
    return await(question, cluster, err, stop, MOST_SECONDS);
  }

  static <T> T await(Callable<T> question, String cluster, PrintStream err, Stop stop, int most)
      throws IOException {
    ThreadPoolExecutor thread =
        DaemonThreads.pool("hybrid-first-answer", 1, 0, new ThreadPoolExecutor.AbortPolicy());
    Future<T> answer = thread.submit(question);
    try {
      for (int second = 1; second <= most && !stop.requested(); second++) {
        try {
          return answer.get(1, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
          if (second == SILENT_SECONDS) {
            err.println("Waiting for an answer of HDFS (" + cluster + "), at most " + most + " s");
          }
        }
      }
      throw new UnreachableException(
          "HDFS did not answer within "
              + most
              + " s ("
              + cluster
              + "). The NameNode accepts connections and hangs, or packets are dropped on the way:"
              + " try 'hdfs dfs -ls /'.");
    } catch (ExecutionException e) {
      Throwables.throwIfInstanceOf(e.getCause(), IOException.class);
      Throwables.throwIfUnchecked(e.getCause());
      throw new IOException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    } finally {
      thread.shutdownNow();
    }
  }
}
