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

import io.github.hybridhbase.config.StoragePolicy;
import io.github.hybridhbase.hdfs.FileBlocks;
import io.github.hybridhbase.hdfs.ListingEntry;
import io.github.hybridhbase.hdfs.PolicyStatus;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.metrics.HybridMetrics;
import io.github.hybridhbase.metrics.Metric;
import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.StorageType;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks HBase to rewrite files of a store to DISK. Reads the store's directory first, one or two
 * NameNode calls a request: what HDFS has moved meanwhile need not be rewritten, and where the
 * directory itself is for SSD, a new file would be there too. One thread.
 */
@InterfaceAudience.Private
final class StoreExits {
  private static final Logger LOG = LoggerFactory.getLogger(StoreExits.class);

  /**
   * Bytes of replicas on SSD that are asked for in one turn: HBase's own work must not wait long.
   */
  private static final long BYTES_A_TURN = 1L << 30;

  private final StorageNamespace namespace;
  private final CompactionPool pool;
  private final long patienceNanos;
  private final LongSupplier clock;
  private boolean busy;
  private long busySince;
  private boolean behindOthers;
  private int stores;
  private long bytes;

  /**
   * Asks for nothing yet.
   *
   * @param patienceNanos how long it is borne that compactions always wait for a thread
   * @param clock nanoseconds, as {@link System#nanoTime()}
   */
  StoreExits(
      StorageNamespace namespace, CompactionPool pool, long patienceNanos, LongSupplier clock) {
    this.namespace = namespace;
    this.pool = pool;
    this.patienceNanos = patienceNanos;
    this.clock = clock;
  }

  /** Why HBase compacts nothing, for people; empty where it does. Any thread. */
  String trouble() {
    return pool.on() ? "" : "compactions are switched off (compaction_switch)";
  }

  /**
   * A turn begins.
   *
   * @param needed whether SSD is needed now
   * @param underWay whether a compaction of an earlier turn has not ended
   */
  void begin(boolean needed, boolean underWay) {
    long now = clock.getAsLong();
    int waiting = pool.waiting();
    if (waiting > 0 && !busy) {
      busySince = now;
    }
    busy = waiting > 0;
    ExitPace pace =
        ExitPace.of(pool.on(), waiting, now - busySince, patienceNanos, needed, underWay);
    stores = pace.stores();
    behindOthers = pace.behindOthers();
    bytes = BYTES_A_TURN;
  }

  /** Whether a store may be asked in this turn. */
  boolean more() {
    return stores > 0 && bytes > 0;
  }

  /**
   * Asks a store.
   *
   * @param files the store's files on SSD
   * @param writtenBy those written until then have to go, in milliseconds since 1970
   * @return what is being rewritten now
   */
  ExitRequest ask(
      TrackedStore tracked, Collection<TieredFile> files, long writtenBy, long nowMillis)
      throws IOException {
    Path directory = tracked.config().directory();
    stores--; // each costs the NameNode calls, whatever comes of it
    if (!rewritesToDisk(directory)) {
      LOG.warn(
          "{} has a policy for SSD or is erasure coded, so a compaction would not get its files off"
              + " SSD; they are left alone until its region is opened again",
          directory);
      tracked.servable = false;
      return new ExitRequest(Map.of(), writtenBy, nowMillis, behindOthers);
    }
    Map<String, Long> onSsd = new HashMap<>();
    Map<String, FileBlocks> found = list(directory);
    for (TieredFile file : files) {
      FileBlocks there = file.rewritable() ? found.get(file.name()) : null;
      if (there == null) {
        continue; // a reference, whose blocks are elsewhere, or one that is compacted away
      }
      if (TieredFile.hasLeftSsd(there)) {
        tracked.leftSsd(file);
      } else {
        onSsd.put(file.name(), file.writtenMillis());
      }
    }
    ExitRequest request = new ExitRequest(onSsd, writtenBy, nowMillis, behindOthers);
    if (tracked.store().rewrite(request) == ExitRequest.Outcome.QUEUED) {
      // HBase's own choice may have a file in it that is newer than the listing.
      request.names().stream()
          .map(found::get)
          .filter(Objects::nonNull)
          .forEach(file -> bytes -= file.bytes(StorageType.SSD));
      HybridMetrics.get().count(Metric.DRAIN_REQUESTED);
    }
    return request;
  }

  /**
   * Whether files of a directory are replicated and go to DISK unless they have a policy of their
   * own. Where HDFS's default policy is not HOT the master's state is "left", whatever this says.
   */
  boolean rewritesToDisk(Path directory) throws IOException {
    Optional<PolicyStatus> found = namespace.policy(directory);
    byte policy = found.map(PolicyStatus::effective).orElse(StoragePolicy.UNSPECIFIED);
    return found.filter(PolicyStatus::erasureCoded).isEmpty()
        && (policy == StoragePolicy.UNSPECIFIED || policy == StoragePolicy.HOT.id());
  }

  private Map<String, FileBlocks> list(Path directory) throws IOException {
    Map<String, FileBlocks> found = new HashMap<>();
    Optional<RemoteIterator<ListingEntry>> listing = namespace.list(directory);
    while (listing.isPresent() && listing.get().hasNext()) {
      Optional<FileBlocks> file = listing.get().next().file();
      file.ifPresent(one -> found.put(one.path().getName(), one));
    }
    return found;
  }
}
