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

import io.github.hybridhbase.hdfs.SsdSpace;
import io.github.hybridhbase.placement.SpaceSnapshot.ProbeResult;
import io.github.hybridhbase.runtime.Component;
import io.github.hybridhbase.runtime.Watermarks;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A pure decision about which components may be written to SSD.
 *
 * <p>Demotion is immediate and in the order of {@link #ORDER}: all components if SSD refuses a
 * probe block or has less than the headroom, otherwise each one below its step under the low
 * watermark. Restoration is in reverse order, one component per look, and requires the high
 * watermark, the headroom, the dwell and a probe block accepted by SSD in the same look.
 *
 * <p>Exceptions: without DISK in HDFS, low space demotes nothing (HOT blocks would be refused), and
 * dwell and probe suffice to restore. With unreadable space, probes alone decide. With uncertain
 * space ({@link Settling}), nothing is restored and only a refused probe demotes.
 */
@InterfaceAudience.Private
public final class SpacePolicy {
  /** Order of demotion; the WAL gains most from SSD and is last. */
  public static final List<Component> ORDER =
      List.of(Component.TIER, Component.META, Component.MASTER, Component.WAL);

  private final Watermarks watermarks;
  private final List<Component> order;
  private final int replication;

  /**
   * @param onSsd components declared to be on SSD; others are ignored
   */
  public SpacePolicy(Watermarks watermarks, Set<Component> onSsd, int replication) {
    this.watermarks = watermarks;
    this.order = ORDER.stream().filter(onSsd::contains).collect(Collectors.toUnmodifiableList());
    this.replication = replication;
  }

  public List<Component> order() {
    return order;
  }

  /**
   * The component to probe before {@link #next}: the next to be restored, otherwise, if space is
   * unreadable, the last to be demoted. Empty if no probe is needed.
   */
  public Optional<Component> probe(DemotedComponents state, SpaceSnapshot seen, long now) {
    Optional<Component> back = returning(state, seen, now);
    if (back.isPresent()) {
      return back;
    }
    return seen.space().isEmpty() ? lastIn(state) : Optional.empty();
  }

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

  private static boolean mayLeave(SpaceSnapshot seen) {
    return seen.space().isPresent() && !seen.noSsd() && seen.space().get().hasDisk();
  }

  /**
   * Requires space on enough DataNodes for all replicas and on most of those with SSD, since HDFS
   * also chooses full ones.
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
