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

import io.github.hybridhbase.guard.Guard;
import io.github.hybridhbase.guard.GuardState;
import io.github.hybridhbase.guard.Headroom;
import io.github.hybridhbase.guard.Sighting;
import io.github.hybridhbase.guard.Sighting.ProbeResult;
import io.github.hybridhbase.guard.SsdSpace;
import io.github.hybridhbase.hdfs.LandingWord;
import io.github.hybridhbase.hdfs.MoveConsent;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.placement.Component;
import io.github.hybridhbase.placement.HybridKeys;
import io.github.hybridhbase.placement.HybridSettings;
import io.github.hybridhbase.placement.StoragePolicy;
import io.github.hybridhbase.placement.WaterMarks;
import io.github.hybridhbase.repair.Above;
import io.github.hybridhbase.repair.Expectation;
import io.github.hybridhbase.repair.Refusal;
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
 * Says on behalf of the active master whether files may land and how much of SSD each server may
 * fill, by one xattr that is written when it changes. Closed where nothing moves blocks, where SSD
 * has no room, where an admin's policy above HBase's root is in force, where existing data waits to
 * be moved ({@link MoveConsent}), and while a hold stands. It closes before any component has to
 * leave SSD. While the space on SSD is not certain the word stays what it was; where it certainly
 * cannot be read the landing is closed.
 *
 * <p>A duty cycle with the clock injected, for one thread. A turn costs the NameNode six calls and
 * one HTTP request.
 */
@InterfaceAudience.Private
public final class LandingWarden {
  private static final Logger LOG = LoggerFactory.getLogger(LandingWarden.class);

  private static final long ROUND = 1L << 20;

  /** What the warden sees. */
  @InterfaceAudience.Private
  public interface Watch {
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
  private final Watch watch;
  private final LongSupplier clock;
  private final Guard guard;
  private GuardState state = GuardState.ALL_IN;
  private long grownSince = -1;
  private String said = "";

  /** Makes a warden of one HBase; the clock tells nanoseconds. */
  public LandingWarden(
      HybridSettings settings,
      StorageNamespace namespace,
      Path root,
      Watch watch,
      LongSupplier clock) {
    this.settings = settings;
    this.namespace = namespace;
    this.root = root;
    this.watch = watch;
    this.clock = clock;
    WaterMarks marks = settings.marks();
    int low = (marks.lowPercent() + marks.highPercent()) / 2;
    this.guard =
        new Guard(
            new WaterMarks(
                low, marks.highPercent(), (int) TimeUnit.NANOSECONDS.toSeconds(marks.dwellNanos())),
            EnumSet.of(Component.TMP),
            1);
  }

  /**
   * One look and, where it changes anything, one word. Where HDFS does not answer, or keeps no
   * xattrs, that is said once, and the next turn tries again.
   */
  public void doWork() {
    try {
      work();
    } catch (IOException e) {
      String text = Refusal.explain(e);
      if (!text.equals(said)) {
        said = text;
        LOG.warn("The landing stays as it is, closed where it was never opened: {}", text);
      }
    }
  }

  private void work() throws IOException {
    Optional<LandingWord> before = namespace.landing(root);
    if (!ServerLanding.declared(settings) || namespace.hold(root).isPresent()) {
      if (before.isPresent()) {
        namespace.removeLanding(root);
      }
      return;
    }
    LandingWord next = judge(before);
    if (before.isPresent() && before.get().open() && next.open()) {
      next = unhurried(before.get(), next);
    }
    if (!before.equals(Optional.of(next))) {
      namespace.setLanding(root, next);
    }
    if (!next.why().equals(said)) {
      said = next.why();
      LOG.info("The landing is {}", next.open() ? "open: " + next : "closed: " + said);
    }
  }

  private LandingWord judge(Optional<LandingWord> before) throws IOException {
    Optional<Byte> above = Above.on(namespace, root);
    if (above.isPresent()) {
      return LandingWord.left(
          "user data follows "
              + StoragePolicy.describe(above.get())
              + ", which somebody set on hbase.rootdir or above it");
    }
    Optional<LandingWord> waits = waits();
    if (waits.isPresent()) {
      return waits.get();
    }
    if (!namespace.moves(root)) {
      return LandingWord.closed(
          "nothing moves blocks, dfs.storage.policy.satisfier.mode is none on the NameNode");
    }
    Optional<SsdSpace> space = watch.space();
    if (space.isEmpty()) {
      return watch.settled()
          ? LandingWord.closed("the space on SSD cannot be read")
          : before.orElse(LandingWord.closed("the space on SSD is not known yet"));
    }
    long capacity = space.get().capacity();
    if (capacity == 0) {
      return LandingWord.closed("no DataNode has SSD");
    }
    int servers = Math.max(1, watch.servers());
    // A refusal is met by each server itself, so that no probe is needed.
    Sighting seen = new Sighting(space, watch.headroom(space, servers), 0).with(ProbeResult.GOOD);
    state = guard.next(state, seen, clock.getAsLong());
    if (state.isAway(Component.TMP)) {
      return LandingWord.closed("the guard keeps SSD free for the system's own parts");
    }
    long share = settings.landing().budget().of(capacity) / servers;
    return LandingWord.open(share > ROUND ? share / ROUND * ROUND : share);
  }

  /**
   * The landing drains whatever lies on SSD, which without somebody's word would be a move of data
   * that was there before. A fresh cluster has that word from the first census on.
   */
  private Optional<LandingWord> waits() throws IOException {
    if (settings.moveExisting()) {
      return Optional.empty();
    }
    if (settings.policy(Component.USER) == StoragePolicy.NONE) {
      return Optional.of(
          LandingWord.left(
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
            LandingWord.left(
                "existing data waits for 'hbase-hybrid apply', or for a census of the master that"
                    + " finds all in place"));
  }

  /**
   * A share shrinks at once and grows late: what a server that died had on SSD is not known to
   * those that take over its regions until they have opened them.
   */
  private LandingWord unhurried(LandingWord before, LandingWord next) {
    if (next.share() <= before.share()) {
      grownSince = -1;
      return next;
    }
    long now = clock.getAsLong();
    if (grownSince == -1) {
      grownSince = now;
    }
    if (now - grownSince < settings.marks().dwellNanos()) {
      return before;
    }
    grownSince = -1;
    return next;
  }
}
