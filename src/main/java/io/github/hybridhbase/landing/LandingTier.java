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

import io.github.hybridhbase.guard.Backoff;
import io.github.hybridhbase.hdfs.LandingWord;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.landing.LandingDecision.Verdict;
import io.github.hybridhbase.metrics.HybridMetrics;
import io.github.hybridhbase.metrics.HybridMetrics.Metric;
import io.github.hybridhbase.placement.HybridSettings;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
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
  private final LongSupplier clock;

  private final Map<String, Tenant> tenants = new HashMap<>();
  private final Ledger ledger = new Ledger();
  private LandingWord word = LandingWord.closed("the master has not opened it");
  private Backoff refusals;
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
      LongSupplier clock,
      LongSupplier wallClock) {
    this.server = server;
    this.root = root;
    this.namespace = namespace;
    this.settings = settings;
    this.look = new StoreLook(namespace, root, archiveMillis);
    this.leftovers = new Leftovers(namespace, look::archive);
    this.clock = clock;
    this.refusals = Backoff.starting(TimeUnit.SECONDS.toNanos(settings.ssdRetrySeconds()));
    this.drain = new Drain(namespace, settings.landing(), UNDER_WAY, clock, wallClock);
  }

  /**
   * Takes a store in; nothing lands on this server until it was looked at.
   *
   * @param compacting names of files that are being compacted; asked once a turn
   * @param parents directories of split parents whose files the store refers to
   */
  synchronized Tenant attach(StoreHome home, Supplier<Set<String>> compacting, Set<Path> parents) {
    Tenant tenant = new Tenant(home, compacting);
    tenant.parents.addAll(parents);
    tenant.nextLook = clock.getAsLong();
    tenants.put(tenant.owner(), tenant);
    if (!home.off().isEmpty()) {
      LOG.info("Nothing lands in {} of {}: {}", home.directory(), home.table(), home.off());
    }
    return tenant;
  }

  /** Lets a store go, which another server may open now. */
  synchronized void detach(Tenant tenant) {
    tenant.closed = true;
    if (tenants.remove(tenant.owner(), tenant)) {
      ledger.release(tenant.owner());
      tenant.committed().forEach(key -> leftovers.add(new Path(root, key)));
    }
  }

  /** Whether there is nothing left to do. */
  synchronized boolean isEmpty() {
    return tenants.isEmpty() && leftovers.isEmpty();
  }

  /** Frees files of closed stores from the policy they were born with. */
  void letGo() throws IOException {
    leftovers.letGo();
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
    Verdict verdict;
    synchronized (this) {
      if (birth.kind() == Birth.Kind.FLUSH) {
        // One that was written and could not be read back, say.
        flushFailed(tenant, true);
      }
      verdict = LandingDecision.decide(birth, conditions(tenant));
      if (verdict == Verdict.LANDS) {
        ledger.charge(tenant.owner(), tenant.home().table(), key, birth.bytes());
        tenant.born(key, birth.kind() == Birth.Kind.FLUSH);
      }
    }
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
      failed(tenant, file, false);
      throw e;
    }
    HybridMetrics.get().count(Metric.LANDED_FILES);
    return true;
  }

  private LandingDecision.Conditions conditions(Tenant tenant) {
    return new LandingDecision.Conditions(
        tenant.serves(),
        word.open() && drain.trouble().isEmpty(),
        tenants.values().stream().allMatch(t -> t.looked),
        refusals.waitNanos(clock.getAsLong()) > 0,
        room(tenant.home().table()),
        tenant.home().maxAgeMillis());
  }

  private Room room(String table) {
    long tables =
        tenants.values().stream()
            .filter(Tenant::serves)
            .map(tenant -> tenant.home().table())
            .distinct()
            .count();
    return new Room(word.share(), ledger.used(), (int) tables, ledger.usedBy(table));
  }

  /** These files are in the store now, with these lengths. */
  synchronized void committed(Tenant tenant, Map<String, Long> lengths) {
    lengths.forEach(
        (name, length) -> {
          String key = tenant.home().key(name);
          if (tenant.commit(key)) {
            long bytes = length * tenant.home().replicas();
            ledger.charge(tenant.owner(), tenant.home().table(), key, bytes);
            HybridMetrics.get().count(Metric.LANDED_BYTES, bytes);
          }
        });
    // Also where nothing landed: what was compacted goes to the archive.
    lookAgain(tenant);
  }

  /** What the store has on SSD may have changed. */
  synchronized void lookAgain(Tenant tenant) {
    tenant.nextLook = clock.getAsLong();
  }

  /**
   * A file that was born came to nothing.
   *
   * @param refused whether SSD may be to blame
   */
  synchronized void failed(Tenant tenant, Path file, boolean refused) {
    failed(tenant, tenant.home().key(file.getName()), refused);
  }

  /** As {@link #failed} for the flush of a store that is under way; nothing where none is. */
  synchronized void flushFailed(Tenant tenant, boolean refused) {
    tenant.lapsedFlushes().forEach(key -> failed(tenant, key, refused));
  }

  private void failed(Tenant tenant, String key, boolean refused) {
    if (!tenant.fail(key)) {
      return;
    }
    ledger.release(tenant.owner(), key);
    if (refused) {
      refusals = refusals.refused(clock.getAsLong());
      HybridMetrics.get().count(Metric.LANDING_REFUSED);
      LOG.warn(
          "{} could not be written on SSD; files of this server are born on DISK for {} ms",
          key,
          TimeUnit.NANOSECONDS.toMillis(refusals.waitNanos(clock.getAsLong())));
    }
  }

  /** Bytes of SSD that this server's files take, as far as it knows. */
  synchronized long used() {
    return ledger.used();
  }

  /** Whether each store was looked at and files may land. */
  synchronized boolean open() {
    return word.open()
        && drain.trouble().isEmpty()
        && tenants.values().stream().allMatch(t -> t.looked);
  }

  /**
   * One turn: reads the master's word, looks at stores, takes away policies that are left on files,
   * asks for moves.
   *
   * @return stores looked at and files asked for
   * @throws IOException where HDFS does not answer; the next turn goes on
   */
  int doWork() throws IOException {
    letGo();
    listen();
    int work = 0;
    IOException trouble = null;
    for (Tenant tenant : due()) {
      try {
        look(tenant);
      } catch (IOException e) {
        // The others must not wait for one that cannot be read.
        trouble = e;
      }
      work++;
    }
    List<Tenant> all;
    long share;
    boolean closed;
    synchronized (this) {
      all = new ArrayList<>(tenants.values());
      share = word.share();
      closed = !word.open();
    }
    List<Tenant> drained = new ArrayList<>();
    all.stream().filter(tenant -> tenant.looked && tenant.servable).forEach(drained::add);
    for (Tenant tenant : drain.doWork(drained, share, closed)) {
      synchronized (this) {
        tenant.nextLook = Math.min(tenant.nextLook, clock.getAsLong() + 2 * turnNanos());
      }
      work++;
    }
    HybridMetrics.get().landing(server, used(), share);
    if (trouble != null) {
      throw trouble;
    }
    return work;
  }

  private void listen() throws IOException {
    Optional<LandingWord> found = namespace.landing(root);
    LandingWord next = found.orElse(LandingWord.closed("the master has not opened it"));
    synchronized (this) {
      word = next;
    }
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

  /** The stores to look at in this turn: never looked at first, then who has waited longest. */
  private synchronized List<Tenant> due() {
    long now = clock.getAsLong();
    return tenants.values().stream()
        .filter(tenant -> now - tenant.nextLook >= 0)
        .sorted(
            Comparator.comparing((Tenant tenant) -> tenant.looked)
                .thenComparingLong(tenant -> tenant.nextLook - now))
        .limit(LOOKS)
        .collect(Collectors.toList());
  }

  private long turnNanos() {
    return TimeUnit.SECONDS.toNanos(settings.landing().periodSeconds());
  }

  private void look(Tenant tenant) throws IOException {
    Set<String> committed;
    synchronized (this) {
      committed = tenant.committed();
      // What is committed from here on is looked at in the next turn.
      tenant.nextLook = Long.MAX_VALUE / 2 + clock.getAsLong();
    }
    List<Landed> files;
    try {
      if (!tenant.looked) {
        tenant.servable = look.servable(tenant.home());
      }
      files = look.look(tenant.home(), tenant.parents);
      unset(tenant, files);
    } catch (IOException | RuntimeException e) {
      synchronized (this) {
        tenant.nextLook = clock.getAsLong() + turnNanos();
      }
      throw e;
    }
    Map<String, Long> bytes = new HashMap<>();
    files.forEach(file -> bytes.put(file.key(), file.bytes()));
    synchronized (this) {
      if (tenant.closed) {
        return;
      }
      Set<String> unseen = new HashSet<>(tenant.unseenBy(committed));
      tenant.seen(committed);
      ledger.replace(tenant.owner(), tenant.home().table(), bytes, unseen);
      tenant.files = files;
      tenant.looked = true;
      long next = clock.getAsLong() + CALM_TURNS * turnNanos();
      boolean calm = files.isEmpty() && tenant.parents.isEmpty();
      tenant.nextLook = Math.min(tenant.nextLook, calm ? tenant.nextLook : next);
    }
  }

  /**
   * Takes away the policy that a file was born with, so that nothing keeps it on SSD. After a crash
   * this is done by whoever opens the store next.
   */
  private void unset(Tenant tenant, List<Landed> files) throws IOException {
    Set<String> sticky = new HashSet<>();
    for (Landed file : files) {
      if (!file.sticky() || !tenant.servable) {
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
      }
    }
    tenant.unset.retainAll(sticky);
  }
}
