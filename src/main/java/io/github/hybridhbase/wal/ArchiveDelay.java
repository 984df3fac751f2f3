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
package io.github.hybridhbase.wal;

import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.runtime.Backoff.Jitter;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.regionserver.wal.WALActionsListener;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A listener that delays the archiving of a WAL while the NameNode is in safe mode or not
 * responding, because HBase aborts the server if archiving fails ({@code AbstractFSWAL.archive}).
 *
 * <p>Blocks the WAL's archiving thread for at most {@value #MOST_MINUTES} minutes, and never once
 * the WAL is being closed. One NameNode call for each archived WAL.
 */
@InterfaceAudience.Private
final class ArchiveDelay implements WALActionsListener {
  private static final Logger LOG = LoggerFactory.getLogger(ArchiveDelay.class);

  static final int MOST_MINUTES = 10;

  static final long PAUSE_MILLIS = 500;

  private final StorageNamespace namespace;
  private final LongSupplier clock;
  private final long pauseMillis;
  private final Jitter jitter = Jitter.random();
  private volatile boolean closing;

  /**
   * @param clock nanoseconds, as {@link System#nanoTime()}
   */
  ArchiveDelay(StorageNamespace namespace, LongSupplier clock, long pauseMillis) {
    this.namespace = namespace;
    this.clock = clock;
    this.pauseMillis = pauseMillis;
  }

  @Override
  public void preLogArchive(Path from, Path to) throws IOException {
    long start = clock.getAsLong();
    boolean logged = false;
    while (!closing && !takesWrites()) {
      if (clock.getAsLong() - start > TimeUnit.MINUTES.toNanos(MOST_MINUTES)) {
        LOG.warn(
            "The NameNode still takes no writes after {} minutes: the WAL {} is archived nonetheless,"
                + " and HBase aborts the server if that fails. Let the NameNode leave safe mode.",
            MOST_MINUTES,
            from);
        return;
      }
      if (!logged) {
        LOG.warn(
            "The NameNode takes no writes (safe mode, or unavailable): the WAL {} is archived once it"
                + " does, at the latest after {} minutes, so that HBase does not abort the server."
                + " Let the NameNode leave safe mode.",
            from,
            MOST_MINUTES);
        logged = true;
      }
      if (!pause()) {
        return;
      }
    }
  }

  private boolean pause() {
    try {
      // Jitter, since all servers wait for the same NameNode.
      TimeUnit.MILLISECONDS.sleep(jitter.cut(pauseMillis));
      return true;
    } catch (InterruptedException e) {
      // An exception from here would abort the server.
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private boolean takesWrites() {
    try {
      return namespace.takesWrites();
    } catch (IOException e) {
      LOG.debug("The NameNode does not say whether it takes writes", e);
      return false;
    } catch (RuntimeException | LinkageError e) {
      LOG.debug("Not known whether the NameNode takes writes", e);
      return true;
    }
  }

  @Override
  public void logCloseRequested() {
    closing = true;
  }
}
