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
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.hot.HotRows;
import io.github.hybridhbase.hot.HotStore;
import io.github.hybridhbase.placement.TierState;
import io.github.hybridhbase.runtime.Action;
import io.github.hybridhbase.runtime.Failures;
import io.github.hybridhbase.runtime.HybridKeys;
import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.LogOnChange;
import io.github.hybridhbase.runtime.Metric;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The SSD tier of one RegionServer: places each new store file and has HBase rewrite old ones to
 * DISK. Reads the use of SSD from HBase's memory, so it survives restarts. A placement on SSD costs
 * no NameNode call. {@link #doWork} and {@link #lookAtHotRows} are for one thread, the rest for
 * any.
 */
@InterfaceAudience.Private
final class SsdTier {
  private static final Logger LOG = LoggerFactory.getLogger(SsdTier.class);

  /** Turns between reads of the grant with nothing on SSD. */
  private static final int IDLE_TURNS = 6;

  /** Maximum requests in HBase's queue. */
  private static final int MOST_REQUESTS = 50;

  private final String server;
  private final Path root;
  private final StorageNamespace namespace;
  private final CompactionQueue queue;
  private final long archiveMillis;
  private final long retryNanos;
  final TierLedger ledger = new TierLedger();
  private final LongSupplier clock;
  private final LongSupplier wallClock;
  private int idleTurns;
  private final HotRows hotRows;
  private final LogOnChange logged = new LogOnChange();

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
    this.queue = queue;
    this.archiveMillis = archiveMillis;
    this.clock = clock;
    this.wallClock = wallClock;
    this.hotRows = new HotRows(server);
    this.retryNanos = settings.get(HybridKeys.SSD_RETRY).toNanos();
  }

  void attach(TierStore store) {
    look(store);
    ledger.attach(store);
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
      store.directoryServed =
          namespace.policy(store.directory).map(DirectoryPolicy::leaves).orElse(true);
      if (!store.directoryServed && logged.changed(store.table, "left alone")) {
        LOG.info(
            "The SSD tier leaves table {} alone: {} has a policy for SSD or is"
                + " erasure coded, so a compaction would not move files off SSD."
                + " After a change of the policy, reopen its regions.",
            store.table,
            store.directory);
      }
    }
    if (newFile.kind == NewStoreFile.Kind.FLUSH) {
      failed(store.flush, true); // unless it is committed
      store.flush = key;
    }
    boolean takes = ledger.takes(store, key, newFile, mayTake());
    LOG.debug("{} {} goes to {}", newFile.kind, file, takes ? "SSD" : "DISK");
    if (!takes) {
      return false;
    }
    try {
      boolean hot = newFile.kind == NewStoreFile.Kind.HOT;
      newFile.file = namespace.place(file, hot ? store.hotPolicy : store.policy, hot);
    } catch (IOException | RuntimeException e) {
      failed(key, false);
      throw e;
    }
    HybridMetrics.get().count(Metric.TIERED_FILES);
    return true;
  }

  /**
   * A file that HDFS wrote to DISK loses its policy, by a NameNode call, or a mover would take it
   * to SSD.
   *
   * @param bytes of replicas on SSD that HBase knows, perhaps not all
   */
  void committed(TierStore store, Path file, long length, long bytes) {
    NewStoreFile charge = ledger.committed(store.key(file), length, bytes);
    if (charge != null && charge.file.isFallen()) {
      try {
        namespace.unsetPolicy(file);
      } catch (IOException e) {
        LOG.debug("A mover would take {} to SSD until a compaction writes it anew", file, e);
      }
    }
  }

  /**
   * A file that is not committed.
   *
   * @param refused whether SSD may be the cause
   */
  void failed(String key, boolean refused) {
    if (ledger.failed(key) && refused) {
      namespace.refused(key, retryNanos);
      HybridMetrics.get().count(Metric.TIER_REFUSED);
    }
  }

  private boolean mayTake() {
    return queue.on() && !namespace.refuses();
  }

  /** As {@link TierQuota#hotRoom}, but one replica. */
  long hotRoom(TierStore store, long replaced) {
    return ledger.hotRoom(store, mayTake(), replaced) / store.hotReplicas;
  }

  /** Whether files may go to SSD and can leave it. */
  boolean open() {
    return ledger.tierState().open() && queue.on();
  }

  boolean isCalm() {
    return open() && queue.waiting() == 0;
  }

  /**
   * Reads the grant and the stores, requests compactions that take files off SSD.
   *
   * @throws IOException if HDFS does not respond
   */
  void doWork() throws IOException {
    long now = wallClock.getAsLong();
    List<TierStore> stores = ledger.stores();
    ledger.chooseHotLeavers();
    stores.forEach(this::look);
    ledger.look(now);
    try {
      if (ledger.used() > 0 || idleTurns++ % IDLE_TURNS == 0) {
        readGrant(now);
      }
      request(stores, ledger.tierState(), now);
    } finally {
      HybridMetrics.get()
          .tier
          .publish(server, Map.of("tierBytes", ledger.used(), "tierShare", ledger.quota().bytes));
    }
  }

  /** Requests an exit of each store with files that must leave, and users' that met an exit. */
  private void request(List<TierStore> stores, TierState state, long nowMillis) {
    long now = clock.getAsLong();
    boolean empty = queue.waiting() == 0;
    Map<TierStore, Long> leaveBy = new LinkedHashMap<>();
    if (state.drains()) {
      Map<TierFile, TierStore> owners = new HashMap<>();
      stores.forEach(store -> store.known().forEach(file -> owners.put(file, store)));
      long threshold = state.open() ? ledger.quota().threshold : 0;
      Leavers.choose(owners, nowMillis, threshold, !state.open())
          .forEach(file -> leaveBy.merge(owners.get(file), file.writtenMillis, Math::max));
    }
    int room = MOST_REQUESTS;
    for (TierStore store : stores) {
      store.exit.leaveBy = leaveBy.getOrDefault(store, StoreExit.NONE);
      if (!store.exit.mayRequest(now, empty)) {
        leaveBy.remove(store);
      }
      room -= store.exit.isRequested() ? 1 : 0;
      if (queue.on() && store.exit.isUserDue()) {
        guarded(() -> queue.requestForUser(store, "a user's compaction met files leaving SSD"));
      }
    }
    leaveBy.keySet().stream()
        .limit(queue.on() ? Math.max(0, room) : 0)
        .forEach(
            store -> {
              store.exit.requested(now);
              guarded(() -> queue.request(store, "files have to leave SSD"));
            });
  }

  private static void guarded(Action<?> request) {
    Failures.guarded(
        "A compaction could not be requested; of those that take files off SSD or write hot rows"
            + " a later turn requests it again.",
        request);
  }

  /**
   * Reads what clients read, and requests a compaction for hot rows if one pays.
   *
   * @param mayRequest whether no write is delayed
   */
  void lookAtHotRows(boolean mayRequest) {
    long now = clock.getAsLong();
    Map<HotStore, TierStore> hot = new LinkedHashMap<>();
    ledger.stores().stream()
        .filter(store -> store.hot != null)
        .forEach(store -> hot.put(store.hot, store));
    hotRows.turn(hot.keySet(), now);
    if (mayRequest && isCalm()) {
      HotRows.choose(hot.keySet(), of -> hotRoom(hot.get(of), hot.get(of).hotBytes()), now)
          .map(hot::get)
          .ifPresent(this::compactWhole);
    }
  }

  /** Unless other compactions wait or run for the tier, or the store is closed. */
  void compactWhole(TierStore store) {
    if (isCalm() && !store.closed && store.exit.mayRequest(clock.getAsLong(), true)) {
      LOG.info(
          "A compaction of {} writes its rows that are read often to SSD: {}. Nothing to do.",
          store.store,
          store.hot);
      guarded(() -> queue.requestMajor(store, "rows that are read often get a file on SSD"));
      HybridMetrics.get().count(Metric.HOT_COMPACTIONS);
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
    String state = next.open() ? "open" : "closed (" + next.why() + ")";
    if (logged.changed("state", state)) {
      LOG.info(
          "The SSD tier is {}, and new store files of this server may take {} bytes there."
              + " docs/ssd-tier.md#open-or-closed has what to do for each reason.",
          state,
          ledger.quota().bytes);
    }
  }
}
