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

import io.github.hybridhbase.runtime.Clock;
import java.io.InterruptedIOException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The time limit of opening or archiving one WAL, which bounds all waits for the NameNode. Not
 * thread-safe.
 */
@InterfaceAudience.Private
public final class OpenDeadline {
  private static final Logger LOG = LoggerFactory.getLogger(OpenDeadline.class);

  /** Mean pause; each is drawn from half to 1.5 times it, so that servers return apart. */
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private final Path path;
  private final long end;
  private final Clock clock;
  private final long begin;
  private long since;

  /**
   * @param mostMillis until the last wait for the NameNode ends
   */
  public OpenDeadline(Path path, long mostMillis, Clock clock) {
    this.path = path;
    this.clock = clock;
    this.begin = clock.nanos();
    this.since = begin;
    this.end = begin + TimeUnit.MILLISECONDS.toNanos(mostMillis);
  }

  /** Nanoseconds since the last wait for the NameNode, else since the beginning. */
  long nanosSincePause() {
    return clock.nanos() - since;
  }

  /** Negative once over. */
  public long nanosLeft() {
    return end - clock.nanos();
  }

  /** Waits for a NameNode that is unavailable. A test finds this method in stack traces. */
  public void pause(String why) throws InterruptedIOException {
    if (since == begin) {
      LOG.warn(
          "The NameNode takes no writes for the WAL {} ({}). After {} s HBase aborts the server."
              + " Check that a NameNode is active and not in safe mode.",
          path,
          why,
          TimeUnit.NANOSECONDS.toSeconds(nanosLeft()));
    }
    long drawn = PAUSE_NANOS / 2 + ThreadLocalRandom.current().nextLong(PAUSE_NANOS);
    try {
      clock.sleep(Math.max(0, Math.min(nanosLeft(), drawn)));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("told to stop while the NameNode could not be asked");
    }
    since = clock.nanos();
  }
}
