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
import io.github.hybridhbase.hdfs.SsdSpace;
import io.github.hybridhbase.runtime.Component;
import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.Layout.DirectoryRule;
import io.github.hybridhbase.runtime.LogOnChange;
import io.github.hybridhbase.runtime.Metric;
import io.github.hybridhbase.runtime.SpaceMetrics;
import io.github.hybridhbase.runtime.Watermarks;
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
 * A monitor of one HDFS that probes SSD, and demotes or restores directories as the {@link
 * SpacePolicy} decides over a {@link SpaceLook}.
 *
 * <p>Only the active master's thread calls {@link #doWork}. Decisions are kept as provenance of the
 * directories, so a new master continues them and adopts directories that a RegionServer demoted.
 */
@InterfaceAudience.Private
public final class SsdSpaceMonitor {
  private static final Logger LOG = LoggerFactory.getLogger(SsdSpaceMonitor.class);

  private final SpacePolicy spacePolicy;
  private final Watermarks watermarks;
  private final List<DirectoryRule> rules;

  /** Whether any component is for SSD, user data included. */
  private final boolean usesSsd;

  private final SsdDemoter demoter;
  private final LongSupplier clock;
  private final boolean acts;

  /** What is to be on DISK. */
  private DemotedComponents state = DemotedComponents.NONE;

  /** Of these, what has a directory that is demoted: HDFS, an admin or a hold may prevent it. */
  private final Set<Component> standing = EnumSet.noneOf(Component.class);

  private final LogOnChange logged = new LogOnChange();
  private boolean settled;
  private SpaceLook.Demotions demotions = SpaceLook.Demotions.NONE;

  /**
   * @param rules of this HDFS; of directories not for SSD, and of components out of {@link
   *     SpacePolicy#ORDER}, nothing is changed
   * @param clock nanoseconds, as {@link System#nanoTime()}
   * @param acts false only reports the space, without probe, demotion or return
   */
  public SsdSpaceMonitor(
      Watermarks watermarks,
      List<DirectoryRule> rules,
      int replication,
      SsdDemoter demoter,
      LongSupplier clock,
      boolean acts) {
    this.acts = acts;
    this.watermarks = watermarks;
    this.usesSsd = rules.stream().anyMatch(rule -> rule.policy().wantsSsd());
    this.rules =
        rules.stream()
            .filter(rule -> rule.policy().wantsSsd())
            .filter(rule -> SpacePolicy.ORDER.contains(rule.component()))
            .collect(Collectors.toUnmodifiableList());
    Set<Component> components = EnumSet.noneOf(Component.class);
    this.rules.forEach(rule -> components.add(rule.component()));
    this.spacePolicy = new SpacePolicy(watermarks, components, replication);
    this.demoter = demoter;
    this.clock = clock;
  }

  public Set<Component> demoted() {
    return state.demoted();
  }

  public SpaceLook.Demotions demotions() {
    return demotions;
  }

  /**
   * @throws IOException if HDFS fails; the next look repeats
   */
  public int doWork(SpaceLook look) throws IOException {
    if (!usesSsd) {
      return 0;
    }
    if (!acts || rules.isEmpty()) {
      publish(snapshot(look));
      return 0;
    }
    try {
      takeOver();
    } catch (IOException | RuntimeException e) {
      if (HdfsError.of(e).is(HdfsError.Kind.SUPERUSER_ONLY)) {
        publish(snapshot(look)); // the NameNode has answered, and only the metrics warn now
      } else {
        notSeen();
      }
      throw e;
    }
    SpaceSnapshot seen = snapshot(look);
    Optional<Component> candidate = spacePolicy.probe(state, seen, clock.getAsLong());
    if (candidate.isPresent()) {
      Optional<DirectoryRule> rule = of(candidate.get()).stream().findFirst();
      seen = rule.isPresent() ? seen.with(demoter.probe(rule.get())) : seen;
    }
    DemotedComponents next = spacePolicy.next(state, seen, clock.getAsLong());
    try {
      int changed = carryOut(next, seen);
      demotions = demotions.next(standing, seen.why(), System.currentTimeMillis());
      return changed;
    } finally {
      publish(seen);
    }
  }

  /** Removes the metrics after the last look. */
  void close() {
    HybridMetrics.get().space().forget(this);
  }

  private void takeOver() throws IOException {
    // What is demoted now was demoted by another process.
    if (!settled) {
      for (DirectoryRule rule : rules) {
        demoter.settle(rule);
      }
      settled = true;
    }
    Set<Component> now = EnumSet.noneOf(Component.class);
    for (DirectoryRule rule : rules) {
      if (demoter.isDemoted(rule)) {
        state = state.demote(rule.component(), clock.getAsLong());
        now.add(rule.component());
      } else if (state.isDemoted(rule.component()) && demoter.demote(rule)) {
        now.add(rule.component());
        LOG.info(
            "New files of {} go to DISK: the directory was created, or its policy was restored,"
                + " while the space monitor keeps its component off SSD. It returns with the"
                + " component. Nothing to do.",
            rule.path());
      }
    }
    if (!standing.equals(now)) {
      standing.clear();
      standing.addAll(now);
      demotions = demotions.next(standing, SpaceLook.FOUND, System.currentTimeMillis());
    }
    if (state.demoted().isEmpty()) {
      return;
    }
    // INVARIANT: all that precedes a demoted component in the order is demoted too.
    boolean laterIsAway = false;
    for (int step = spacePolicy.order().size() - 1; step >= 0; step--) {
      Component component = spacePolicy.order().get(step);
      laterIsAway |= state.isDemoted(component);
      if (laterIsAway && !state.isDemoted(component)) {
        state = state.demote(component, clock.getAsLong());
        for (DirectoryRule rule : of(component)) {
          demote(rule);
        }
      }
    }
  }

  private boolean demote(DirectoryRule rule) throws IOException {
    boolean demoted = demoter.demote(rule);
    if (demoted) {
      standing.add(rule.component());
    }
    return demoted;
  }

  private SpaceSnapshot snapshot(SpaceLook look) {
    Optional<SsdSpace> read = look.read();
    if (read.isEmpty()) {
      HybridMetrics.get().count(Metric.SPACE_UNKNOWN);
      if (logged.changed("space", "unreadable")) {
        LOG.warn(
            "The space on SSD cannot be read from the NameNode ({}). Until it can, a component"
                + " leaves SSD only if SSD refuses a probe block, and the SSD tier closes after 60"
                + " s. Check that a NameNode is active and that this master reaches "
                + "dfs.namenode.http-address.",
            look.unread());
      }
    } else if (logged.clear("space")) {
      LOG.info("The space on SSD can be read again: {}. Nothing to do.", read.get());
    }
    String found = read.map(SsdSpace::toString).orElse("it cannot be read");
    if (look.settled()) {
      if (logged.clear("settling")) {
        LOG.info("The space on SSD is stable enough to act on: {}. Nothing to do.", found);
      }
    } else if (logged.changed("settling", "not certain")) {
      LOG.info(
          "The space on SSD is not stable enough to act on, since this master or the NameNode "
              + "has just started, or DataNodes or SSDs came or went: {}. Until it is, a component "
              + "leaves SSD only if SSD refuses a probe block, and none returns. Nothing to do.",
          found);
    }
    look.space()
        .flatMap(certain -> look.headroom().finding(watermarks, certain))
        .filter(finding -> logged.changed("watermarks", kind(finding)))
        .ifPresent(LOG::warn);
    SpaceSnapshot seen = new SpaceSnapshot(look.space(), look.headroom());
    return look.settled() ? seen : seen.unsettled();
  }

  void notSeen() {
    if (!usesSsd) {
      return;
    }
    HybridMetrics.get().count(Metric.SPACE_UNKNOWN);
    HybridMetrics.get().space().unknown(this, standing.size());
  }

  private void publish(SpaceSnapshot seen) {
    SpaceMetrics metrics = HybridMetrics.get().space();
    int demoted = standing.size();
    if (seen.space().isEmpty()) {
      metrics.unknown(this, demoted);
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
        demoted);
  }

  /** Without figures, which change every look, so that a finding is logged once. */
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
        // First, so that the next look repeats what fails below.
        state = state.demote(component, clock.getAsLong());
      }
      if (changePolicies(component, leaves)) {
        LOG.warn(
            "The space monitor changed the policy of {}: new files go {} ({})",
            component.label(),
            leaves
                ? "to DISK until SSD has space again, existing ones stay; free space on SSD"
                : "to SSD again",
            seen);
        changed++;
      }
      if (returns) {
        state = state.restore(component);
        standing.remove(component);
      }
    }
    return changed;
  }

  private boolean changePolicies(Component component, boolean leaves) throws IOException {
    boolean changed = false;
    for (DirectoryRule rule : of(component)) {
      changed |= leaves ? demote(rule) : demoter.restore(rule);
    }
    return changed;
  }

  private List<DirectoryRule> of(Component component) {
    return rules.stream()
        .filter(rule -> rule.component() == component)
        .collect(Collectors.toList());
  }
}
