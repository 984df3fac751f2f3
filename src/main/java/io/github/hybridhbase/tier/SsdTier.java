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

import io.github.hybridhbase.hdfs.DirectoryPolicy;
import io.github.hybridhbase.hdfs.HdfsError;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.placement.TierState;
import io.github.hybridhbase.runtime.Failures;
import io.github.hybridhbase.runtime.HybridKeys;
import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.LogOnChange;
import io.github.hybridhbase.runtime.Metric;
import io.github.hybridhbase.tier.TierQuota.Verdict;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.LongSupplier;
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The SSD tier of one RegionServer: places each new store file and has HBase rewrite old ones to
 * DISK. Reads the use of SSD from HBase's memory, so it survives restarts. A placement on SSD costs
 * no NameNode call. {@link #doWork} is for one thread, the rest for any.
 */
@InterfaceAudience.Private
final class SsdTier {
  private static final Logger LOG = LoggerFactory.getLogger(SsdTier.class);

  /** Turns between reads of the grant with nothing on SSD. */
  private static final int IDLE_TURNS = 6;

  private static final int MOST_FALLEN = 10_000;

  private final String server;
  private final Path root;
  private final StorageNamespace namespace;
  private final long archiveMillis;
  final TierExits exits;
  final TierLedger ledger;
  private final LongSupplier wallClock;
  private int idleTurns;
  private final LogOnChange logged = new LogOnChange();

  /** Files whose policy is to be removed. */
  private final Queue<Path> fallen = new LinkedBlockingQueue<>(MOST_FALLEN);

  /**
   * @param archiveMillis after which HBase should have deleted an archived file
   * @param clock nanoseconds
   * @param wallClock milliseconds since 1970
   */
  SsdTier(
      String server,
      Path root,
      StorageNamespace namespace,
      CompactionQueue queue,
      HybridSettings settings,
      long archiveMillis,
      LongSupplier clock,
      LongSupplier wallClock) {
    this.server = server;
    this.root = root;
    this.namespace = namespace;
    this.archiveMillis = archiveMillis;
    this.wallClock = wallClock;
    this.exits = new TierExits(queue, clock);
    this.ledger = new TierLedger((int) settings.get(HybridKeys.SSD_RETRY).toSeconds(), clock);
  }

  void attach(TierStore store) {
    look(store);
    ledger.attach(store);
    String family = store.table + ":" + store.directory.getName();
    if (logged.changed(family, store.off)) {
      LOG.info(
          "The SSD tier does not serve the family {}, so its new store files are written as "
              + "without the plugin: {}",
          family,
          store.off);
    }
  }

  /**
   * Sets the policy of a file that is about to be created, if it goes to SSD. The first call for a
   * store reads its directory's policy.
   *
   * @throws IOException the file is then written as by stock HBase
   */
  boolean place(TierStore store, Path file, NewStoreFile newFile) throws IOException {
    String key = store.key(file);
    if (store.directoryServed == null && store.serves() && open()) {
      store.directoryServed = serves(store);
    }
    Verdict verdict = ledger.decide(store, key, newFile, exits.on());
    LOG.debug("{} {} {}", file, newFile, verdict);
    if (verdict != Verdict.SSD) {
      if (verdict == Verdict.OVER_BUDGET) {
        HybridMetrics.get().count(Metric.TIER_OVER_BUDGET);
      }
      return false;
    }
    try {
      boolean hot = newFile.kind == NewStoreFile.Kind.HOT;
      newFile.file = namespace.place(file, hot ? store.hotPolicy : store.policy, hot);
    } catch (IOException | RuntimeException e) {
      ledger.failed(key, false);
      throw e;
    }
    HybridMetrics.get().count(Metric.TIERED_FILES);
    return true;
  }

  /** Whether HDFS created the file under its policy; else it is not charged. */
  boolean isCreated(TierStore store, Path file) {
    NewStoreFile charge = ledger.find(store.key(file));
    boolean created = charge != null && charge.file.isCarried();
    if (!created) {
      ledger.failed(store.key(file), false);
    }
    return created;
  }

  /**
   * Whether new files of the directory are replicated and go to DISK; else the store is excluded
   * for good.
   */
  private boolean serves(TierStore store) throws IOException {
    boolean serves = namespace.policy(store.directory).map(DirectoryPolicy::leaves).orElse(true);
    if (!serves && logged.changed(store.table, "left alone")) {
      LOG.info(
          "The SSD tier leaves table {} alone: {} has a policy for SSD or is"
              + " erasure coded, so a compaction would not move files off SSD."
              + " After a change of the policy, reopen its regions.",
          store.table,
          store.directory);
    }
    return serves;
  }

  /**
   * A file that HDFS wrote to DISK loses its policy, or a mover would take it to SSD.
   *
   * @param bytes of replicas on SSD that HBase knows, perhaps not all
   */
  void committed(TierStore store, Path file, long length, long bytes) {
    NewStoreFile charge = ledger.find(store.key(file));
    if (charge != null) {
      if (charge.file.isFallen()) {
        boolean unused = fallen.offer(file);
      }
      ledger.committed(charge, bytes > 0 ? bytes : length * charge.file.placedOnSsd());
    }
  }

  private void unsetFallen() throws IOException {
    for (Path file = fallen.peek(); file != null; file = fallen.peek()) {
      try {
        namespace.unsetPolicy(file);
      } catch (IOException e) {
        if (HdfsError.of(e).kind.isOfAllFiles()) {
          throw e;
        }
        LOG.debug("A mover would take {} to SSD until a compaction writes it anew", file, e);
      }
      fallen.remove();
    }
  }

  /** See {@link TierQuota#hotRoom}. */
  long hotRoom(TierStore store) {
    return ledger.hotRoom(store, exits.on(), store.hotBytes());
  }

  boolean open() {
    return ledger.tierState().open() && exits.on();
  }

  boolean isCalm() {
    return open() && exits.isCalm();
  }

  /**
   * Reads the grant and the stores, requests what must leave.
   *
   * @throws IOException if HDFS does not respond
   */
  int doWork() throws IOException {
    long now = wallClock.getAsLong();
    List<TierStore> stores = ledger.stores();
    ledger.chooseHotLeavers();
    stores.forEach(this::look);
    ledger.look(now);
    exits.settleUsers(stores);
    try {
      if (ledger.used() > 0 || idleTurns++ % IDLE_TURNS == 0) {
        readGrant(now);
      }
      unsetFallen();
      TierState state = ledger.tierState();
      if (!state.drains()) {
        exits.withdraw(stores);
        return 0;
      }
      long threshold = state.open() ? ledger.quota().threshold : 0;
      return exits.turn(stores, threshold, !state.open(), now);
    } finally {
      HybridMetrics.get()
          .tier
          .publish(server, Map.of("tierBytes", ledger.used(), "tierShare", ledger.quota().bytes));
    }
  }

  private void look(TierStore store) {
    try {
      ledger.archived(store.refresh(), wallClock.getAsLong() + archiveMillis);
    } catch (RuntimeException e) {
      Failures.swallowed("A store could not be looked at; the SSD tier goes on with others.", e);
    }
  }

  private void readGrant(long now) throws IOException {
    TierState next =
        TierState.on(namespace, root)
            .orElseGet(() -> TierState.paused("the master has not opened it"))
            .asOf(now);
    ledger.apply(next);
    String state = next.open() ? "open" : next.why();
    if (logged.changed("state", state)) {
      if (next.open()) {
        LOG.info(
            "The SSD tier is open: this server may write new store files to SSD, in all {}. "
                + "Nothing to do.",
            ledger.quota());
      } else {
        LOG.info(
            "The SSD tier is closed: new store files are written to DISK until the active master"
                + " opens it again ({}). docs/ssd-tier.md#open-or-closed has what to do for each"
                + " reason.",
            state);
      }
    }
  }
}
