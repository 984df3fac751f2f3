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

import io.github.hybridhbase.config.TierSettings;
import io.github.hybridhbase.hdfs.HdfsError;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.metrics.HybridMetrics;
import io.github.hybridhbase.metrics.HybridMetrics.Metric;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks HDFS to move what {@link DrainPlan} chooses, within a rate. One thread. */
@InterfaceAudience.Private
final class Drain {
  private static final Logger LOG = LoggerFactory.getLogger(Drain.class);

  /** Without a file to ask for, this long until the satisfier is trusted again. */
  private static final long TROUBLE_NANOS = TimeUnit.MINUTES.toNanos(5);

  private final StorageNamespace namespace;
  private final int perTurn;
  private final int mostUnderWay;
  private final LongSupplier clock;
  private final LongSupplier wallClock;
  private final MoveTracker tracker;
  private volatile String trouble = "";
  private long troubleSince;

  /**
   * Nothing was asked yet.
   *
   * @param mostUnderWay moves that may be asked for and not seen done
   */
  Drain(
      StorageNamespace namespace,
      TierSettings settings,
      int mostUnderWay,
      MoveTimeout timeout,
      LongSupplier clock,
      LongSupplier wallClock) {
    this.namespace = namespace;
    this.perTurn = settings.drainRate() * settings.periodSeconds();
    this.mostUnderWay = mostUnderWay;
    this.clock = clock;
    this.wallClock = wallClock;
    this.tracker = new MoveTracker(timeout);
  }

  /** Why HDFS moves nothing, for people; empty where it does. Any thread. */
  String trouble() {
    return trouble;
  }

  /**
   * One turn.
   *
   * @return stores of which a file was asked for
   */
  Set<TrackedStore> doWork(List<TrackedStore> trackedStores, long share, boolean closed)
      throws IOException {
    long now = clock.getAsLong();
    if (!trouble.isEmpty() && now - troubleSince > TROUBLE_NANOS) {
      trouble = "";
    }
    List<TieredFile> files = new ArrayList<>();
    Map<String, TrackedStore> owners = new HashMap<>();
    Set<String> busy = new HashSet<>();
    Set<String> onSsd = new HashSet<>();
    for (TrackedStore tracked : trackedStores) {
      Set<String> compacting = tracked.compacting();
      for (TieredFile file : tracked.files) {
        if (file.bytes() == 0) {
          continue;
        }
        files.add(file);
        owners.putIfAbsent(file.key(), tracked);
        onSsd.add(file.key());
        if (!file.archived() && compacting.contains(file.name())) {
          busy.add(file.key());
        }
      }
    }
    HybridMetrics.get().count(Metric.DRAINED_BYTES, tracker.keep(onSsd));
    long room = Math.min(perTurn, mostUnderWay - tracker.underWay(now));
    List<TieredFile> chosen =
        DrainPlan.choose(
            files,
            file -> !busy.contains(file.key()) && tracker.mayAsk(file.key(), now),
            file -> tracker.underWay(file.key(), now),
            wallClock.getAsLong(),
            closed ? 0 : DrainPlan.threshold(share),
            closed,
            (int) Math.max(0, trouble.isEmpty() ? room : Math.min(1, room)));
    Set<TrackedStore> touched = new HashSet<>();
    for (TieredFile file : chosen) {
      if (ask(file, now)) {
        touched.add(owners.get(file.key()));
      }
    }
    return touched;
  }

  private boolean ask(TieredFile file, long now) throws IOException {
    try {
      if (tracker.times(file.key()) == 0) {
        namespace.satisfy(file.path());
      } else {
        namespace.satisfyAgain(file.path());
      }
      trouble = "";
    } catch (FileNotFoundException e) {
      return true;
    } catch (IOException e) {
      HdfsError error = HdfsError.of(e);
      if (!error.kind().refusesMoves()) {
        throw e;
      }
      if (trouble.isEmpty()) {
        LOG.warn("No new file goes to SSD until files can leave it. {}", error.remedy());
      }
      trouble = error.remedy();
      troubleSince = now;
      return false;
    }
    tracker.ask(file.key(), file.bytes(), now);
    HybridMetrics.get().count(Metric.DRAIN_REQUESTED);
    return true;
  }
}
