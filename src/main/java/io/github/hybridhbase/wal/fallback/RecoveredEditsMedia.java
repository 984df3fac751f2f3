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
import io.github.hybridhbase.runtime.IoSupplier;
import io.github.hybridhbase.runtime.StoragePolicy;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Whether one server's recovered edits go to SSD: if its WALs are created under ALL_SSD, and SSD
 * takes them. Thread-safe.
 */
@InterfaceAudience.Private
public final class RecoveredEditsMedia {
  /** Off SSD after it failed such a file. */
  public static final int PAUSE_MINUTES = 10;

  private static final long PAUSE_NANOS = TimeUnit.MINUTES.toNanos(PAUSE_MINUTES);
  private static final long KNOWN_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final BooleanSupplier offSsd;
  private final Clock clock;

  private StoragePolicy ofWals;

  // Null if never.
  private Long readAt;
  private Long failedAt;
  private Long provenAt;

  /**
   * @param offSsd whether SSD refuses the server's WALs, or a DataNode is excluded from them
   */
  RecoveredEditsMedia(BooleanSupplier offSsd, Clock clock) {
    this.offSsd = offSsd;
    this.clock = clock;
  }

  /**
   * @param wals the policy of new WALs; called at most once in ten seconds
   */
  public synchronized boolean isSsd(IoSupplier<StoragePolicy> wals) throws IOException {
    if (!isWithin(KNOWN_NANOS, readAt)) {
      ofWals = wals.get();
      readAt = clock.nanos();
    }
    // On full SSDs HDFS may write a single replica under ONE_SSD, unnoticed.
    return ofWals == StoragePolicy.ALL_SSD
        && !isWithin(PAUSE_NANOS, failedAt)
        && !offSsd.getAsBoolean();
  }

  private boolean isWithin(long nanos, Long since) {
    return since != null && clock.nanos() - since < nanos;
  }

  /** Whether SSD took such a file within the last ten seconds. */
  public synchronized boolean isProven() {
    return isWithin(KNOWN_NANOS, provenAt);
  }

  public synchronized void taken() {
    provenAt = clock.nanos();
  }

  public synchronized void failed() {
    failedAt = clock.nanos();
    provenAt = null;
  }
}
