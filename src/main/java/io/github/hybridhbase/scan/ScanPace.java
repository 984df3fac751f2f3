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
import java.util.concurrent.TimeUnit;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A token bucket for NameNode reads, with a burst of {@value #BURST_SECONDS} seconds' worth after a
 * pause, so that a small namespace is scanned at once. One thread; {@link #toString} any thread.
 */
@InterfaceAudience.Private
public final class ScanPace {
  /** Reads a second of the active master's scan: 100,000 regions take 7 to 12 hours. */
  public static final int READS_PER_SECOND = 12;

  /** Reads of so many seconds may be made at once. */
  static final int BURST_SECONDS = 10;

  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private final int perSecond;
  private final long perRead;
  private final Clock clock;

  /** When all reads so far end at the mean rate, in the clock's ns. */
  private long over;

  /**
   * Creates a full bucket.
   *
   * @param perSecond reads; 0 for no limit
   */
  public ScanPace(int perSecond, Clock clock) {
    this.perSecond = perSecond;
    this.perRead = perSecond == 0 ? 0 : SECOND / perSecond;
    this.clock = clock;
    this.over = clock.nanos();
  }

  /** A pace on the system clock. */
  public static ScanPace of(int perSecond) {
    return new ScanPace(perSecond, Clock.SYSTEM);
  }

  /** Blocks for at most a second. */
  void await() throws InterruptedException {
    long now = now();
    over = Math.max(over - now, 0) + perRead + now;
    long wait = over - now - BURST_SECONDS * SECOND;
    if (wait > 0) {
      clock.sleep(wait);
    }
  }

  void pause() throws InterruptedException {
    clock.sleep(SECOND);
  }

  /** In nanoseconds. */
  long now() {
    return clock.nanos();
  }

  @Override
  public String toString() {
    return perSecond == 0 ? "as fast as it answers" : "at most " + perSecond + " times a second";
  }
}
