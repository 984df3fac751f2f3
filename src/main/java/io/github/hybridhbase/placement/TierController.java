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
package io.github.hybridhbase.placement;

import io.github.hybridhbase.hdfs.HdfsError;
import io.github.hybridhbase.hdfs.HdfsNamespace;
import io.github.hybridhbase.hdfs.Hold;
import io.github.hybridhbase.hdfs.MoveConsent;
import io.github.hybridhbase.hdfs.RootPolicy;
import io.github.hybridhbase.hdfs.SsdSpace;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.hdfs.TierState;
import io.github.hybridhbase.hdfs.TierState.TierUse;
import io.github.hybridhbase.hdfs.XattrRecord.ForeignRecordException;
import io.github.hybridhbase.hdfs.XattrRecord.Found;
import io.github.hybridhbase.placement.SpaceSnapshot.ProbeResult;
import io.github.hybridhbase.runtime.Component;
import io.github.hybridhbase.runtime.HybridKeys;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.LogOnChange;
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.runtime.Watermarks;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.ClusterMetrics.Option;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The active master's control of the SSD tier: publishes, in one xattr, whether files may go to SSD
 * and how much each server may use.
 *
 * <p>The tier is closed if SSD lacks space (before any component must leave), if an admin's policy
 * above HBase's root is in force, if existing data awaits consent ({@link MoveConsent}), or during
 * a hold. With uncertain space the grant stays; with unreadable space it is paused.
 *
 * <p>A duty cycle with an injected clock, for one thread. Space and servers are those of the last
 * {@link ClusterLook}; a turn costs two NameNode calls of its own.
 */
@InterfaceAudience.Private
public final class TierController {
  private static final Logger LOG = LoggerFactory.getLogger(TierController.class);

  /** Begins the reason of a tier that only has to wait. */
  public static final String NO_SCAN = "no scan of the active master has ended yet";

  /** Servers trust a grant three times as long. */
  private static final long RENEW_MILLIS = TierState.TRUST_MILLIS / 3;

  /** Interval between two uses of the servers' usage, which they publish as often. */
  private static final long LEVEL_NANOS = TimeUnit.MINUTES.toNanos(1);

  /**
   * How long the answer to which servers have regions is used: HBase's answer has the load of every
   * region.
   */
  private static final long REGIONS_NANOS = TimeUnit.MINUTES.toNanos(10);

  private final HybridSettings settings;
  private final StorageNamespace namespace;
  private final Path root;
  private final URI hdfs;
  private final Supplier<ClusterLook> looks;
  private final Supplier<ClusterMetrics> regions;
  private final Predicate<MoveConsent> movesUserData;
  private final LongSupplier clock;
  private final LongSupplier wallClock;
  private final String sender;
  private final SpacePolicy spacePolicy;
  private DemotedComponents state = DemotedComponents.NONE;

  /** Whether live servers had a region of a table at the last answer. */
  private Map<ServerName, Boolean> stores = Map.of();

  private long storesNanos;
  private int dividedBy;
  private long level;
  private int levelOf;
  private long levelNanos;
  private long fewerSince = -1;
  private final LogOnChange logged = new LogOnChange();
  private volatile Optional<TierState> last = Optional.empty();
  private volatile Optional<Hold> hold = Optional.empty();
  private volatile Supplier<Optional<String>> unsettled = () -> Optional.of("");

  /**
   * @param hdfs of the root
   * @param regions the master's metrics; read only if a server published no figure
   * @param movesUserData whether a consent covers moving user data to the declared policy
   * @param sender this master, without spaces
   * @param clock nanoseconds
   * @param wallClock milliseconds since 1970
   */
  public TierController(
      HybridSettings settings,
      StorageNamespace namespace,
      Path root,
      URI hdfs,
      Supplier<ClusterLook> looks,
      Supplier<ClusterMetrics> regions,
      Predicate<MoveConsent> movesUserData,
      String sender,
      LongSupplier clock,
      LongSupplier wallClock) {
    this.settings = settings;
    this.namespace = namespace;
    this.root = root;
    this.hdfs = hdfs;
    this.looks = looks;
    this.regions = regions;
    this.movesUserData = movesUserData;
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

  /** The controller for the HDFS of the store files; empty without storage policies there. */
  public static Optional<TierController> of(
      Configuration conf,
      HybridSettings settings,
      Path root,
      Supplier<ClusterLook> looks,
      Connection connection,
      Predicate<MoveConsent> movesUserData)
      throws IOException {
    FileSystem fs = root.getFileSystem(conf);
    return HdfsNamespace.of(fs)
        .map(
            namespace ->
                new TierController(
                    settings,
                    namespace,
                    root,
                    fs.getUri(),
                    looks,
                    () -> metrics(connection),
                    movesUserData,
                    ManagementFactory.getRuntimeMXBean().getName(),
                    System::nanoTime,
                    System::currentTimeMillis));
  }

  private static ClusterMetrics metrics(Connection connection) {
    try (Admin admin = connection.getAdmin()) {
      return admin.getClusterMetrics(EnumSet.of(Option.LIVE_SERVERS));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The last grant; empty before the first, and during a hold. Any thread. */
  public Optional<TierState> last() {
    return last;
  }

  /** The hold at the last turn. Any thread. */
  public Optional<Hold> hold() {
    return hold;
  }

  /**
   * Before the first turn.
   *
   * @param why the last whole scan did not find all in place, "" if it did; empty before such a
   *     scan
   */
  public void scans(Supplier<Optional<String>> why) {
    unsettled = why;
  }

  /**
   * Writes a changed grant. A failure of HDFS, or disabled xattrs, is logged once; the next turn
   * retries.
   */
  public void doWork() {
    try {
      work();
      logged.clear("trouble");
    } catch (IOException | UncheckedIOException e) {
      String text = HdfsError.of(e).explain();
      if (logged.changed("trouble", text)) {
        LOG.warn(
            "The active master could not renew the grant of the SSD tier and retries: the tier "
                + "keeps its last state, and closes after 15 minutes without a grant. {}",
            text);
      }
    }
  }

  private void work() throws IOException {
    Map<String, byte[]> records = namespace.records(root);
    Found<TierState> found = TierState.RECORD.in(records);
    Optional<TierState> before = found.read();
    Found<Hold> holds = Hold.RECORD.in(records);
    hold = holds.read().or(() -> holds.foreign().map(Hold::new));
    if (!settings.tierDeclared() || hold.isPresent()) {
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
    TierState next = judge(before, MoveConsent.RECORD.in(records).read());
    last = Optional.of(next);
    if (!before.equals(last)) {
      namespace.write(TierState.RECORD, root, next);
    }
    String news = next.open() ? "open" : "closed: " + next.why();
    if (logged.changed("state", news)) {
      LOG.info("The SSD tier is {}", next.open() ? "open: " + next : news);
    }
  }

  private TierState judge(Optional<TierState> before, Optional<MoveConsent> consent)
      throws IOException {
    Optional<Byte> above = RootPolicy.on(namespace, root);
    if (above.isPresent()) {
      return TierState.left(
          "user data follows "
              + StoragePolicy.describe(above.get())
              + ", which somebody set on hbase.rootdir or above it");
    }
    ClusterLook look = looks.get();
    Optional<SpaceLook> seenHere =
        look.space(hdfs)
            .filter(one -> !one.isStale(wallClock.getAsLong(), settings.tier().periodSeconds()));
    Optional<SsdSpace> space = seenHere.flatMap(SpaceLook::space);
    Optional<String> lacks = space.flatMap(one -> lacks(one, seenHere.get()));
    Optional<String> waits = waits(consent);
    if (waits.isPresent()) {
      // Not closed, which would drain what nobody consented to move.
      return TierState.left(lacks.map(why -> why + "; besides, ").orElse("") + waits.get());
    }
    if (space.isEmpty()) {
      return unread(before, seenHere.filter(SpaceLook::settled).isPresent());
    }
    if (lacks.isPresent()) {
      return TierState.closed(lacks.get());
    }
    long capacity = space.get().capacity();
    int servers = Math.max(1, look.servers().size());
    long budget = settings.tier().budget().of(capacity);
    int divided = dampened(servers);
    TierGrant room =
        TierGrant.of(
                capacity,
                space.get().remaining(),
                settings.watermarks().highPercent(),
                budget,
                divided)
            .withBudget(level(before, budget, divided, look));
    return worthSaying(before, room)
        ? TierState.open(room.budget(), room.room(), wallClock.getAsLong(), sender)
        : before.get();
  }

  /** Why SSD has no space for the tier. */
  private Optional<String> lacks(SsdSpace space, SpaceLook look) {
    if (space.capacity() == 0) {
      return Optional.of("no DataNode has SSD");
    }
    // No probe, since each server handles a refusal itself.
    SpaceSnapshot seen =
        new SpaceSnapshot(Optional.of(space), look.headroom()).with(ProbeResult.GOOD);
    state = spacePolicy.next(state, seen, clock.getAsLong());
    return state.isDemoted(Component.TIER)
        ? Optional.of("the space monitor keeps SSD free for the system's own parts")
        : Optional.empty();
  }

  /**
   * An unreadable figure is no reason to rewrite data: nothing is added or drained, unless this
   * controller has itself read that SSD is short.
   */
  private TierState unread(Optional<TierState> before, boolean settled) {
    if (!settled) {
      return before.orElse(TierState.paused("the space on SSD is not known yet"));
    }
    return state.isDemoted(Component.TIER) && before.isPresent()
        ? before.get()
        : TierState.paused("the space on SSD cannot be read");
  }

  /** Changes at most once a minute, and at once if servers come or go. */
  private long level(Optional<TierState> before, long budget, int servers, ClusterLook look) {
    long now = clock.getAsLong();
    if (level == 0 || levelOf != servers || now - levelNanos >= LEVEL_NANOS) {
      long last = before.filter(TierState::open).map(TierState::share).orElse(0L);
      level =
          TierGrant.nextBudget(budget, servers, Math.min(last, budget), uses(look, this::stores));
      levelOf = servers;
      levelNanos = now;
    }
    return level;
  }

  private boolean worthSaying(Optional<TierState> before, TierGrant room) {
    return before
        .filter(TierState::open)
        .filter(published -> published.sender().equals(sender))
        .filter(
            published ->
                Math.abs(wallClock.getAsLong() - published.publishedMillis()) < RENEW_MILLIS)
        .filter(published -> !room.differsFrom(published.share(), published.room()))
        .isEmpty();
  }

  /**
   * Why existing data keeps the tier closed: draining moves whatever is on SSD, so it needs
   * consent. A fresh cluster has it after its first scan.
   */
  private Optional<String> waits(Optional<MoveConsent> consent) {
    if (settings.moveExisting()) {
      return Optional.empty();
    }
    if (settings.policy(Component.USER) == StoragePolicy.NONE) {
      return Optional.of(
          "nothing is declared for user data, and "
              + HybridKeys.MOVE_EXISTING
              + " does not say that it may be moved");
    }
    if (consent.filter(movesUserData).isPresent()) {
      return Optional.empty();
    }
    Optional<String> pending = consent.flatMap(MoveConsent::waiting);
    if (pending.isPresent()) {
      return Optional.of("existing data waits for 'hbase-hybrid apply': " + pending.get());
    }
    if (settings.scanPeriodSeconds() == 0) {
      return Optional.of(
          "existing data waits for 'hbase-hybrid apply', since "
              + HybridKeys.SCAN_PERIOD
              + " is 0 and no scan finds all in place");
    }
    Optional<String> why = unsettled.get();
    if (why.isEmpty()) {
      return Optional.of(NO_SCAN + "; the first begins within two minutes of its start");
    }
    return Optional.of(
        why.get().isEmpty()
            ? "existing data waits for 'hbase-hybrid apply', or for a scan of the master that finds"
                + " all in place"
            : "the last scan did not find all in place: " + why.get());
  }

  /**
   * The divisor grows at once but falls only after the dwell: successors learn a dead server's
   * usage only when they have opened its regions.
   */
  private int dampened(int servers) {
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

  /**
   * Bytes on SSD as published by live servers. A server counts as 0 if it published none and has no
   * region of a table; it is omitted, and so gets the equal share, if its figure is unreadable or
   * missing despite such regions.
   *
   * @param stores whether servers, among them these silent ones, have such regions; not in it if
   *     unknown
   */
  public static Collection<Long> uses(
      ClusterLook look, Function<List<ServerName>, Map<ServerName, Boolean>> stores) {
    List<Long> uses = new ArrayList<>();
    List<ServerName> silent = new ArrayList<>();
    Map<String, Found<TierUse>> reports = look.reports().uses();
    for (String server : look.servers()) {
      Found<TierUse> published = reports.getOrDefault(server, Found.foreign("unread"));
      published.read().ifPresent(use -> uses.add(use.bytes()));
      if (published.isAbsent()) {
        silent.add(ServerName.valueOf(server));
      }
    }
    if (!silent.isEmpty()) {
      Map<ServerName, Boolean> known = stores.apply(silent);
      silent.removeIf(server -> known.getOrDefault(server, true));
      uses.addAll(Collections.nCopies(silent.size(), 0L));
    }
    return uses;
  }

  /** Asks anew after {@link #REGIONS_NANOS}, or if the last answer lacks one of these. */
  private Map<ServerName, Boolean> stores(List<ServerName> silent) {
    long now = clock.getAsLong();
    if (now - storesNanos >= REGIONS_NANOS || !stores.keySet().containsAll(silent)) {
      stores =
          regions.get().getLiveServerMetrics().entrySet().stream()
              .collect(Collectors.toMap(Map.Entry::getKey, server -> hasStores(server.getValue())));
      storesNanos = now;
    }
    return stores;
  }

  private static boolean hasStores(ServerMetrics server) {
    return server.getRegionMetrics().keySet().stream()
        .anyMatch(region -> !RegionInfo.getTable(region).isSystemTable());
  }
}
