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
package io.github.hybridhbase.tier.drain;

import io.github.hybridhbase.hdfs.FileBlocks;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.hdfs.StorageNamespace.ListingEntry;
import io.github.hybridhbase.hdfs.StorageNamespace.PolicyStatus;
import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.LogOnChange;
import io.github.hybridhbase.runtime.Metric;
import io.github.hybridhbase.runtime.StoragePolicy;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongSupplier;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The compactions that rewrite files to DISK, one at a time on a thread for small and on one for
 * large ones. First reads the store's directory, one or two NameNode calls: files that HDFS has
 * moved need no rewrite, and if the directory is for SSD a new file would be too.
 *
 * <p>Nothing is selected, and so locked, before it runs; each turn begins with an empty list.
 * Thread-safe; turns are one thread's.
 */
@InterfaceAudience.Private
public final class StoreExits {
  private static final Logger LOG = LoggerFactory.getLogger(StoreExits.class);

  static final class Exit {
    private final TrackedStore tracked;

    /** Files written until then must leave; milliseconds since 1970. */
    final long writtenBy;

    final boolean whole;
    private volatile ExitRequest request;
    volatile Exception failure;
    private volatile boolean ended;
    private Thread thread;
    private boolean settled;

    /** A quick compaction is over before the tier looks at the store again. */
    volatile List<TieredFile> files;

    private Exit(TrackedStore tracked, long writtenBy, boolean whole) {
      this.tracked = tracked;
      this.files = List.copyOf(tracked.known());
      this.writtenBy = writtenBy;
      this.whole = whole;
    }

    /** Empty without a compaction. */
    Set<String> names() {
      ExitRequest asked = request;
      return asked == null ? Set.of() : asked.names();
    }

    private boolean isKnown() {
      ExitRequest asked = request;
      return ended || asked != null && asked.outcome() == ExitRequest.Outcome.RUNNING;
    }

    private synchronized void begins() {
      thread = Thread.currentThread();
    }

    /** An interrupt must not reach the next exit. */
    private synchronized void leavesThread() {
      thread = null;
      boolean unused = Thread.interrupted();
    }

    private synchronized void interrupt() {
      if (thread != null) {
        thread.interrupt();
      }
    }
  }

  private final StorageNamespace namespace;
  private final CompactionPool pool;
  private final long patienceNanos;
  private final LongSupplier clock;
  private final LongSupplier wallClock;

  private final LogOnChange logged = new LogOnChange();

  private final Queue<Exit> todo = new ConcurrentLinkedQueue<>();

  /** Begun or queued for the thread of large ones. */
  private final Map<TrackedStore, Exit> inFlight = new ConcurrentHashMap<>();

  private boolean busy;
  private long busySince;

  private volatile boolean nonetheless;

  /**
   * @param patienceNanos how long exits wait for other compactions
   * @param clock nanoseconds, as {@link System#nanoTime()}
   * @param wallClock milliseconds since 1970
   */
  public StoreExits(
      StorageNamespace namespace,
      CompactionPool pool,
      long patienceNanos,
      LongSupplier clock,
      LongSupplier wallClock) {
    this.namespace = namespace;
    this.pool = pool;
    this.patienceNanos = patienceNanos;
    this.clock = clock;
    this.wallClock = wallClock;
  }

  /** Why HBase compacts nothing, for people; empty if it does. */
  public String trouble() {
    return pool.on() ? "" : "compactions are switched off (compaction_switch)";
  }

  /**
   * Begins a turn.
   *
   * @param needed whether SSD is needed: all must leave, or tables with little there need space
   */
  public void begin(boolean needed) {
    withdraw();
    long now = clock.getAsLong();
    int waiting = pool.waiting();
    if (waiting > 0 && !busy) {
      busySince = now;
    }
    busy = waiting > 0;
    nonetheless = needed || busy && now - busySince >= patienceNanos;
    if (!pool.on()) {
      // As HBase does with those on its own threads when compaction_switch turns them off.
      inFlight.values().forEach(Exit::interrupt);
    }
  }

  public void withdraw() {
    todo.clear();
  }

  boolean inFlight(TrackedStore tracked) {
    return inFlight.containsKey(tracked);
  }

  boolean mayBegin() {
    return pool.on() && (nonetheless || pool.waiting() == 0);
  }

  /**
   * @param writtenBy by store, see {@link Exit#writtenBy}
   */
  public void begin(Map<TrackedStore, Long> writtenBy) {
    writtenBy.forEach((tracked, written) -> todo.add(new Exit(tracked, written, false)));
    if (!todo.isEmpty() && mayBegin()) {
      // While the thread is in an exit, one more task may wait; a third one is not needed.
      boolean unused = pool.execute(false, this::runAll);
    }
  }

  /**
   * Has HBase compact a whole store so that its hot rows get a file on SSD.
   *
   * @return false if another exit of the store is in flight
   */
  public boolean beginWhole(TrackedStore tracked) {
    Exit exit = new Exit(tracked, Long.MIN_VALUE, true);
    if (!mayBegin() || tracked.closed || inFlight.putIfAbsent(tracked, exit) != null) {
      return false;
    }
    boolean begun = pool.execute(true, () -> run(exit, true));
    if (!begun) {
      exit.ended = true;
    }
    return begun;
  }

  public List<Exit> settle() {
    List<Exit> known = new ArrayList<>();
    for (Exit exit : inFlight.values()) {
      boolean ended = exit.ended; // first: its outcome is read after that
      if (!exit.settled && exit.isKnown()) {
        exit.settled = true;
        known.add(exit);
      }
      if (ended) {
        inFlight.remove(exit.tracked);
      }
    }
    return known;
  }

  private void runAll() {
    while (mayBegin()) {
      Exit exit = todo.poll();
      if (exit == null) {
        return;
      }
      if (!exit.tracked.closed && inFlight.putIfAbsent(exit.tracked, exit) == null) {
        run(exit, false);
      }
    }
  }

  private void run(Exit exit, boolean large) {
    exit.begins();
    boolean waits = false;
    try {
      waits = pool.on() && !exit.tracked.closed && ask(exit, large);
    } catch (IOException | RuntimeException e) {
      exit.failure = e;
      if (!exit.names().isEmpty()) {
        LOG.warn(
            "A compaction that takes store files off SSD failed in {}: the files stay on SSD, no "
                + "row is lost, and it is retried later. If it recurs, look at the cause:",
            exit.tracked.config().directory(),
            e);
      }
    } finally {
      exit.leavesThread();
      exit.ended = !waits;
    }
    if (waits) {
      boolean taken = false;
      try {
        taken = pool.execute(true, () -> run(exit, true));
      } finally {
        // Only if nobody runs it: whoever does may have ended it already. An Error, of a process
        // without further threads, would leave the store in flight for as long as it is open.
        exit.ended |= !taken;
      }
    }
  }

  private boolean ask(Exit exit, boolean large) throws IOException {
    TrackedStore tracked = exit.tracked;
    exit.files = List.copyOf(tracked.known());
    Path directory = tracked.config().directory();
    if (!serves(tracked, directory)) {
      return false;
    }
    Map<String, Long> onSsd = new HashMap<>();
    Map<String, FileBlocks> found = list(directory);
    for (TieredFile file : exit.files) {
      if (file.hot()) {
        continue;
      }
      FileBlocks there = file.rewritable() ? found.get(file.name()) : null;
      if (there == null) {
        continue;
      }
      if (TieredFile.hasLeftSsd(there)) {
        tracked.leftSsd(file);
      } else {
        onSsd.put(file.name(), file.writtenMillis());
      }
    }
    exit.request =
        exit.whole
            ? ExitRequest.ofWholeStore()
            : new ExitRequest(onSsd, exit.writtenBy, wallClock.getAsLong(), pool.waiting() > 0);
    tracked.store().rewrite(exit.request, pool, large);
    if (exit.request.outcome() == ExitRequest.Outcome.RUNNING) {
      HybridMetrics.get().count(exit.whole ? Metric.HOT_COMPACTIONS : Metric.DRAIN_REQUESTED);
    }
    return exit.request.outcome() == ExitRequest.Outcome.LARGE;
  }

  /**
   * Whether the tier serves a store, by the policy of its directory or its table's; otherwise the
   * store is excluded for good. One NameNode call.
   */
  public boolean serves(TrackedStore tracked, Path directory) throws IOException {
    if (rewritesToDisk(directory)) {
      return true;
    }
    tracked.servable = false;
    String table = tracked.config().table();
    if (logged.changed(table, "left alone")) {
      LOG.info(
          "The SSD tier leaves table {} alone: {} has a policy for SSD or is"
              + " erasure coded, so a compaction would not move files off SSD. Its files"
              + " are neither charged nor rewritten. After a change of the policy, reopen"
              + " its regions.",
          table,
          directory);
    }
    return false;
  }

  /**
   * Whether new files of a directory are replicated and go to DISK. If HDFS's default policy is not
   * HOT, the grant is "left" anyway.
   */
  private boolean rewritesToDisk(Path directory) throws IOException {
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
