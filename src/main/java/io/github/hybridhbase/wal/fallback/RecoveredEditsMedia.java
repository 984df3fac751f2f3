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
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The storage policy of one server's recovered edits: ALL_SSD if its WALs are created under it, or
 * HOT while SSD refuses its files. Thread-safe.
 */
@InterfaceAudience.Private
public final class RecoveredEditsMedia {
  /** Off SSD after it failed such a file. */
  public static final int PAUSE_MINUTES = 10;

  private static final long KNOWN_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final BooleanSupplier offSsd;
  private final Clock clock;

  /** Null if unknown. */
  private StoragePolicy ofWals;

  private long readNanos;
  private boolean failed;
  private long failedNanos;
  private final Map<StoragePolicy, Long> takenNanos = new EnumMap<>(StoragePolicy.class);

  /**
   * @param offSsd whether SSD refuses the server's WALs, or a DataNode is excluded from them
   */
  RecoveredEditsMedia(BooleanSupplier offSsd, Clock clock) {
    this.offSsd = offSsd;
    this.clock = clock;
  }

  /**
   * Empty if WALs are not created under ALL_SSD.
   *
   * @param wals the policy of new WALs; called at most once in ten seconds
   */
  public synchronized Optional<StoragePolicy> policy(IoSupplier<StoragePolicy> wals)
      throws IOException {
    if (ofWals == null || clock.nanos() - readNanos > KNOWN_NANOS) {
      ofWals = wals.get();
      readNanos = clock.nanos();
    }
    // On full SSDs HDFS may write a single replica under ONE_SSD, unnoticed.
    if (ofWals != StoragePolicy.ALL_SSD) {
      return Optional.empty();
    }
    boolean paused =
        failed && clock.nanos() - failedNanos < TimeUnit.MINUTES.toNanos(PAUSE_MINUTES);
    return Optional.of(paused || offSsd.getAsBoolean() ? StoragePolicy.HOT : ofWals);
  }

  /** Whether HDFS took such a file under this policy within the last ten seconds. */
  public synchronized boolean isProven(StoragePolicy policy) {
    Long taken = takenNanos.get(policy);
    return taken != null && clock.nanos() - taken < KNOWN_NANOS;
  }

  public synchronized void taken(StoragePolicy policy) {
    takenNanos.put(policy, clock.nanos());
  }

  public synchronized void failed() {
    failed = true;
    failedNanos = clock.nanos();
    takenNanos.clear();
  }
}
