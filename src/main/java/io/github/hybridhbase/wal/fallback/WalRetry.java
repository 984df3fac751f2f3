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

import io.github.hybridhbase.runtime.DaemonThreads;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A scheduler of checks on one server's WALs: one daemon thread, {@code hybrid-wal-retry}, which
 * ends when idle. Each {@link WalFallback} has at most one check queued. Thread-safe.
 */
@InterfaceAudience.Private
public final class WalRetry {
  private static final Logger LOG = LoggerFactory.getLogger(WalRetry.class);

  private final ScheduledThreadPoolExecutor executor;

  public WalRetry() {
    this(DaemonThreads.timer("hybrid-wal-retry"));
  }

  WalRetry(ScheduledThreadPoolExecutor executor) {
    this.executor = executor;
  }

  /**
   * Runs a check after a delay, unless this has ended. Never blocks, never throws.
   *
   * @return false if no thread could be started
   */
  boolean later(String what, Runnable look, long nanos) {
    try {
      executor.prestartCoreThread(); // schedule() would queue the check before it fails
      var unused = executor.schedule(() -> run(what, look), nanos, TimeUnit.NANOSECONDS);
      return true;
    } catch (OutOfMemoryError e) {
      LOG.warn(
          "No thread could be started ({}), so a check waits for the next WAL that opens: {}. Raise "
              + "the limit of processes (ulimit -u), or look for what uses so many threads.",
          e.getMessage(),
          what);
      return false;
    }
  }

  private static void run(String what, Runnable look) {
    try {
      look.run();
    } catch (RuntimeException | Error e) {
      LOG.error(
          "A fault of the plugin ended a periodic check: {}. WALs on DISK stay there, and "
              + "excluded DataNodes stay excluded, until a restart or the next fallback. Please "
              + "report it.",
          what,
          e);
    }
  }

  /** Drops queued checks; one in progress completes. Never blocks. */
  void end() {
    executor.shutdown();
  }
}
