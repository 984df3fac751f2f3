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

import io.github.hybridhbase.hdfs.HdfsError;
import io.github.hybridhbase.runtime.Backoff;
import java.io.FileNotFoundException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A back-off from changing file policies after HDFS refused a change. Most refusals are permanent
 * (policies disabled or reserved to the superuser), and each attempt costs a failing call.
 * Thread-safe.
 */
@InterfaceAudience.Private
final class PolicyPause {
  private static final Logger LOG = LoggerFactory.getLogger(PolicyPause.class);

  private final String server;
  private final LongSupplier clock;
  private Backoff backoff;
  private String said = "";

  /**
   * @param firstSeconds the pause after the first refusal
   * @param clock nanoseconds, as {@link System#nanoTime()}
   */
  PolicyPause(String server, int firstSeconds, LongSupplier clock) {
    this.server = server;
    this.clock = clock;
    this.backoff = Backoff.starting(TimeUnit.SECONDS.toNanos(firstSeconds));
  }

  /** Logs each new reason once. */
  synchronized void refused(Exception e) {
    if (e instanceof FileNotFoundException) {
      return; // deleted meanwhile
    }
    backoff = backoff.refused(clock.getAsLong());
    String text = HdfsError.of(e).explain();
    if (!text.equals(said)) {
      said = text;
      LOG.warn(
          "The server {} cannot set the storage policy of store files and writes them to DISK;"
              + " it retries at growing intervals. {}",
          server,
          text);
    }
  }

  synchronized boolean lasts() {
    return backoff.waitNanos(clock.getAsLong()) > 0;
  }
}
