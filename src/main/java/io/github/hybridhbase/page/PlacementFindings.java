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
package io.github.hybridhbase.page;

import io.github.hybridhbase.hdfs.SsdSpace;
import io.github.hybridhbase.placement.ClusterLook;
import io.github.hybridhbase.placement.Diagnosis;
import io.github.hybridhbase.placement.SpaceLook;
import io.github.hybridhbase.placement.TierState;
import io.github.hybridhbase.report.Finding;
import io.github.hybridhbase.report.FindingId;
import io.github.hybridhbase.runtime.Component;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.Mode;
import io.github.hybridhbase.runtime.Text;
import io.github.hybridhbase.scan.ScanChore.ScanTurn;
import io.github.hybridhbase.scan.ScanReport;
import io.github.hybridhbase.scan.ScanReport.Anomaly;
import io.github.hybridhbase.scan.ScanReport.Sample;
import io.github.hybridhbase.scan.TierTotals;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.yetus.audience.InterfaceAudience;

/** A pure function from a snapshot to its findings and unknowns. */
@InterfaceAudience.Private
public final class PlacementFindings {
  private final PlacementSnapshot snapshot;
  private final ClusterLook look;
  private final HybridSettings settings;
  private final Mode mode;
  private final Diagnosis all = new Diagnosis();

  /** DataNodes. */
  private final int inMaintenance;

  private PlacementFindings(PlacementSnapshot snapshot, Stream<SsdSpace> spaces) {
    this.snapshot = snapshot;
    this.look = snapshot.look;
    this.settings = snapshot.settings;
    this.mode = settings.mode();
    this.inMaintenance = spaces.mapToInt(space -> space.inMaintenance).max().orElse(0);
  }

  public static Diagnosis of(PlacementSnapshot snapshot) {
    PlacementFindings of =
        new PlacementFindings(
            snapshot, snapshot.look.spaces().stream().flatMap(space -> space.read().stream()));
    of.missing();
    of.all.addAll(snapshot.others);
    of.spaces();
    snapshot.scan.ifPresent(of::scanned);
    return of.all;
  }

  /**
   * Of the walk alone, for whoever has looked at the rest.
   *
   * @param space empty if unreadable
   */
  public static Diagnosis ofScan(PlacementSnapshot snapshot, Optional<SsdSpace> space) {
    PlacementFindings of = new PlacementFindings(snapshot, space.stream());
    of.all.addAll(snapshot.others);
    of.scanned(snapshot.scan.orElseThrow());
    return of.all;
  }

  private void missing() {
    if (snapshot.scan.isEmpty()) {
      all.missing("where the blocks are. " + snapshot.noScan);
    } else if (!snapshot.scan.get().complete()) {
      all.missing("the rest of the files. The scan ended early");
    } else if (!snapshot.noScan.isEmpty()) {
      all.missing("where the blocks are now. " + snapshot.noScan);
    }
    look.spaces().forEach(space -> snapshot.stale(space).ifPresent(all::missing));
  }

  private void spaces() {
    boolean declared =
        mode != Mode.OFF
            && Arrays.stream(Component.values()).anyMatch(one -> settings.policy(one).wantsSsd());
    for (SpaceLook space : look.asked()) {
      if (declared) {
        space.findings().forEach(all::add);
      }
      if (space.read().isEmpty()) {
        String unread = "the space on SSD. " + space.trouble();
        if (declared) {
          all.missing(unread);
        } else {
          all.unchecked(unread);
        }
      }
    }
  }

  private void scanned(ScanTurn turn) {
    tier(turn.tier());
    for (Component component : Component.values()) {
      blocks(turn.report(), component);
    }
    anomalies(turn.report());
  }

  private void tier(TierTotals tier) {
    String root = snapshot.layout.root().toUri().getPath();
    look.grant()
        .filter(state -> !state.open())
        .ifPresent(state -> all.add(FindingId.TIER_CLOSED, root, state.why()));
    if (tier.overdueFiles() > 0 && look.grant().filter(TierState::drains).isPresent()) {
      all.add(FindingId.TIER_OVERDUE, root, tier.overdueFiles(), Text.bytes(tier.overdueBytes()));
    }
  }

  private void blocks(ScanReport scan, Component component) {
    Sample misplaced = scan.misplaced(component);
    if (misplaced.count() > 0) {
      long bytes = scan.all(component).misplacedBytes();
      all.add(
          Finding.of(
                  FindingId.MISPLACED,
                  component.label(),
                  Text.count(misplaced.count(), "file"),
                  scan.open(component).misplacedFiles(),
                  Text.bytes(bytes),
                  examples(misplaced))
              .about(misplaced.examples())
              .forSsd(settings.policy(component).wantsSsd())
              .withWeight(bytes));
    }
    Sample lacking = scan.underReplicated(component);
    if (lacking.count() > 0) {
      long blocks = scan.closed(component).underReplicatedBlocks();
      boolean hidden = scan.mostMissing(component) <= inMaintenance;
      all.add(
          Finding.of(
                  hidden ? FindingId.REPLICAS_IN_MAINTENANCE : FindingId.UNDER_REPLICATED,
                  component.label(),
                  Text.count(blocks, "block"),
                  Text.count(lacking.count(), "closed file"),
                  examples(lacking))
              .about(lacking.examples())
              .forSsd(settings.policy(component).wantsSsd())
              .withWeight(blocks));
    }
  }

  private void anomalies(ScanReport scan) {
    odd(scan, Anomaly.POLICY_ABOVE, FindingId.POLICY_ABOVE);
    odd(scan, Anomaly.HELD_ON_SSD, FindingId.HELD_ON_SSD);
    odd(scan, Anomaly.OWN_POLICY, FindingId.OWN_POLICY);
    odd(scan, Anomaly.ERASURE_CODED, FindingId.ERASURE_CODED);
    Sample unread = scan.anomaly(Anomaly.UNREADABLE);
    if (unread.count() > 0) {
      all.add(
          Finding.of(
                  FindingId.UNREADABLE,
                  subject(unread),
                  unread.count() + " directories (" + examples(unread) + ").")
              .withWeight(unread.count()));
    }
  }

  private void odd(ScanReport scan, Anomaly anomaly, FindingId id) {
    Sample sample = scan.anomaly(anomaly);
    if (sample.count() > 0) {
      all.add(
          Finding.of(id, subject(sample), sample.count(), examples(sample))
              .about(paths(sample))
              .withWeight(sample.count()));
    }
  }

  /** Without the policy that follows in brackets. */
  private static List<String> paths(Sample sample) {
    return sample.examples().stream()
        .map(one -> one.replaceFirst(" \\([^)]*\\)$", ""))
        .collect(Collectors.toList());
  }

  private static String subject(Sample sample) {
    String more = sample.count() > 1 ? " and " + (sample.count() - 1) + " more" : "";
    return sample.examples().get(0) + more;
  }

  private static String examples(Sample sample) {
    String list = String.join(", ", sample.examples());
    return sample.count() > sample.examples().size() ? "the first: " + list + ", ..." : list;
  }
}
