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
package io.github.hybridhbase.landing;

import io.github.hybridhbase.hdfs.LandingWord;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.landing.LandingDecision.Verdict;
import io.github.hybridhbase.metrics.HybridMetrics;
import io.github.hybridhbase.metrics.HybridMetrics.Metric;
import io.github.hybridhbase.placement.HybridSettings;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.HashSet;
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
 * The landing tier of one RegionServer: decides for each new store file of its own stores where it
 * is born, and has those that stayed on SSD moved to DISK.
 *
 * <p>{@link #bear}, {@link #committed} and {@link #failed} may be called from any thread; a birth
 * for SSD costs the caller one NameNode write. {@link #doWork} is a duty cycle for one thread, with
 * the clocks injected. What it knows is read from the namespace, so a server that starts again, or
 * takes over a store, goes on where the other stopped; until it has looked at each of its stores it
 * lands nothing.
 */
@InterfaceAudience.Private
final class LandingTier {
  private static final Logger LOG = LoggerFactory.getLogger(LandingTier.class);

  /** Stores looked at in one turn, at most. */
  private static final int LOOKS = 50;

  /** Turns between two looks at a store that has files on SSD and where nothing was born. */
  private static final int CALM_TURNS = 6;

  /** Moves that this server may have asked for and not seen done. */
  private static final int UNDER_WAY = 200;

  private final String server;
  private final Path root;
  private final StorageNamespace namespace;
  private final HybridSettings settings;
  private final StoreLook look;
  private final Drain drain;
  private final Leftovers leftovers;
  private final Admission admission;
  private final PolicyPause pause;
  private String said = "";

  /**
   * Makes a tier without stores.
   *
   * @param archiveMillis how long HBase keeps an archived file
   * @param clock nanoseconds, as {@link System#nanoTime()}
   * @param wallClock milliseconds, as {@link System#currentTimeMillis()}
   */
  LandingTier(
      String server,
      Path root,
      StorageNamespace namespace,
      HybridSettings settings,
      long archiveMillis,
      MovePatience patience,
      LongSupplier clock,
      LongSupplier wallClock) {
    this.server = server;
    this.root = root;
    this.namespace = namespace;
    this.settings = settings;
    this.look = new StoreLook(namespace, root, archiveMillis);
    this.leftovers = new Leftovers(namespace, look::archive);
    this.admission = new Admission(settings.ssdRetrySeconds(), clock);
    this.pause = new PolicyPause(server, settings.ssdRetrySeconds(), clock);
    this.drain = new Drain(namespace, settings.landing(), UNDER_WAY, patience, clock, wallClock);
  }

  /**
   * Takes a store in; nothing lands on this server until it was looked at.
   *
   * @param compacting names of files that are being compacted; asked once a turn
   * @param parents directories of split parents whose files the store refers to
   */
  Tenant attach(StoreHome home, Supplier<Set<String>> compacting, Set<Path> parents) {
    Tenant tenant = new Tenant(home, compacting);
    tenant.parents.addAll(parents);
    admission.attach(tenant);
    if (!home.off().isEmpty()) {
      LOG.info("Nothing lands in {} of {}: {}", home.directory(), home.table(), home.off());
    }
    return tenant;
  }

  /** Lets a store go, which another server may open now. */
  void detach(Tenant tenant) {
    admission.detach(tenant).forEach(key -> leftovers.add(new Path(root, key)));
  }

  /** Whether there is nothing left to do. */
  boolean isEmpty() {
    return admission.isEmpty() && leftovers.isEmpty();
  }

  /** Frees files of closed stores from the policy they were born with. */
  void letGo() throws IOException {
    if (pause.lasts()) {
      return;
    }
    try {
      leftovers.letGo();
    } catch (IOException e) {
      pause.refused(e);
      throw e;
    }
  }

  /**
   * Decides where a file is born, and has HDFS put it on SSD where it lands. Called when the file
   * exists and has no block yet.
   *
   * @return whether it is born for SSD
   * @throws IOException where HDFS would not set the policy; the file is then written as stock
   *     would
   */
  boolean bear(Tenant tenant, Path file, Birth birth) throws IOException {
    String key = tenant.home().key(file.getName());
    Verdict verdict =
        admission.decide(tenant, key, birth, drain.trouble().isEmpty() && !pause.lasts());
    LOG.debug("{} {} {}", file, birth, verdict);
    if (verdict != Verdict.LANDS) {
      if (verdict == Verdict.OVER_BUDGET || verdict == Verdict.LARGE) {
        HybridMetrics.get().count(Metric.LANDING_OVER_BUDGET);
      }
      return false;
    }
    try {
      namespace.setPolicy(file, tenant.home().policy());
    } catch (IOException | RuntimeException e) {
      admission.failed(tenant, key, false);
      pause.refused(e);
      throw e;
    }
    HybridMetrics.get().count(Metric.LANDED_FILES);
    return true;
  }

  /** These files are in the store now, with these lengths. */
  void committed(Tenant tenant, Map<String, Long> lengths) {
    admission.committed(tenant, lengths);
  }

  /** What the store has on SSD may have changed. */
  void lookAgain(Tenant tenant) {
    admission.lookWithin(tenant, 0);
  }

  /**
   * A file that was born came to nothing.
   *
   * @param refused whether SSD may be to blame
   */
  void failed(Tenant tenant, Path file, boolean refused) {
    admission.failed(tenant, tenant.home().key(file.getName()), refused);
  }

  /** As {@link #failed} for the flush of a store that is under way; nothing where none is. */
  void flushFailed(Tenant tenant, boolean refused) {
    admission.flushFailed(tenant, refused);
  }

  /** Bytes of SSD that this server's files take, as far as it knows. */
  long used() {
    return admission.used();
  }

  /** Whether each store was looked at and files may land. */
  boolean open() {
    return admission.word().open() && drain.trouble().isEmpty() && admission.known();
  }

  /**
   * One turn: reads the master's word, looks at stores, takes away policies that are left on files,
   * asks for moves.
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
    for (Tenant tenant : admission.due(LOOKS)) {
      try {
        look(tenant);
      } catch (IOException e) {
        // The others must not wait for one that cannot be read.
        trouble = e;
      }
      work++;
    }
    List<Tenant> drained =
        admission.tenants().stream()
            .filter(tenant -> tenant.looked && tenant.servable)
            .collect(Collectors.toList());
    LandingWord word = admission.word();
    Set<Tenant> touched =
        word.drains() ? drain.doWork(drained, word.share(), !word.open()) : Set.of();
    for (Tenant tenant : touched) {
      admission.lookWithin(tenant, 2 * turnNanos());
      work++;
    }
    HybridMetrics.get().landing(server, used(), word.share());
    if (trouble != null) {
      throw trouble;
    }
    return work;
  }

  private void listen() throws IOException {
    Optional<LandingWord> found = namespace.landing(root);
    LandingWord next = found.orElse(LandingWord.left("the master has not opened it"));
    admission.hear(next);
    String state = next.open() ? "open" : next.why();
    if (!state.equals(said)) {
      said = state;
      if (next.open()) {
        LOG.info("The landing is open: {} bytes of SSD for this server", next.share());
      } else {
        LOG.info("The landing is closed: {}", state);
      }
    }
  }

  private long turnNanos() {
    return TimeUnit.SECONDS.toNanos(settings.landing().periodSeconds());
  }

  private void look(Tenant tenant) throws IOException {
    Set<String> committed = admission.looking(tenant);
    List<Landed> files;
    try {
      if (!tenant.looked || !tenant.servable || !admission.word().drains()) {
        tenant.servable = look.servable(tenant.home());
      }
      files = look.look(tenant.home(), tenant.parents);
      unset(tenant, files);
    } catch (IOException | RuntimeException e) {
      admission.lookWithin(tenant, turnNanos());
      throw e;
    }
    admission.looked(tenant, files, committed);
    if (!files.isEmpty() || !tenant.parents.isEmpty()) {
      admission.lookWithin(tenant, CALM_TURNS * turnNanos());
    }
  }

  /**
   * Takes away the policy that a file was born with, so that nothing keeps it on SSD. After a crash
   * this is done by whoever opens the store next.
   */
  private void unset(Tenant tenant, List<Landed> files) throws IOException {
    Set<String> sticky = new HashSet<>();
    for (Landed file : files) {
      if (!file.sticky() || !tenant.servable || pause.lasts()) {
        continue;
      }
      sticky.add(file.key());
      if (tenant.unset.contains(file.key())) {
        LOG.warn(
            "{} still has {}, so it comes from above: somebody gave a directory a policy. Nothing"
                + " lands in this store until its region is opened again.",
            file.key(),
            tenant.home().policy());
        tenant.servable = false;
        continue;
      }
      try {
        namespace.unsetPolicy(file.path());
        tenant.unset.add(file.key());
      } catch (FileNotFoundException e) {
        LOG.debug("{} went before its policy was taken away", file, e);
      } catch (IOException e) {
        pause.refused(e);
        throw e;
      }
    }
    tenant.unset.retainAll(sticky);
  }
}
