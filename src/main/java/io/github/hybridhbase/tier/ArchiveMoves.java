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
import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.Metric;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A rate-limited requester of HDFS moves for archived files on SSD, which HBase does not rewrite.
 * Without a running satisfier the files stay on SSD and stay charged. One thread.
 */
@InterfaceAudience.Private
final class ArchiveMoves {
  private static final Logger LOG = LoggerFactory.getLogger(ArchiveMoves.class);

  /** Moves in flight, at most. */
  private static final int UNDER_WAY = 200;

  /** Pause after the satisfier was found not to run. */
  private static final long TROUBLE_NANOS = TimeUnit.MINUTES.toNanos(5);

  /** Requests a second; each is two writes of the NameNode. Arbitrary value. */
  private static final int FILES_PER_SECOND = 5;

  private final StorageNamespace namespace;
  private final int perTurn;
  private final LongSupplier clock;
  private final MoveTracker tracker;

  /** Files that HDFS refused for reasons of their own. */
  private final MoveTracker refused;

  private boolean trouble;
  private long troubleSince;
  private int room;

  ArchiveMoves(
      StorageNamespace namespace, TierSettings settings, MoveTimeout timeout, LongSupplier clock) {
    this.namespace = namespace;
    this.perTurn = FILES_PER_SECOND * settings.periodSeconds();
    this.clock = clock;
    this.tracker = new MoveTracker(timeout);
    this.refused = new MoveTracker(timeout);
  }

  void begin(Collection<TieredFile> archived) {
    long now = clock.getAsLong();
    Set<String> keys = archived.stream().map(TieredFile::key).collect(Collectors.toSet());
    HybridMetrics.get().count(Metric.DRAINED_BYTES, tracker.keep(keys));
    refused.keep(keys);
    boolean rest = trouble && now - troubleSince <= TROUBLE_NANOS;
    room = rest ? 0 : (int) Math.min(perTurn, UNDER_WAY - tracker.underWay(now));
  }

  boolean mayAsk(TieredFile file) {
    long now = clock.getAsLong();
    return room > 0 && tracker.mayAsk(file.key(), now) && refused.mayAsk(file.key(), now);
  }

  boolean underWay(TieredFile file) {
    return tracker.underWay(file.key(), clock.getAsLong());
  }

  /**
   * The file first loses its own policy.
   *
   * @throws IOException if HDFS refuses this file or does not respond; others may still be
   *     requested
   */
  void ask(TieredFile file) throws IOException {
    if (room <= 0) {
      return;
    }
    long now = clock.getAsLong();
    try {
      if (tracker.times(file.key()) == 0) {
        namespace.unsetPolicy(file.path());
        namespace.satisfy(file.path());
        HybridMetrics.get().count(Metric.TIER_SATISFIER_BYTES, file.bytes());
      } else {
        namespace.satisfyAgain(file.path());
      }
      trouble = false;
    } catch (FileNotFoundException e) {
      LOG.debug("{} went before it was asked for", file, e);
      return;
    } catch (IOException e) {
      HdfsError error = HdfsError.of(e);
      if (error.kind().isOfAllFiles()) {
        room = 0;
        throw e;
      }
      if (!error.kind().refusesMoves()) {
        room--;
        refused.ask(file.key(), 0, now);
        throw e;
      }
      if (!trouble) {
        LOG.info("Archived files on SSD stay there until HBase deletes them. {}", error.remedy());
      }
      trouble = true;
      troubleSince = now;
      room = 0;
      return;
    }
    room--;
    tracker.ask(file.key(), file.bytes(), now);
    HybridMetrics.get().count(Metric.DRAIN_REQUESTED);
  }
}
