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

import io.github.hybridhbase.hdfs.HdfsError;
import io.github.hybridhbase.runtime.Clock;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The time limits of opening or archiving one WAL. One deadline bounds all waits for the NameNode;
 * time spent waiting is not charged to SSD. Not thread-safe.
 */
@InterfaceAudience.Private
public final class OpenDeadline {
  private static final Logger LOG = LoggerFactory.getLogger(OpenDeadline.class);

  /** Mean pause; each is drawn from half to 1.5 times it. */
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private final Path path;
  private final long ssdMillis;
  private final long nameNodeMillis;
  private final Clock clock;
  private final long began;
  private long absentNanos;

  /**
   * @param ssdMillis longest time of failures on SSD
   * @param nameNodeMillis longest time until the last wait for the NameNode ends
   */
  public OpenDeadline(Path path, long ssdMillis, long nameNodeMillis, Clock clock) {
    this.path = path;
    this.ssdMillis = ssdMillis;
    this.nameNodeMillis = nameNodeMillis;
    this.clock = clock;
    this.began = now();
  }

  public long now() {
    return clock.nanos();
  }

  /** Negative once over. */
  long ssdNanosLeft() {
    return TimeUnit.MILLISECONDS.toNanos(ssdMillis) - (now() - began - absentNanos);
  }

  /** Negative once over. */
  public long nameNodeNanosLeft() {
    return TimeUnit.MILLISECONDS.toNanos(nameNodeMillis) - (now() - began);
  }

  /**
   * Pauses after a try, begun at {@code asked}, during which the NameNode was unavailable. A test
   * finds this method in stack traces.
   */
  public void pause(long asked, IOException why) throws InterruptedIOException {
    long left = nameNodeNanosLeft();
    if (absentNanos == 0) {
      LOG.warn(
          "The NameNode takes no writes for the WAL {}; waiting {} s more at most. HBase aborts a"
              + " server that can neither open nor archive a WAL. Check that a NameNode is active"
              + " and not in safe mode. {}",
          path,
          TimeUnit.NANOSECONDS.toSeconds(left),
          HdfsError.of(why).text);
    }
    // Random, so that servers do not return at once.
    long drawn = PAUSE_NANOS / 2 + ThreadLocalRandom.current().nextLong(PAUSE_NANOS);
    try {
      clock.sleep(Math.max(0, Math.min(left, drawn)));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("told to stop while the NameNode could not be asked");
    }
    absentNanos += now() - asked;
  }

  IOException over(IOException last) {
    return new IOException(
        "The NameNode could not be asked for the WAL "
            + path
            + " within "
            + nameNodeMillis
            + " ms (hbase.regionserver.logroll.wait.timeout.ms), last: "
            + HdfsError.of(last).text,
        last);
  }
}
