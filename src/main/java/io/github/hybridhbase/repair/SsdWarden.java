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
package io.github.hybridhbase.repair;

import io.github.hybridhbase.guard.Guard;
import io.github.hybridhbase.guard.GuardState;
import io.github.hybridhbase.guard.Headroom;
import io.github.hybridhbase.guard.MarksCheck;
import io.github.hybridhbase.guard.Settling;
import io.github.hybridhbase.guard.Sighting;
import io.github.hybridhbase.guard.SsdSpace;
import io.github.hybridhbase.metrics.HybridMetrics;
import io.github.hybridhbase.metrics.HybridMetrics.Metric;
import io.github.hybridhbase.placement.Component;
import io.github.hybridhbase.placement.DirectoryRule;
import io.github.hybridhbase.placement.WaterMarks;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out what the {@link Guard} decides for the components of one HDFS: looks at its SSDs,
 * probes where the guard wants a probe, turns directories away from SSD and back.
 *
 * <p>A duty cycle with the clock injected: whoever calls {@link #doWork} owns the thread, and calls
 * it from one thread only, the active master's. What it decided is kept on HDFS, as the marks of
 * the directories, so that a new master goes on where the old one stopped, and a directory that a
 * RegionServer turned away in its need is taken over here.
 */
@InterfaceAudience.Private
public final class SsdWarden {
  private static final Logger LOG = LoggerFactory.getLogger(SsdWarden.class);

  /** What the warden sees of the HDFS it looks after. */
  @InterfaceAudience.Private
  public interface Watch {
    /** The space on SSD as it is read now; empty where it cannot be. */
    Optional<SsdSpace> space();

    /** Why it cannot be read, for people. */
    String trouble();

    /** Servers with WALs in use. */
    Servers servers() throws IOException;
  }

  /** How many servers write WALs, and how many of them fell back to DISK. */
  @InterfaceAudience.Private
  public static final class Servers {
    private final int all;
    private final int inTrouble;

    /** Counts. */
    public Servers(int all, int inTrouble) {
      this.all = all;
      this.inTrouble = inTrouble;
    }
  }

  private final Guard guard;
  private final WaterMarks marks;
  private final List<DirectoryRule> rules;
  private final SsdGate gate;
  private final Watch watch;
  private final HeadroomEstimate estimate;
  private final LongSupplier clock;

  private Settling settling;
  private GuardState state = GuardState.ALL_IN;
  private String said = "";
  private boolean blind;
  private boolean unsettled;
  private boolean settled;

  /**
   * Makes a warden.
   *
   * @param rules the directories on this HDFS; those not meant for SSD are none of its business
   * @param replication replicas of a WAL
   * @param settling when what is read of SSD is certain
   * @param clock nanoseconds, as {@link System#nanoTime()}
   */
  public SsdWarden(
      WaterMarks marks,
      List<DirectoryRule> rules,
      int replication,
      SsdGate gate,
      Watch watch,
      HeadroomEstimate estimate,
      Settling settling,
      LongSupplier clock) {
    this.marks = marks;
    this.rules =
        rules.stream()
            .filter(rule -> rule.policy().wantsSsd())
            .collect(Collectors.toUnmodifiableList());
    Set<Component> components = EnumSet.noneOf(Component.class);
    this.rules.forEach(rule -> components.add(rule.component()));
    this.guard = new Guard(marks, components, replication);
    this.gate = gate;
    this.watch = watch;
    this.estimate = estimate;
    this.settling = settling;
    this.clock = clock;
  }

  /** Components that are kept away from SSD now. */
  public Set<Component> away() {
    return state.away();
  }

  /**
   * One look and what follows from it.
   *
   * @return how many components were turned
   * @throws IOException where HDFS cannot be asked or refuses; the next look tries again
   */
  public int doWork() throws IOException {
    if (rules.isEmpty()) {
      return 0;
    }
    takeOver();
    Sighting seen = look();
    Optional<Component> candidate = guard.probe(state, seen, clock.getAsLong());
    if (candidate.isPresent()) {
      Optional<DirectoryRule> rule = of(candidate.get()).stream().findFirst();
      seen = rule.isPresent() ? seen.with(gate.probe(rule.get())) : seen;
    }
    GuardState next = guard.next(state, seen, clock.getAsLong());
    return carryOut(next, seen);
  }

  /** Takes over what the directories say: another master's decisions, a server's need. */
  private void takeOver() throws IOException {
    if (!settled) {
      for (DirectoryRule rule : rules) {
        gate.settle(rule);
      }
      settled = true;
    }
    for (DirectoryRule rule : rules) {
      if (gate.isAway(rule)) {
        state = state.leave(rule.component(), clock.getAsLong());
      } else if (state.isAway(rule.component()) && gate.leave(rule)) {
        // Made since, or turned back by other hands than the guard's.
        LOG.warn("The guard turns {} away from SSD, as it does the component", rule.path());
      }
    }
    if (state.away().isEmpty()) {
      return;
    }
    // Whoever leaves later than one that is away may stay; whoever leaves earlier goes too.
    boolean laterIsAway = false;
    for (int place = guard.order().size() - 1; place >= 0; place--) {
      Component component = guard.order().get(place);
      laterIsAway |= state.isAway(component);
      if (laterIsAway && !state.isAway(component)) {
        state = state.leave(component, clock.getAsLong());
        for (DirectoryRule rule : of(component)) {
          gate.leave(rule);
        }
      }
    }
  }

  private Sighting look() throws IOException {
    Optional<SsdSpace> read = watch.space();
    settling = settling.next(read, clock.getAsLong());
    Optional<SsdSpace> space = settling.certain();
    Servers servers = watch.servers();
    Headroom headroom = estimate.next(space, servers.all, clock.getAsLong());
    if (read.isEmpty()) {
      HybridMetrics.get().count(Metric.GUARD_BLIND);
      if (!blind) {
        LOG.warn(
            "The room on SSD cannot be read ({}); the guard relies on probe blocks",
            watch.trouble());
      }
    } else if (blind) {
      LOG.info("The room on SSD can be read again: {}", read.get());
    }
    blind = read.isEmpty();
    if (settling.settled() == unsettled) {
      unsettled = !unsettled;
      LOG.info(
          "The room on SSD is {}: {}",
          unsettled
              ? "not certain, since this master or the NameNode has just started, or DataNodes or"
                  + " SSDs came or went; until it has stood for a while only a refused probe block"
                  + " turns anything away and nothing comes back"
              : "certain",
          read.map(SsdSpace::toString).orElse("it cannot be read"));
    }
    space
        .flatMap(found -> MarksCheck.finding(marks, found, headroom))
        .filter(finding -> !kind(finding).equals(said))
        .ifPresent(
            finding -> {
              said = kind(finding);
              LOG.warn(finding);
            });
    Sighting seen = new Sighting(space, headroom, servers.inTrouble);
    return settling.settled() ? seen : seen.unsettled();
  }

  /** A finding without its figures, which change with every look: the same is said once. */
  private static String kind(String finding) {
    return finding.replaceAll("\\d[\\d.]*( [KMGT]?i?B)?", "");
  }

  private int carryOut(GuardState next, Sighting seen) throws IOException {
    int turned = 0;
    for (Component component : guard.order()) {
      boolean leaves = next.isAway(component) && !state.isAway(component);
      boolean comesBack = !next.isAway(component) && state.isAway(component);
      if (!leaves && !comesBack) {
        continue;
      }
      if (leaves) {
        // Remembered first: what fails below is done at the next look.
        state = state.leave(component, clock.getAsLong());
      }
      if (turn(component, leaves)) {
        LOG.warn(
            "The guard turns {} {}: {}",
            component.label(),
            leaves ? "away from SSD, new files go to DISK" : "back to SSD",
            seen);
        turned++;
      }
      if (comesBack) {
        state = state.comeBack(component);
      }
    }
    return turned;
  }

  /** Whether any of its directories was turned; an admin's stays, and is none of the guard's. */
  private boolean turn(Component component, boolean leaves) throws IOException {
    boolean turned = false;
    for (DirectoryRule rule : of(component)) {
      turned |= leaves ? gate.leave(rule) : gate.comeBack(rule);
    }
    return turned;
  }

  private List<DirectoryRule> of(Component component) {
    return rules.stream()
        .filter(rule -> rule.component() == component)
        .collect(Collectors.toList());
  }
}
