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
package io.github.hybridhbase.scan;

import io.github.hybridhbase.runtime.Clock;
import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.Metric;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A pace of NameNode reads: a token bucket, repeating failed reads for a minute, lest a scan of
 * hours start over. A burst of {@value #BURST_SECONDS} seconds' worth reads a small namespace at
 * once. One thread; {@link #progress} any thread.
 */
@InterfaceAudience.Private
public final class ScanPace {
  private static final Logger LOG = LoggerFactory.getLogger(ScanPace.class);

  /** Of the active master's scan: 100,000 regions take 7 to 12 hours. */
  public static final int READS_PER_SECOND = 12;

  static final int BURST_SECONDS = 10;

  static final int RETRIES = 6;

  static final int PAUSE_SECONDS = 10;

  private static final long LOG_NANOS = TimeUnit.HOURS.toNanos(1);

  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private final int perSecond;
  private final long perRead;
  private final Clock clock;

  private long over;

  private final AtomicLong reads = new AtomicLong(-1);

  private BooleanSupplier stopped = () -> false;
  private long loggedNanos;

  /**
   * @param perSecond reads; 0 for no limit
   */
  public ScanPace(int perSecond, Clock clock) {
    this.perSecond = perSecond;
    this.perRead = perSecond == 0 ? 0 : SECOND / perSecond;
    this.clock = clock;
    this.over = clock.nanos();
  }

  public static ScanPace of(int perSecond) {
    return new ScanPace(perSecond, Clock.SYSTEM);
  }

  void await() throws InterruptedException {
    long now = now();
    over = Math.max(over - now, 0) + perRead + now;
    long wait = over - now - BURST_SECONDS * SECOND;
    if (wait > 0) {
      clock.sleep(wait);
    }
  }

  /** In nanoseconds. */
  long now() {
    return clock.nanos();
  }

  void begin(BooleanSupplier stopped) {
    this.stopped = stopped;
    loggedNanos = now();
    reads.set(0);
  }

  void end() {
    reads.set(-1);
  }

  /** A sentence; empty between scans. Any thread. */
  String progress() {
    long soFar = reads.get();
    return soFar < 0
        ? ""
        : "A scan is under way and has read "
            + soFar
            + " pages of directories; it asks the NameNode "
            + this
            + ".";
  }

  void before() {
    try {
      await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    reads.incrementAndGet();
    HybridMetrics.get().count(Metric.SCAN_READS);
    if (now() - loggedNanos >= LOG_NANOS) {
      loggedNanos = now();
      LOG.info("{}", progress());
    }
  }

  /**
   * Waits, then returns whether to repeat a failed read.
   *
   * @param failures of this read, at least 1
   */
  boolean again(IOException why, int failures) {
    if (failures > RETRIES) {
      return false;
    }
    LOG.info(
        "The scan could not read a directory from the NameNode and retries in {} seconds "
            + "(failure {}; after {} retries in a row the scan fails, and the next starts anew)",
        PAUSE_SECONDS,
        failures,
        RETRIES,
        why);
    try {
      for (int second = 0; second < PAUSE_SECONDS && !stopped.getAsBoolean(); second++) {
        clock.sleep(SECOND);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return !stopped.getAsBoolean();
  }

  @Override
  public String toString() {
    return perSecond == 0 ? "as fast as it answers" : "at most " + perSecond + " times a second";
  }
}
