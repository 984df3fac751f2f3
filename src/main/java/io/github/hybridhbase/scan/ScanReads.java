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
 * The NameNode reads of a chore's scans: paced, counted, and repeated for a minute on failure,
 * since a scan of hours would otherwise start over. One thread; {@link #progress} any thread.
 */
@InterfaceAudience.Private
final class ScanReads implements BlockScanner.Calls {
  private static final Logger LOG = LoggerFactory.getLogger(ScanReads.class);

  static final int RETRIES = 6;

  static final int PAUSE_SECONDS = 10;

  private static final long SAY_NANOS = TimeUnit.HOURS.toNanos(1);

  private final ScanPace pace;
  private final BooleanSupplier stopped;

  /** Of the current scan; -1 between scans. */
  private final AtomicLong reads = new AtomicLong(-1);

  private volatile boolean paced = true;
  private long saidNanos;

  /**
   * Creates idle reads.
   *
   * @param stopped true ends all waiting
   */
  ScanReads(ScanPace pace, BooleanSupplier stopped) {
    this.pace = pace;
    this.stopped = stopped;
  }

  void begin() {
    paced = true;
    saidNanos = pace.now();
    reads.set(0);
  }

  /** Sets whether the current scan is paced; {@link #begin} resets to true. */
  void paced(boolean now) {
    paced = now;
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
            + (paced
                ? pace.toString()
                : "as fast as it answers, as the first one of this declaration")
            + ".";
  }

  @Override
  public void before() {
    if (paced) {
      try {
        pace.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt(); // ends the turn
      }
    }
    reads.incrementAndGet();
    HybridMetrics.get().count(Metric.SCAN_READS);
    if (pace.now() - saidNanos >= SAY_NANOS) {
      saidNanos = pace.now();
      LOG.info("{}", progress());
    }
  }

  @Override
  public boolean again(IOException why, int failures) {
    if (failures > RETRIES) {
      return false;
    }
    LOG.info(
        "The scan could not read from the NameNode and retries in {} seconds ({} of {})",
        PAUSE_SECONDS,
        failures,
        RETRIES,
        why);
    try {
      for (int second = 0; second < PAUSE_SECONDS && !stopped.getAsBoolean(); second++) {
        pace.pause();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return !stopped.getAsBoolean();
  }
}
