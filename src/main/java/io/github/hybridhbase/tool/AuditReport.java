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
package io.github.hybridhbase.tool;

import io.github.hybridhbase.hdfs.Hold;
import io.github.hybridhbase.hdfs.TierState;
import io.github.hybridhbase.placement.DirectoryState;
import io.github.hybridhbase.placement.ServerReports;
import io.github.hybridhbase.placement.WalServers;
import io.github.hybridhbase.report.Finding;
import io.github.hybridhbase.report.Verdict;
import io.github.hybridhbase.runtime.Component;
import io.github.hybridhbase.runtime.Layout;
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.scan.Expectation;
import io.github.hybridhbase.scan.ScanReport;
import io.github.hybridhbase.scan.TierTotals;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;

/** The observations of an audit or of the master's scan. */
@InterfaceAudience.Private
public final class AuditReport {
  private List<Path> otherRoots = List.of();
  private final Layout layout;
  private final Expectation expectation;
  private final Optional<Hold> hold;
  private final List<DirectoryState> found;
  private final ScanReport scan;
  private final Optional<String> table;
  private final Map<Component, LocalShare> local = new EnumMap<>(Component.class);
  private Optional<String> localUnknown = Optional.empty();
  private List<String> unseen = List.of();
  private Optional<TierState> tierState = Optional.empty();
  private Optional<String> waiting = Optional.empty();
  private TierTotals tier = new TierTotals(0, 0, 0);
  private ServerReports serverReports = ServerReports.NONE;
  private List<String> withoutSsd = List.of();
  private List<Finding> foreign = List.of();
  private List<Finding> more = List.of();
  private WalServers walServers = WalServers.NONE;
  private OptionalLong ssdUsed = OptionalLong.empty();
  private boolean stopped;

  /**
   * @param table the only table that was read; empty for all
   */
  public AuditReport(
      Layout layout,
      Expectation expectation,
      Optional<Hold> hold,
      List<DirectoryState> found,
      ScanReport scan,
      Optional<String> table) {
    this.layout = layout;
    this.expectation = expectation;
    this.hold = hold;
    this.found = found;
    this.scan = scan;
    this.table = table;
  }

  void local(Component component, LocalShare share) {
    local.put(component, share);
  }

  void localUnknown(String why) {
    localUnknown = Optional.of(why);
  }

  public void unseen(List<String> texts) {
    unseen = List.copyOf(texts);
  }

  List<String> unseen() {
    return unseen;
  }

  public void stopped(boolean early) {
    stopped = early;
  }

  List<Path> otherRoots() {
    return otherRoots;
  }

  void otherRoots(List<Path> roots) {
    otherRoots = List.copyOf(roots);
  }

  Optional<TierState> tierState() {
    return tierState;
  }

  public void tierState(Optional<TierState> state) {
    this.tierState = state;
  }

  TierTotals tier() {
    return tier;
  }

  public void tier(TierTotals totals) {
    this.tier = totals;
  }

  List<Finding> foreign() {
    return foreign;
  }

  void foreign(List<Finding> records) {
    this.foreign = List.copyOf(records);
  }

  ServerReports serverReports() {
    return serverReports;
  }

  public void serverReports(ServerReports nodes) {
    this.serverReports = nodes;
  }

  /** DataNodes in service that have no SSD, as far as known. */
  List<String> withoutSsd() {
    return withoutSsd;
  }

  public void withoutSsd(List<String> nodes) {
    this.withoutSsd = List.copyOf(nodes);
  }

  /** Bytes on SSD by HDFS's own count; empty if it is not known, or the audit is of one table. */
  OptionalLong ssdUsed() {
    return ssdUsed;
  }

  void ssdUsed(OptionalLong bytes) {
    this.ssdUsed = bytes;
  }

  /**
   * Bytes on SSD that no row has: what is not HBase's, and what HDFS snapshots hold. Empty if that
   * is not known.
   */
  OptionalLong ssdElsewhere() {
    long seen = 0;
    for (Component component : Component.values()) {
      seen += scan.closed(component).ssdBytes() + scan.open(component).ssdBytes();
    }
    return ssdUsed.isPresent()
        ? OptionalLong.of(Math.max(0, ssdUsed.getAsLong() - seen))
        : OptionalLong.empty();
  }

  List<Finding> more() {
    return more;
  }

  public void more(List<Finding> findings) {
    this.more = List.copyOf(findings);
  }

  WalServers walServers() {
    return walServers;
  }

  public void walServers(WalServers servers) {
    this.walServers = servers;
  }

  /** The verdict on these findings, which is not known if the walk ended early. */
  Verdict verdict(List<Finding> findings) {
    return new Verdict(
        Verdict.View.AUDIT, findings, stopped ? List.of("the rest of the files") : List.of());
  }

  Optional<String> waiting() {
    return waiting;
  }

  public void waiting(Optional<String> what) {
    this.waiting = what;
  }

  Layout layout() {
    return layout;
  }

  Expectation expectation() {
    return expectation;
  }

  Optional<Hold> hold() {
    return hold;
  }

  List<DirectoryState> found() {
    return found;
  }

  ScanReport scan() {
    return scan;
  }

  Set<String> inForce(Component component) {
    Set<String> policies = new TreeSet<>();
    for (DirectoryState state : found) {
      boolean its = layout.componentOfDirectory(state.path()).filter(component::equals).isPresent();
      if (its && state.status().isPresent()) {
        policies.add(StoragePolicy.describe(state.status().get().effective()));
      }
    }
    return policies;
  }

  Optional<String> table() {
    return table;
  }

  Map<Component, LocalShare> local() {
    return local;
  }

  Optional<String> localUnknown() {
    return localUnknown;
  }

  boolean stopped() {
    return stopped;
  }
}
