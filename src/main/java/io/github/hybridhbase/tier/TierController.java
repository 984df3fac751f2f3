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
import io.github.hybridhbase.hdfs.HdfsError;
import io.github.hybridhbase.hdfs.MoveConsent;
import io.github.hybridhbase.hdfs.RootPolicy;
import io.github.hybridhbase.hdfs.SsdSpace;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.hdfs.TierState;
import io.github.hybridhbase.scan.Expectation;
import io.github.hybridhbase.space.DemotedComponents;
import io.github.hybridhbase.space.Headroom;
import io.github.hybridhbase.space.SpacePolicy;
import io.github.hybridhbase.space.SpaceSnapshot;
import io.github.hybridhbase.space.SpaceSnapshot.ProbeResult;
import java.io.IOException;
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
 * may fill, by one xattr that is written when it changes. Closed where nothing moves blocks, where
 * SSD has no space, where an admin's policy above HBase's root is in force, where existing data
 * waits to be moved ({@link MoveConsent}), and while a hold stands. It closes before any component
 * has to leave SSD. While the space on SSD is not certain the word stays what it was; where it
 * certainly cannot be read the SSD tier is closed.
 *
 * <p>A duty cycle with the clock injected, for one thread. A turn costs the NameNode six calls and
 * three HTTP requests.
 */
@InterfaceAudience.Private
public final class TierController {
  private static final Logger LOG = LoggerFactory.getLogger(TierController.class);

  private static final long ROUND = 1L << 20;

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
  }

  private final HybridSettings settings;
  private final StorageNamespace namespace;
  private final Path root;
  private final View watch;
  private final LongSupplier clock;
  private final SpacePolicy spacePolicy;
  private DemotedComponents state = DemotedComponents.NONE;
  private long grownSince = -1;
  private String said = "";
  private volatile Optional<TierState> last = Optional.empty();

  /** Makes a controller of one HBase; the clock tells nanoseconds. */
  public TierController(
      HybridSettings settings,
      StorageNamespace namespace,
      Path root,
      View watch,
      LongSupplier clock) {
    this.settings = settings;
    this.namespace = namespace;
    this.root = root;
    this.watch = watch;
    this.clock = clock;
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
    } catch (IOException e) {
      String text = HdfsError.of(e).explain();
      if (!text.equals(said)) {
        said = text;
        LOG.warn("The SSD tier stays as it is, closed where it was never opened: {}", text);
      }
    }
  }

  private void work() throws IOException {
    Optional<TierState> before = namespace.tierState(root);
    if (!TierService.declared(settings) || namespace.hold(root).isPresent()) {
      if (before.isPresent()) {
        namespace.removeTierState(root);
      }
      last = Optional.empty();
      return;
    }
    TierState next = judge(before);
    if (before.isPresent() && before.get().open() && next.open()) {
      next = unhurried(before.get(), next);
    }
    last = Optional.of(next);
    if (!before.equals(last)) {
      namespace.setTierState(root, next);
    }
    if (!next.why().equals(said)) {
      said = next.why();
      LOG.info("The SSD tier is {}", next.open() ? "open: " + next : "closed: " + said);
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
    if (!namespace.moves(root)) {
      return TierState.closed(
          "nothing moves blocks, dfs.storage.policy.satisfier.mode is none on the NameNode");
    }
    Optional<SsdSpace> space = watch.space();
    if (space.isEmpty()) {
      return watch.settled()
          ? TierState.closed("the space on SSD cannot be read")
          : before.orElse(TierState.closed("the space on SSD is not known yet"));
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
    long share = settings.tier().budget().of(capacity) / servers;
    return TierState.open(share > ROUND ? share / ROUND * ROUND : share);
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
   * A share shrinks at once and grows late: what a server that died had on SSD is not known to
   * those that take over its regions until they have opened them.
   */
  private TierState unhurried(TierState before, TierState next) {
    if (next.share() <= before.share()) {
      grownSince = -1;
      return next;
    }
    long now = clock.getAsLong();
    if (grownSince == -1) {
      grownSince = now;
    }
    if (now - grownSince < settings.watermarks().dwellNanos()) {
      return before;
    }
    grownSince = -1;
    return next;
  }
}
