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
 * Says on behalf of the active master whether files may go to SSD and how much of SSD each server
 * may fill, by one xattr that is written when it changes. Closed where SSD has no space, where an
 * admin's policy above HBase's root is in force, where existing data waits to be moved ({@link
 * MoveConsent}), and while a hold stands. It closes before any component has to leave SSD. While
 * the space on SSD is not certain the grant stays what it was; if it cannot be read the grant is
 * paused: nothing more goes to SSD, and nothing leaves it.
 *
 * <p>A duty cycle with the clock injected, for one thread. A turn costs the NameNode five calls and
 * three HTTP requests, and once a minute a read for each server.
 */
@InterfaceAudience.Private
public final class TierController {
  private static final Logger LOG = LoggerFactory.getLogger(TierController.class);

  /** How often the word is renewed at least: servers trust it three times as long. */
  private static final long RENEW_MILLIS = TierState.TRUST_MILLIS / 3;

  /** Between two looks at what servers have on SSD. */
  private static final long LEVEL_NANOS = TimeUnit.MINUTES.toNanos(1);

  /** What the controller sees. */
  @InterfaceAudience.Private
  public interface View {
    /** The space on SSD; empty where it cannot be read, or is not certain. */
    Optional<SsdSpace> space();

    /** Whether what {@link #space} told last is certain, be it that it cannot be read. */
    boolean settled();

    /** What a DataNode needs free. */
    Headroom headroom(Optional<SsdSpace> space, int servers);

    /** Live RegionServers. */
    int servers() throws IOException;

    /**
     * What live servers said that they have on SSD, 0 for those without regions of tables. Nothing
     * of a server whose figure is missing or cannot be read. One NameNode read a server.
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
   * Makes a controller of one HBase.
   *
   * @param sender who speaks, without spaces
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
            EnumSet.of(Component.TMP),
            1);
  }

  /** What it said last; empty before that. Any thread. */
  public Optional<TierState> last() {
    return last;
  }

  /**
   * One look and, where it changes anything, one write. Where HDFS does not answer, or keeps no
   * xattrs, that is said once, and the next turn tries again.
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
    Found<TierState> found = namespace.tierState(root);
    Optional<TierState> before = found.read();
    if (!TierService.declared(settings) || !namespace.hold(root).isAbsent()) {
      if (before.isPresent()) {
        namespace.removeTierState(root);
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
      namespace.setTierState(root, next);
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
    // A refusal is met by each server itself, so that no probe is needed.
    SpaceSnapshot seen =
        new SpaceSnapshot(space, watch.headroom(space, servers), 0).with(ProbeResult.GOOD);
    state = spacePolicy.next(state, seen, clock.getAsLong());
    if (state.isDemoted(Component.TMP)) {
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
   * A figure that could not be read is no reason to rewrite what is on SSD: that stays, and nothing
   * is added. Only if this controller has read that SSD is short does its drain go on.
   */
  private TierState unread(Optional<TierState> before) {
    if (!watch.settled()) {
      return before.orElse(TierState.paused("the space on SSD is not known yet"));
    }
    return state.isDemoted(Component.TMP) && before.isPresent()
        ? before.get()
        : TierState.paused("the space on SSD cannot be read");
  }

  /** Looks at what servers have once a minute, and at once where servers came or went. */
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
   * The SSD tier drains whatever lies on SSD, which without somebody's word would be a move of data
   * that was there before. A fresh cluster has that word from the first scan on.
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
            .consent(root)
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
   * By how many servers is divided: by more at once, by fewer late. What a server that died had on
   * SSD is not known to those that take over its regions until they have opened them.
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
