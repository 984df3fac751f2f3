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
import io.github.hybridhbase.hdfs.TierState;
import io.github.hybridhbase.runtime.Failures;
import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.LogOnChange;
import io.github.hybridhbase.runtime.Metric;
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.tier.NewStoreFile.Kind;
import io.github.hybridhbase.tier.TierDecision.Verdict;
import io.github.hybridhbase.tier.drain.Archive;
import io.github.hybridhbase.tier.drain.CompactionPool;
import io.github.hybridhbase.tier.drain.Drain;
import io.github.hybridhbase.tier.drain.Retry;
import io.github.hybridhbase.tier.drain.StoreExits;
import io.github.hybridhbase.tier.drain.StoreTierConfig;
import io.github.hybridhbase.tier.drain.StoreView;
import io.github.hybridhbase.tier.drain.TieredFile;
import io.github.hybridhbase.tier.drain.TrackedStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The SSD tier of one RegionServer: decides for each new store file where it is written, and has
 * HBase rewrite old ones to DISK.
 *
 * <p>{@link #place}, {@link #committed} and {@link #failed} may run on any thread; a placement on
 * SSD costs one NameNode write. {@link #doWork} is a duty cycle for one thread. Use of SSD is read
 * from HBase's memory, so a server that restarts or takes over a store continues; a turn without
 * exits only reads the grant.
 */
@InterfaceAudience.Private
final class SsdTier {
  private static final Logger LOG = LoggerFactory.getLogger(SsdTier.class);

  /** Part of a file's age for which an exit waits for other compactions. */
  private static final int PATIENCE = 6;

  /** Turns between two reads of the grant while nothing is on SSD, at most. */
  private static final int IDLE_TURNS = 6;

  /** Maximum of that interval, or a grant would stay in force unread. */
  private static final int IDLE_SECONDS = 60;

  private final String server;
  private final Path root;
  private final StorageNamespace namespace;
  private final Archive archive;
  private final StoreExits exits;
  private final Drain drain;
  private final TierLedger ledger;
  private final FilePolicies policies;
  private final LongSupplier wallClock;

  private final int idleEvery;
  private int idleTurns;
  private final LogOnChange logged = new LogOnChange();

  /**
   * @param moves an empty record of HDFS moves
   * @param clock nanoseconds, as {@link System#nanoTime()}
   * @param wallClock milliseconds, as {@link System#currentTimeMillis()}
   */
  SsdTier(
      String server,
      Path root,
      StorageNamespace namespace,
      CompactionPool pool,
      HybridSettings settings,
      long archiveMillis,
      Retry moves,
      LongSupplier clock,
      LongSupplier wallClock) {
    this.server = server;
    this.root = root;
    this.namespace = namespace;
    this.wallClock = wallClock;
    int fit = IDLE_SECONDS / settings.tier().periodSeconds();
    this.idleEvery = Math.max(1, Math.min(IDLE_TURNS, fit));
    this.archive =
        new Archive(namespace, root, archiveMillis, settings.tier().periodSeconds(), moves, clock);
    this.ledger = new TierLedger(settings.ssdRetrySeconds(), clock);
    this.policies = new FilePolicies(server, namespace, settings.ssdRetrySeconds(), clock);
    long ageNanos = TimeUnit.SECONDS.toNanos(settings.tier().maxAgeSeconds());
    this.exits = new StoreExits(namespace, pool, ageNanos / PATIENCE, clock, wallClock);
    this.drain = new Drain(exits, archive, Retry.ofCompactions(settings.tier()), clock, wallClock);
  }

  TrackedStore attach(StoreTierConfig config, StoreView store) {
    TrackedStore tracked = new TrackedStore(config, store);
    gone(tracked); // nothing yet, but reads what is there
    ledger.attach(tracked);
    String family = config.table() + ":" + config.directory().getName();
    if (logged.changed(family, config.off())) {
      LOG.info(
          "The SSD tier does not serve the family {}, so its new store files are written as "
              + "without the plugin: {}",
          family,
          config.off());
    }
    return tracked;
  }

  /** Another server may open the store now. */
  void detach(TrackedStore tracked) {
    ledger.detach(tracked);
  }

  boolean isEmpty() {
    return ledger.isEmpty();
  }

  /**
   * Decides where a file is written, and sets its policy if it goes to SSD. The file has no block
   * yet. The first decision for a store reads its directory's policy.
   *
   * @throws IOException if HDFS does not set the policy; the file is then written as stock would
   */
  boolean place(TrackedStore tracked, Path file, NewStoreFile newFile) throws IOException {
    String key = tracked.config().key(file.getName());
    if (!tracked.checked && tracked.serves() && open()) {
      boolean unused = exits.serves(tracked, tracked.config().directory());
      tracked.checked = true;
    }
    Verdict verdict = ledger.decide(tracked, key, newFile, mayLeave());
    LOG.debug("{} {} {}", file, newFile, verdict);
    if (verdict != Verdict.SSD) {
      if (verdict == Verdict.OVER_BUDGET || verdict == Verdict.LARGE) {
        HybridMetrics.get().count(Metric.TIER_OVER_BUDGET);
      }
      return false;
    }
    try {
      boolean hot = newFile.kind() == Kind.HOT;
      policies.set(file, hot ? tracked.config().hotPolicy() : tracked.config().policy(), hot);
    } catch (IOException | RuntimeException e) {
      ledger.failed(key, false);
      throw e;
    }
    HybridMetrics.get().count(Metric.TIERED_FILES);
    return true;
  }

  private boolean mayLeave() {
    return exits.trouble().isEmpty() && !policies.isPaused();
  }

  /**
   * @param bytes of its replicas on SSD
   */
  void committed(TrackedStore tracked, Path file, long bytes) {
    ledger
        .committed(tracked, file.getName(), bytes)
        .ifPresent(kind -> policies.closed(tracked, file, kind == Kind.HOT, bytes > 0));
  }

  void failed(TrackedStore tracked, Path file, boolean refused) {
    ledger.failed(tracked.config().key(file.getName()), refused);
  }

  /** As {@link #failed} for the store's flush in flight. */
  void flushFailed(TrackedStore tracked, boolean refused) {
    ledger.flushFailed(tracked, refused);
  }

  long used() {
    return ledger.used();
  }

  /** Bytes. */
  long share() {
    return ledger.share().bytes();
  }

  /**
   * @param replaced bytes of hot files that the new one replaces
   * @return bytes that a new file of hot rows may take, all replicas
   */
  long hotRoom(TrackedStore tracked, long replaced) {
    boolean gains =
        tracked.config().hotPolicy() != StoragePolicy.ONE_SSD || !policies.readsLocalDisk();
    return gains ? ledger.hotRoom(tracked, mayLeave(), replaced) : 0;
  }

  long hotRoom(TrackedStore tracked) {
    return hotRoom(tracked, tracked.hotBytes());
  }

  /** See {@link StoreExits#beginWhole}. */
  boolean compactForHotRows(TrackedStore tracked) {
    return exits.beginWhole(tracked);
  }

  boolean open() {
    return ledger.tierState().open() && exits.trouble().isEmpty();
  }

  /**
   * Reads the grant, looks at the stores, requests what must leave.
   *
   * @throws IOException if HDFS does not respond; the next turn continues
   */
  int doWork() throws IOException {
    long now = wallClock.getAsLong();
    List<TrackedStore> stores = ledger.trackedStores();
    ledger.chooseHotLeavers();
    for (TrackedStore tracked : stores) {
      archive.add(gone(tracked), now);
    }
    leavePinned(stores);
    ledger.looked(onSsd(stores), now);
    try {
      if (used() > 0 || idleTurns++ % idleEvery == 0) {
        readGrant(now);
      }
      policies.look();
      archive.look(now);
      TierState tierState = ledger.tierState();
      if (!tierState.drains()) {
        exits.withdraw();
        return 0;
      }
      List<TrackedStore> served =
          stores.stream().filter(tracked -> tracked.servable).collect(Collectors.toList());
      return drain.doWork(served, ledger.threshold(), !tierState.open(), ledger.isShort());
    } finally {
      HybridMetrics.get().tierUsage(server, used(), share(), archive.heldBytes(now));
    }
  }

  /**
   * Excludes new stores with files on SSD whose table an admin pinned: such files are charged until
   * the first turn only. One NameNode call per table and turn.
   */
  private void leavePinned(List<TrackedStore> stores) {
    Map<Path, Boolean> serves = new HashMap<>();
    for (TrackedStore tracked : stores) {
      if (tracked.checked || tracked.tableChecked || tracked.known().isEmpty()) {
        continue;
      }
      Path table = tracked.config().tableDirectory();
      try {
        if (!serves.containsKey(table)) {
          serves.put(table, exits.serves(tracked, table));
        }
        tracked.tableChecked = true;
        if (!serves.get(table)) {
          tracked.servable = false;
          ledger.leave(tracked);
        }
      } catch (IOException e) {
        LOG.debug("{} could not be looked at; its files are charged until it can be", table, e);
        return;
      }
    }
  }

  private static Collection<TieredFile> gone(TrackedStore tracked) {
    try {
      return tracked.refresh();
    } catch (RuntimeException e) {
      Failures.swallowed("A store could not be looked at; the SSD tier goes on with others.", e);
      return List.of();
    }
  }

  private List<TieredFile> onSsd(List<TrackedStore> stores) {
    List<TieredFile> files = new ArrayList<>(archive.files());
    for (TrackedStore tracked : stores) {
      if (tracked.servable) { // An admin's files on SSD are not the tier's.
        files.addAll(tracked.known());
      }
    }
    return files;
  }

  private void readGrant(long now) throws IOException {
    TierState next = TierState.followed(TierState.on(namespace, root)).asOf(now);
    ledger.apply(next);
    String state = next.open() ? "open" : next.why();
    if (logged.changed("state", state)) {
      if (next.open()) {
        LOG.info(
            "The SSD tier is open: this server may write new store files to SSD, in all {}. "
                + "Nothing to do.",
            ledger.share());
      } else {
        LOG.info(
            "The SSD tier is closed: new store files are written to DISK until the active master "
                + "opens it again ({}). docs/ssd-tier.md#open-or-closed has what to do for each reason.",
            state);
      }
    }
  }
}
