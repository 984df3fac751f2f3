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

import io.github.hybridhbase.config.HybridSettings;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.hdfs.TierState;
import io.github.hybridhbase.metrics.HybridMetrics;
import io.github.hybridhbase.metrics.HybridMetrics.Metric;
import io.github.hybridhbase.tier.TierDecision.Verdict;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The SSD tier of one RegionServer: decides for each new store file of its own stores where it is
 * written, and has those that stayed on SSD moved to DISK.
 *
 * <p>{@link #place}, {@link #committed} and {@link #failed} may be called from any thread; a
 * placement on SSD costs the caller one NameNode write. {@link #doWork} is a duty cycle for one
 * thread, with the clocks injected. What it knows is read from the namespace, so a server that
 * starts again, or takes over a store, goes on where the other stopped; until it has looked at each
 * of its stores it places nothing on SSD.
 */
@InterfaceAudience.Private
final class SsdTier {
  private static final Logger LOG = LoggerFactory.getLogger(SsdTier.class);

  /** Stores looked at in one turn, at most. */
  private static final int LOOKS = 50;

  /** Turns between two looks at a store that has files on SSD and where nothing was written. */
  private static final int CALM_TURNS = 6;

  /** Moves that this server may have asked for and not seen done. */
  private static final int UNDER_WAY = 200;

  private final String server;
  private final Path root;
  private final StorageNamespace namespace;
  private final HybridSettings settings;
  private final StoreFilesReader look;
  private final Drain drain;
  private final FilePolicies policies;
  private final TierAdmission admission;
  private String said = "";

  /**
   * Makes a tier without stores.
   *
   * @param archiveMillis how long HBase keeps an archived file
   * @param clock nanoseconds, as {@link System#nanoTime()}
   * @param wallClock milliseconds, as {@link System#currentTimeMillis()}
   */
  SsdTier(
      String server,
      Path root,
      StorageNamespace namespace,
      HybridSettings settings,
      long archiveMillis,
      MoveTimeout timeout,
      LongSupplier clock,
      LongSupplier wallClock) {
    this.server = server;
    this.root = root;
    this.namespace = namespace;
    this.settings = settings;
    this.look = new StoreFilesReader(namespace, root, archiveMillis);
    this.admission = new TierAdmission(settings.ssdRetrySeconds(), clock);
    this.policies =
        new FilePolicies(server, namespace, settings.ssdRetrySeconds(), clock, look::archive);
    this.drain = new Drain(namespace, settings.tier(), UNDER_WAY, timeout, clock, wallClock);
  }

  /**
   * Takes a store in; nothing goes to SSD on this server until it was looked at.
   *
   * @param compacting names of files that are being compacted; asked once a turn
   * @param parents directories of split parents whose files the store refers to
   */
  TrackedStore attach(StoreTierConfig config, Supplier<Set<String>> compacting, Set<Path> parents) {
    TrackedStore tracked = new TrackedStore(config, compacting);
    tracked.parents.addAll(parents);
    admission.attach(tracked);
    if (!config.off().isEmpty()) {
      LOG.info(
          "Nothing goes to SSD in {} of {}: {}", config.directory(), config.table(), config.off());
    }
    return tracked;
  }

  /** Lets a store go, which another server may open now. */
  void detach(TrackedStore tracked) {
    admission.detach(tracked).forEach(key -> policies.leave(new Path(root, key)));
  }

  /** Whether there is nothing left to do. */
  boolean isEmpty() {
    return admission.isEmpty() && policies.isEmpty();
  }

  /** Frees files of closed stores from the policy they were created with. */
  void letGo() throws IOException {
    policies.letGo();
  }

  /**
   * Decides where a file is written, and has HDFS put it on SSD where it goes to SSD. Called when
   * the file exists and has no block yet.
   *
   * @return whether it is placed on SSD
   * @throws IOException where HDFS would not set the policy; the file is then written as stock
   *     would
   */
  boolean place(TrackedStore tracked, Path file, NewStoreFile newFile) throws IOException {
    String key = tracked.config().key(file.getName());
    Verdict verdict =
        admission.decide(tracked, key, newFile, drain.trouble().isEmpty() && !policies.isPaused());
    LOG.debug("{} {} {}", file, newFile, verdict);
    if (verdict != Verdict.SSD) {
      if (verdict == Verdict.OVER_BUDGET || verdict == Verdict.LARGE) {
        HybridMetrics.get().count(Metric.TIER_OVER_BUDGET);
      }
      return false;
    }
    try {
      policies.set(file, tracked.config().policy());
    } catch (IOException | RuntimeException e) {
      admission.failed(tracked, key, false);
      throw e;
    }
    HybridMetrics.get().count(Metric.TIERED_FILES);
    return true;
  }

  /** These files are in the store now, with these lengths. */
  void committed(TrackedStore tracked, Map<String, Long> lengths) {
    admission.committed(tracked, lengths);
  }

  /** What the store has on SSD may have changed. */
  void lookAgain(TrackedStore tracked) {
    admission.readWithin(tracked, 0);
  }

  /**
   * A file that was written came to nothing.
   *
   * @param refused whether SSD may be to blame
   */
  void failed(TrackedStore tracked, Path file, boolean refused) {
    admission.failed(tracked, tracked.config().key(file.getName()), refused);
  }

  /** As {@link #failed} for the flush of a store that is under way; nothing where none is. */
  void flushFailed(TrackedStore tracked, boolean refused) {
    admission.flushFailed(tracked, refused);
  }

  /** Bytes of SSD that this server's files take, as far as it knows. */
  long used() {
    return admission.used();
  }

  /** Whether each store was looked at and files may go to SSD. */
  boolean open() {
    return admission.tierState().open() && drain.trouble().isEmpty() && admission.known();
  }

  /**
   * One turn: reads the master's state, looks at stores, takes away policies that are left on
   * files, asks for moves.
   *
   * @return stores looked at and files asked for
   * @throws IOException where HDFS does not answer; the next turn goes on
   */
  int doWork() throws IOException {
    IOException trouble = null;
    try {
      letGo();
    } catch (IOException e) {
      trouble = e;
    }
    listen();
    int work = 0;
    for (TrackedStore tracked : admission.due(LOOKS)) {
      try {
        look(tracked);
      } catch (IOException e) {
        // The others must not wait for one that cannot be read.
        trouble = e;
      }
      work++;
    }
    List<TrackedStore> drained =
        admission.trackedStores().stream()
            .filter(tracked -> tracked.looked && tracked.servable)
            .collect(Collectors.toList());
    TierState tierState = admission.tierState();
    Set<TrackedStore> touched =
        tierState.drains() ? drain.doWork(drained, tierState.share(), !tierState.open()) : Set.of();
    for (TrackedStore tracked : touched) {
      admission.readWithin(tracked, 2 * turnNanos());
      work++;
    }
    HybridMetrics.get().tierUsage(server, used(), tierState.share());
    if (trouble != null) {
      throw trouble;
    }
    return work;
  }

  private void listen() throws IOException {
    Optional<TierState> found = namespace.tierState(root);
    TierState next = found.orElse(TierState.left("the master has not opened it"));
    admission.hear(next);
    String state = next.open() ? "open" : next.why();
    if (!state.equals(said)) {
      said = state;
      if (next.open()) {
        LOG.info("The SSD tier is open: {} bytes of SSD for this server", next.share());
      } else {
        LOG.info("The SSD tier is closed: {}", state);
      }
    }
  }

  private long turnNanos() {
    return TimeUnit.SECONDS.toNanos(settings.tier().periodSeconds());
  }

  private void look(TrackedStore tracked) throws IOException {
    Set<String> committed = admission.looking(tracked);
    List<TieredFile> files;
    try {
      if (!tracked.looked || !tracked.servable || !admission.tierState().drains()) {
        tracked.servable = look.servable(tracked.config());
      }
      files = look.look(tracked.config(), tracked.parents);
      policies.unset(tracked, files);
    } catch (IOException | RuntimeException e) {
      admission.readWithin(tracked, turnNanos());
      throw e;
    }
    admission.looked(tracked, files, committed);
    if (!files.isEmpty() || !tracked.parents.isEmpty()) {
      admission.readWithin(tracked, CALM_TURNS * turnNanos());
    }
  }
}
