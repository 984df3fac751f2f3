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

import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.runtime.HybridSettings;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;

/** HBase's queue as a test says: requests run at once unless its threads are busy. */
@InterfaceAudience.Private
public final class FakeQueue extends CompactionQueue {
  /** Compactions of others that wait. */
  public int waiting;

  public boolean on = true;

  /** Whether its threads have something to do that lasts. */
  public boolean busy;

  /** The store that it accepts no request of. */
  public TierStore refuses;

  /** Requests that wait. */
  public final Deque<FakeStore> queued = new ArrayDeque<>();

  /** Major ones. */
  public final Deque<FakeStore> majors = new ArrayDeque<>();

  public int forUsers;

  private final LongSupplier wallClock;

  /**
   * @param wallClock milliseconds since 1970
   */
  public FakeQueue(LongSupplier wallClock) {
    super(null);
    this.wallClock = wallClock;
  }

  /**
   * A server's tier over a queue, with default settings.
   *
   * @param seconds of both clocks
   */
  static SsdTier tier(
      String server,
      StorageNamespace hdfs,
      CompactionQueue queue,
      long archiveSeconds,
      LongSupplier seconds) {
    return new SsdTier(
        server,
        new Path("/hbase"),
        hdfs,
        queue,
        HybridSettings.read(new Configuration(false)),
        TimeUnit.SECONDS.toMillis(archiveSeconds),
        () -> TimeUnit.SECONDS.toNanos(seconds.getAsLong()),
        () -> TimeUnit.SECONDS.toMillis(seconds.getAsLong()));
  }

  @Override
  int waiting() {
    return waiting + queued.size() + majors.size();
  }

  @Override
  boolean on() {
    return on;
  }

  @Override
  void request(TierStore of, String why) {
    if (of == refuses) {
      throw new IllegalStateException("refused");
    }
    queued.add((FakeStore) of);
    if (!busy) {
      run();
    }
  }

  @Override
  void requestMajor(TierStore of, String why) {
    majors.add((FakeStore) of);
    if (!busy) {
      run();
    }
  }

  @Override
  void requestForUser(TierStore of, String why) {
    forUsers++;
  }

  /** Its threads are free again. */
  public void run() {
    busy = false;
    while (!majors.isEmpty()) {
      majors.remove().selectsAll();
    }
    while (!queued.isEmpty()) {
      queued.remove().selects(wallClock.getAsLong());
    }
  }
}
