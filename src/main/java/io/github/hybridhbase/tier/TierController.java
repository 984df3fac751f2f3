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

import io.github.hybridhbase.config.Component;
import io.github.hybridhbase.config.HybridKeys;
import io.github.hybridhbase.config.HybridSettings;
import io.github.hybridhbase.config.StoragePolicy;
import io.github.hybridhbase.config.Watermarks;
import io.github.hybridhbase.hdfs.ForeignRecordException;
import io.github.hybridhbase.hdfs.Found;
import io.github.hybridhbase.hdfs.HdfsError;
import io.github.hybridhbase.hdfs.Hold;
import io.github.hybridhbase.hdfs.MoveConsent;
import io.github.hybridhbase.hdfs.RootPolicy;
import io.github.hybridhbase.hdfs.SsdSpace;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.hdfs.TierState;
import io.github.hybridhbase.metrics.LogOnChange;
import io.github.hybridhbase.scan.Expectation;
import io.github.hybridhbase.space.DemotedComponents;
import io.github.hybridhbase.space.Headroom;
import io.github.hybridhbase.space.SpacePolicy;
import io.github.hybridhbase.space.SpaceSnapshot;
import io.github.hybridhbase.space.SpaceSnapshot.ProbeResult;
import java.io.IOException;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The active master's control of the SSD tier: publishes, in one xattr, whether files may go to SSD
 * and how much each server may use.
 *
 * <p>The tier is closed if SSD lacks space (before any component must leave), if an admin's policy
 * above HBase's root is in force, if existing data awaits consent ({@link MoveConsent}), or during
 * a hold. With uncertain space the grant stays; with unreadable space it is paused: nothing goes to
 * or leaves SSD.
 *
 * <p>A duty cycle with an injected clock, for one thread. A turn costs five NameNode calls and
 * three HTTP requests, and a read per server once a minute.
 */
@InterfaceAudience.Private
public final class TierController {
  private static final Logger LOG = LoggerFactory.getLogger(TierController.class);

  /** Servers trust a grant three times as long. */
  private static final long RENEW_MILLIS = TierState.TRUST_MILLIS / 3;

  /** Interval between reads of the servers' usage. */
  private static final long LEVEL_NANOS = TimeUnit.MINUTES.toNanos(1);

  @InterfaceAudience.Private
  public interface View {
    /** Empty if unreadable or uncertain. */
    Optional<SsdSpace> space();

    /** Whether the last {@link #space} is certain, even as "unreadable". */
    boolean settled();

    Headroom headroom(Optional<SsdSpace> space, int servers);

    /** Live RegionServers. */
    int servers() throws IOException;

    /**
     * Bytes on SSD as published by live servers; 0 for those without regions of tables, no entry
     * for missing or unreadable figures. One NameNode read per server.
     */
    Collection<Long> uses() throws IOException;
  }

  private final HybridSettings settings;
  private final StorageNamespace namespace;
  private final Path root;
  private final View watch;
  private final LongSupplier clock;
  private final LongSupplier wallClock;
  private final String sender;
  private final SpacePolicy spacePolicy;
  private DemotedComponents state = DemotedComponents.NONE;
  private int dividedBy;
  private long level;
  private int levelOf;
  private long levelNanos;
  private long fewerSince = -1;
  private final LogOnChange logged = new LogOnChange();
  private volatile Optional<TierState> last = Optional.empty();

  /**
   * Creates a controller.
   *
   * @param sender this master, without spaces
   * @param clock nanoseconds, as {@link System#nanoTime()}
   * @param wallClock milliseconds, as {@link System#currentTimeMillis()}
   */
  public TierController(
      HybridSettings settings,
      StorageNamespace namespace,
      Path root,
      View watch,
      String sender,
      LongSupplier clock,
      LongSupplier wallClock) {
    this.settings = settings;
    this.namespace = namespace;
    this.root = root;
    this.watch = watch;
    this.sender = sender;
    this.clock = clock;
    this.wallClock = wallClock;
    Watermarks watermarks = settings.watermarks();
    int low = (watermarks.lowPercent() + watermarks.highPercent()) / 2;
    this.spacePolicy =
        new SpacePolicy(
            new Watermarks(
                low,
                watermarks.highPercent(),
                (int) TimeUnit.NANOSECONDS.toSeconds(watermarks.dwellNanos())),
            EnumSet.of(Component.TIER),
            1);
  }

  /** The last grant; empty before the first. Any thread. */
  public Optional<TierState> last() {
    return last;
  }

  /**
   * Looks once and writes a changed grant. A failure of HDFS, or disabled xattrs, is logged once;
   * the next turn retries.
   */
  public void doWork() {
    try {
      work();
      logged.isOver("trouble");
    } catch (IOException e) {
      String text = HdfsError.of(e).explain();
      if (logged.isNews("trouble", text)) {
        LOG.warn("The SSD tier stays as it is, closed where it was never opened: {}", text);
      }
    }
  }

  private void work() throws IOException {
    Found<TierState> found = TierState.on(namespace, root);
    Optional<TierState> before = found.read();
    if (!TierService.declared(settings) || !namespace.read(Hold.RECORD, root).isAbsent()) {
      if (before.isPresent()) {
        namespace.remove(TierState.RECORD, root);
      }
      last = Optional.empty();
      return;
    }
    if (found.isForeign()) {
      last = Optional.of(TierState.followed(found));
      throw new ForeignRecordException(TierState.XATTR, root, found.foreign().get());
    }
    TierState next = judge(before);
    last = Optional.of(next);
    if (!before.equals(last)) {
      namespace.write(TierState.RECORD, root, next);
    }
    String news = next.open() ? "open" : "closed: " + next.why();
    if (logged.isNews("state", news)) {
      LOG.info("The SSD tier is {}", next.open() ? "open: " + next : news);
    }
  }

  private TierState judge(Optional<TierState> before) throws IOException {
    Optional<Byte> above = RootPolicy.on(namespace, root);
    if (above.isPresent()) {
      return TierState.left(
          "user data follows "
              + StoragePolicy.describe(above.get())
              + ", which somebody set on hbase.rootdir or above it");
    }
    Optional<TierState> waits = waits();
    if (waits.isPresent()) {
      return waits.get();
    }
    Optional<SsdSpace> space = watch.space();
    if (space.isEmpty()) {
      return unread(before);
    }
    long capacity = space.get().capacity();
    if (capacity == 0) {
      return TierState.closed("no DataNode has SSD");
    }
    int servers = Math.max(1, watch.servers());
    // No probe, since each server handles a refusal itself.
    SpaceSnapshot seen =
        new SpaceSnapshot(space, watch.headroom(space, servers), 0).with(ProbeResult.GOOD);
    state = spacePolicy.next(state, seen, clock.getAsLong());
    if (state.isDemoted(Component.TIER)) {
      return TierState.closed("the space monitor keeps SSD free for the system's own parts");
    }
    long budget = settings.tier().budget().of(capacity);
    int divided = unhurried(servers);
    TierRoom room =
        TierRoom.of(
                capacity,
                space.get().remaining(),
                settings.watermarks().highPercent(),
                budget,
                divided)
            .withBudget(level(before, budget, divided));
    return worthSaying(before, room)
        ? TierState.open(room.budget(), room.room(), wallClock.getAsLong(), sender)
        : before.get();
  }

  /**
   * An unreadable figure is no reason to rewrite data: nothing is added or drained, unless this
   * controller has itself read that SSD is short.
   */
  private TierState unread(Optional<TierState> before) {
    if (!watch.settled()) {
      return before.orElse(TierState.paused("the space on SSD is not known yet"));
    }
    return state.isDemoted(Component.TIER) && before.isPresent()
        ? before.get()
        : TierState.paused("the space on SSD cannot be read");
  }

  /** Reads usage once a minute, and at once if servers come or go. */
  private long level(Optional<TierState> before, long budget, int servers) throws IOException {
    long now = clock.getAsLong();
    if (level == 0 || levelOf != servers || now - levelNanos >= LEVEL_NANOS) {
      long told = before.filter(TierState::open).map(TierState::share).orElse(0L);
      level = TierLevel.next(budget, servers, Math.min(told, budget), watch.uses());
      levelOf = servers;
      levelNanos = now;
    }
    return level;
  }

  private boolean worthSaying(Optional<TierState> before, TierRoom room) {
    return before
        .filter(TierState::open)
        .filter(said -> said.sender().equals(sender))
        .filter(said -> Math.abs(wallClock.getAsLong() - said.saidMillis()) < RENEW_MILLIS)
        .filter(said -> !room.differsFrom(said.share(), said.room()))
        .isEmpty();
  }

  /**
   * Draining moves whatever lies on SSD, so existing data needs consent. A fresh cluster has
   * consent after its first scan.
   */
  private Optional<TierState> waits() throws IOException {
    if (settings.moveExisting()) {
      return Optional.empty();
    }
    if (settings.policy(Component.USER) == StoragePolicy.NONE) {
      return Optional.of(
          TierState.left(
              "nothing is declared for user data, and "
                  + HybridKeys.MOVE_EXISTING
                  + " does not say that it may be moved"));
    }
    boolean agreed =
        namespace
            .read(MoveConsent.RECORD, root)
            .read()
            .filter(consent -> Expectation.movesUserData(consent, settings))
            .isPresent();
    return agreed
        ? Optional.empty()
        : Optional.of(
            TierState.left(
                "existing data waits for 'hbase-hybrid apply', or for a scan of the master that"
                    + " finds all in place"));
  }

  /**
   * The divisor. It grows at once but falls only after the dwell, since successors learn a dead
   * server's usage only when they have opened its regions.
   */
  private int unhurried(int servers) {
    long now = clock.getAsLong();
    if (servers >= dividedBy) {
      dividedBy = servers;
      fewerSince = -1;
    } else if (fewerSince == -1) {
      fewerSince = now;
    } else if (now - fewerSince >= settings.watermarks().dwellNanos()) {
      dividedBy = servers;
      fewerSince = -1;
    }
    return dividedBy;
  }
}
