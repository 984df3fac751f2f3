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
import io.github.hybridhbase.metrics.HybridMetrics;
import io.github.hybridhbase.metrics.LogOnChange;
import io.github.hybridhbase.metrics.Metric;
import io.github.hybridhbase.metrics.SpaceMetrics;
import io.github.hybridhbase.placement.DirectoryRule;
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
 * Carries out what the {@link SpacePolicy} decides for the components of one HDFS: looks at its
 * SSDs, probes where the space monitor wants a probe, demotes directories from SSD and restores
 * them.
 *
 * <p>A duty cycle with the clock injected: whoever calls {@link #doWork} owns the thread, and calls
 * it from one thread only, the active master's. What it decided is kept on HDFS, as the provenance
 * of the directories, so that a new master goes on where the old one stopped, and a directory that
 * a RegionServer demoted in its need is taken over here.
 */
@InterfaceAudience.Private
public final class SsdSpaceMonitor {
  private static final Logger LOG = LoggerFactory.getLogger(SsdSpaceMonitor.class);

  private final SpacePolicy spacePolicy;
  private final Watermarks watermarks;
  private final List<DirectoryRule> rules;
  private final SsdDemoter demoter;
  private final SpaceWatch watch;
  private final HeadroomEstimate estimate;
  private final LongSupplier clock;

  private Settling settling;
  private DemotedComponents state = DemotedComponents.NONE;
  private final LogOnChange logged = new LogOnChange();
  private boolean settled;
  private SpaceLook.Demotions demotions = SpaceLook.Demotions.NONE;
  private volatile Optional<SpaceLook> last = Optional.empty();

  /**
   * Makes a monitor.
   *
   * @param rules the directories on this HDFS; those not meant for SSD are none of its business
   * @param replication replicas of a WAL
   * @param settling when what is read of SSD is certain
   * @param clock nanoseconds, as {@link System#nanoTime()}
   */
  public SsdSpaceMonitor(
      Watermarks watermarks,
      List<DirectoryRule> rules,
      int replication,
      SsdDemoter demoter,
      SpaceWatch watch,
      HeadroomEstimate estimate,
      Settling settling,
      LongSupplier clock) {
    this.watermarks = watermarks;
    this.rules =
        rules.stream()
            .filter(rule -> rule.policy().wantsSsd())
            .collect(Collectors.toUnmodifiableList());
    Set<Component> components = EnumSet.noneOf(Component.class);
    this.rules.forEach(rule -> components.add(rule.component()));
    this.spacePolicy = new SpacePolicy(watermarks, components, replication);
    this.demoter = demoter;
    this.watch = watch;
    this.estimate = estimate;
    this.settling = settling;
    this.clock = clock;
  }

  /** Components that are kept away from SSD now. */
  public Set<Component> demoted() {
    return state.demoted();
  }

  /** The last look; empty before the first. Any thread. */
  public Optional<SpaceLook> last() {
    return last;
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
    SpaceSnapshot seen;
    try {
      takeOver();
      seen = look();
    } catch (IOException | RuntimeException e) {
      notSeen();
      throw e;
    }
    Optional<Component> candidate = spacePolicy.probe(state, seen, clock.getAsLong());
    if (candidate.isPresent()) {
      Optional<DirectoryRule> rule = of(candidate.get()).stream().findFirst();
      seen = rule.isPresent() ? seen.with(demoter.probe(rule.get())) : seen;
    }
    DemotedComponents next = spacePolicy.next(state, seen, clock.getAsLong());
    try {
      int changed = carryOut(next, seen);
      demotions = demotions.next(state.demoted(), seen.toString(), System.currentTimeMillis());
      last = last.map(look -> look.with(demotions));
      return changed;
    } finally {
      tell(seen);
    }
  }

  /** After the last look: what it saw is no longer this process's to tell. */
  void close() {
    HybridMetrics.get().space().forget(this);
  }

  /** Takes over what the directories say: another master's decisions, a server's need. */
  private void takeOver() throws IOException {
    // What is found demoted now was demoted by other hands.
    Set<Component> before = state.demoted();
    if (!settled) {
      for (DirectoryRule rule : rules) {
        demoter.settle(rule);
      }
      settled = true;
    }
    for (DirectoryRule rule : rules) {
      if (demoter.isDemoted(rule)) {
        state = state.demote(rule.component(), clock.getAsLong());
      } else if (state.isDemoted(rule.component()) && demoter.demote(rule)) {
        // Made since, or restored by other hands than the space monitor's.
        LOG.warn("The space monitor demotes {} from SSD, as it does the component", rule.path());
      }
    }
    if (!state.demoted().equals(before)) {
      demotions = demotions.next(state.demoted(), SpaceLook.FOUND, System.currentTimeMillis());
    }
    if (state.demoted().isEmpty()) {
      return;
    }
    // Whoever leaves later than one that is away may stay; whoever leaves earlier goes too.
    boolean laterIsAway = false;
    for (int step = spacePolicy.order().size() - 1; step >= 0; step--) {
      Component component = spacePolicy.order().get(step);
      laterIsAway |= state.isDemoted(component);
      if (laterIsAway && !state.isDemoted(component)) {
        state = state.demote(component, clock.getAsLong());
        for (DirectoryRule rule : of(component)) {
          demoter.demote(rule);
        }
      }
    }
  }

  private SpaceSnapshot look() throws IOException {
    Optional<SsdSpace> read = watch.space();
    settling = settling.next(read, clock.getAsLong());
    Optional<SsdSpace> space = settling.certain();
    WalServers servers = watch.servers();
    Headroom headroom = estimate.next(space, servers.all(), clock.getAsLong());
    if (read.isEmpty()) {
      HybridMetrics.get().count(Metric.SPACE_UNKNOWN);
      if (logged.isNews("space", "unreadable")) {
        LOG.warn(
            "The space on SSD cannot be read ({}); the space monitor relies on probe blocks",
            watch.trouble());
      }
    } else if (logged.isOver("space")) {
      LOG.info("The space on SSD can be read again: {}", read.get());
    }
    String found = read.map(SsdSpace::toString).orElse("it cannot be read");
    if (settling.settled()) {
      if (logged.isOver("settling")) {
        LOG.info("The space on SSD is certain: {}", found);
      }
    } else if (logged.isNews("settling", "not certain")) {
      LOG.info(
          "The space on SSD is not certain, since this master or the NameNode has just started, or"
              + " DataNodes or SSDs came or went; until it has stood for a while only a refused"
              + " probe block demotes anything and nothing comes back: {}",
          found);
    }
    space
        .flatMap(certain -> WatermarkCheck.finding(watermarks, certain, headroom))
        .filter(finding -> logged.isNews("watermarks", kind(finding)))
        .ifPresent(LOG::warn);
    String trouble =
        read.isEmpty()
            ? "It cannot be read: " + watch.trouble()
            : settling.settled() ? "" : "It is not certain yet.";
    last =
        Optional.of(
            new SpaceLook(
                System.currentTimeMillis(),
                read,
                trouble,
                headroom.bytes(),
                servers.fellBack(),
                demotions));
    SpaceSnapshot seen = new SpaceSnapshot(space, headroom, servers.fellBack().size());
    return settling.settled() ? seen : seen.unsettled();
  }

  /** HDFS could not be asked: nothing that was read of it before is certain any more. */
  private void notSeen() {
    settling = settling.next(Optional.empty(), clock.getAsLong());
    HybridMetrics.get().count(Metric.SPACE_UNKNOWN);
    int fellBack = last.map(look -> look.fellBack().size()).orElse(0);
    HybridMetrics.get().space().unknown(this, state.demoted().size(), fellBack);
  }

  private void tell(SpaceSnapshot seen) {
    SpaceMetrics metrics = HybridMetrics.get().space();
    int demoted = state.demoted().size();
    if (seen.space().isEmpty()) {
      metrics.unknown(this, demoted, seen.serversInTrouble());
      return;
    }
    SsdSpace ssd = seen.space().get();
    long headroom = seen.headroom().bytes();
    metrics.known(
        this,
        ssd.capacity(),
        ssd.used(),
        ssd.remaining(),
        ssd.nodes(),
        ssd.nodes() - ssd.nodesWithSpace(headroom),
        headroom,
        demoted,
        seen.serversInTrouble());
  }

  /** A finding without its figures, which change with every look: the same is said once. */
  private static String kind(String finding) {
    return finding.replaceAll("\\d[\\d.]*( [KMGT]?i?B)?", "");
  }

  private int carryOut(DemotedComponents next, SpaceSnapshot seen) throws IOException {
    int changed = 0;
    for (Component component : spacePolicy.order()) {
      boolean leaves = next.isDemoted(component) && !state.isDemoted(component);
      boolean returns = !next.isDemoted(component) && state.isDemoted(component);
      if (!leaves && !returns) {
        continue;
      }
      if (leaves) {
        // Remembered first: what fails below is done at the next look.
        state = state.demote(component, clock.getAsLong());
      }
      if (turn(component, leaves)) {
        LOG.warn(
            "The space monitor moves {} {}: {}",
            component.label(),
            leaves ? "away from SSD, new files go to DISK" : "back to SSD",
            seen);
        changed++;
      }
      if (returns) {
        state = state.restore(component);
      }
    }
    return changed;
  }

  /**
   * Whether any of its directories was turned; an admin's stays, and is none of the space
   * monitor's.
   */
  private boolean turn(Component component, boolean leaves) throws IOException {
    boolean changed = false;
    for (DirectoryRule rule : of(component)) {
      changed |= leaves ? demoter.demote(rule) : demoter.restore(rule);
    }
    return changed;
  }

  private List<DirectoryRule> of(Component component) {
    return rules.stream()
        .filter(rule -> rule.component() == component)
        .collect(Collectors.toList());
  }
}
