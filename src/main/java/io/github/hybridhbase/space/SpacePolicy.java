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
package io.github.hybridhbase.space;

import io.github.hybridhbase.config.Component;
import io.github.hybridhbase.config.Watermarks;
import io.github.hybridhbase.hdfs.SsdSpace;
import io.github.hybridhbase.space.SpaceSnapshot.ProbeResult;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Decides which components may be written to SSD now: a pure function of the state, of what was
 * seen and of the time.
 *
 * <p>Leaving is at once and in the order of {@link #ORDER}: all of them where SSD refused a probe
 * block or has less than the headroom, else each below its own step under the low watermark. Coming
 * back is in reverse order, one component a look, and needs all of: the high watermark, the
 * headroom, the dwell, and a probe block that SSD took in this very look. Where HDFS has no DISK
 * nothing leaves for want of space, since a block under HOT would be refused there, and what is
 * away comes back after the dwell and the probe block alone. Where space cannot be read, probes
 * alone decide; while it is not certain ({@link Settling}) nothing comes back, and only a refused
 * probe takes anything away.
 */
@InterfaceAudience.Private
public final class SpacePolicy {
  /** The order in which components leave SSD; the WAL, which gains most, is last. */
  public static final List<Component> ORDER =
      List.of(Component.TMP, Component.META, Component.MASTER, Component.WAL);

  private final Watermarks watermarks;
  private final List<Component> order;
  private final int replication;

  /**
   * Makes a policy.
   *
   * @param onSsd components declared to be on SSD; the others are none of its business
   * @param replication replicas of a WAL
   */
  public SpacePolicy(Watermarks watermarks, Set<Component> onSsd, int replication) {
    this.watermarks = watermarks;
    this.order = ORDER.stream().filter(onSsd::contains).collect(Collectors.toUnmodifiableList());
    this.replication = replication;
  }

  /** The components this policy looks after, first to leave first. */
  public List<Component> order() {
    return order;
  }

  /**
   * The component for which SSD is to be asked to take a probe block before {@link #next}: the one
   * that could come back, else, where space cannot be read or servers are in trouble, the one that
   * would leave last. Empty where no probe is worth its cost.
   */
  public Optional<Component> probe(DemotedComponents state, SpaceSnapshot seen, long now) {
    Optional<Component> back = returning(state, seen, now);
    if (back.isPresent()) {
      return back;
    }
    boolean doubt = seen.space().isEmpty() || seen.serversInTrouble() > 0;
    return doubt ? lastIn(state) : Optional.empty();
  }

  /** The next state. */
  public DemotedComponents next(DemotedComponents state, SpaceSnapshot seen, long now) {
    DemotedComponents next = state;
    if (danger(seen)) {
      for (Component component : order) {
        next = next.demote(component, now);
      }
      return next;
    }
    if (mayLeave(seen)) {
      double free = seen.space().get().freePercent();
      for (int step = 0; step < order.size(); step++) {
        if (free < watermarks.leaveBelow(step, order.size())) {
          next = next.demote(order.get(step), now);
        }
      }
    }
    Optional<Component> back =
        seen.probe() == ProbeResult.GOOD ? returning(next, seen, now) : Optional.empty();
    return back.isPresent() ? next.restore(back.get()) : next;
  }

  private boolean danger(SpaceSnapshot seen) {
    if (seen.probe() == ProbeResult.REFUSED) {
      return true;
    }
    return mayLeave(seen) && !enoughSpace(seen.space().get(), seen.headroom().bytes());
  }

  /** Whether there is SSD to leave for want of space, and DISK to go to. */
  private static boolean mayLeave(SpaceSnapshot seen) {
    return seen.space().isPresent() && !seen.noSsd() && seen.space().get().hasDisk();
  }

  /**
   * Whether enough DataNodes have the space: as many as a block has replicas, and most of those
   * with SSD, since HDFS keeps choosing the others too.
   */
  private boolean enoughSpace(SsdSpace space, long bytes) {
    int nodes = space.perNode().isEmpty() ? space.nodes() : space.perNode().size();
    int withSpace = space.nodesWithSpace(bytes);
    return withSpace >= Math.min(replication, nodes) && 2 * withSpace > nodes;
  }

  private Optional<Component> returning(DemotedComponents state, SpaceSnapshot seen, long now) {
    Optional<Component> candidate = Optional.empty();
    for (int step = order.size() - 1; step >= 0 && candidate.isEmpty(); step--) {
      if (state.isDemoted(order.get(step))) {
        candidate = Optional.of(order.get(step));
      }
    }
    return candidate.filter(
        component ->
            now - state.demotedSince(component) >= watermarks.dwellNanos() && spaceToReturn(seen));
  }

  private boolean spaceToReturn(SpaceSnapshot seen) {
    if (!seen.settled()) {
      return false;
    }
    if (seen.space().isEmpty()) {
      return true;
    }
    SsdSpace space = seen.space().get();
    if (!space.hasDisk()) {
      return !seen.noSsd();
    }
    return !seen.noSsd()
        && space.freePercent() >= watermarks.highPercent()
        && enoughSpace(space, seen.headroom().bytesToReturn());
  }

  private Optional<Component> lastIn(DemotedComponents state) {
    for (int step = order.size() - 1; step >= 0; step--) {
      if (!state.isDemoted(order.get(step))) {
        return Optional.of(order.get(step));
      }
    }
    return Optional.empty();
  }
}
