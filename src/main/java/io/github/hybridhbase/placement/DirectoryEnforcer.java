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
import io.github.hybridhbase.hdfs.Namespaces;
import io.github.hybridhbase.hdfs.PlacedDirectory;
import io.github.hybridhbase.hdfs.PolicyProvenance;
import io.github.hybridhbase.hdfs.Probe;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.hdfs.StorageNamespace.PolicyStatus;
import io.github.hybridhbase.placement.DirectoryAction.Kind;
import io.github.hybridhbase.report.FindingId;
import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.Layout.DirectoryRule;
import io.github.hybridhbase.runtime.Metric;
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.runtime.WalFiles;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An executor of a {@link DirectoryPlan}, which sets an SSD policy only after SSD accepted a probe
 * block. Each action may be cut off anywhere and repeated. Safe for several threads and servers at
 * once: all write the same.
 */
@InterfaceAudience.Private
public final class DirectoryEnforcer {
  private static final Logger LOG = LoggerFactory.getLogger(DirectoryEnforcer.class);
  private static final String GONE = "It is gone.";
  private static final String DONE = "Its record went meanwhile; nothing is left to undo.";
  private static final String CHANGED = "Its policy changed meanwhile; it is looked at again.";
  private static final String CHANGED_UNDER_TOOL = "It keeps changing; run this again.";

  /**
   * Looks after the first: another server's change is up to three writes, each seen by one look.
   */
  private static final int MORE_LOOKS = 4;

  private final Namespaces namespaces;
  private final boolean proveAlways;
  private final By by;
  private final ProbeBudget probes;
  private final long walBlockSize;

  enum By {
    /** The active master, whose declaration is the cluster's. */
    MASTER,
    /** A RegionServer, which changes nothing that a record declares otherwise. */
    SERVER,
    /** A command, whose declaration counts as the master's. */
    TOOL
  }

  /**
   * @param walBlockSize in bytes, by which HDFS judges space; 0 for twice the file system's default
   * @param proveAlways whether to probe SSD even if the policy is in force
   */
  public DirectoryEnforcer(Namespaces namespaces, long walBlockSize, boolean proveAlways) {
    this(namespaces, walBlockSize, proveAlways, ProbeBudget.unlimited(), By.MASTER);
  }

  DirectoryEnforcer(
      Namespaces namespaces, long walBlockSize, boolean proveAlways, ProbeBudget probes, By by) {
    this.namespaces = namespaces;
    this.walBlockSize = walBlockSize;
    this.proveAlways = proveAlways;
    this.probes = probes;
    this.by = by;
  }

  /** For a command: what it creates belongs to the owner of the directory above. */
  public static DirectoryEnforcer ofTool(Namespaces namespaces, long walBlockSize) {
    return new DirectoryEnforcer(namespaces, walBlockSize, false, ProbeBudget.unlimited(), By.TOOL);
  }

  /** Reads, decides and corrects. Never throws; one result per rule, in their order. */
  public List<DirectoryAction.Result> place(List<DirectoryRule> rules) {
    List<DirectoryState> found =
        rules.stream()
            .map(rule -> DirectoryReader.look(namespaces, rule))
            .collect(Collectors.toList());
    boolean held = false;
    try {
      held = namespaces.held();
    } catch (IOException | RuntimeException e) {
      LOG.debug("Could not ask for a hold", e);
      String why = HdfsError.of(e).explain();
      found.replaceAll(
          one -> one.hasPolicies() ? DirectoryState.unread(one.path(), one.rule(), why) : one);
    }
    List<DirectoryAction> actions = DirectoryPlan.of(found, held).actions();
    List<DirectoryAction.Result> results = carryOut(actions, () -> false);
    if (actions.stream().anyMatch(DirectoryAction::creates)) {
      results.replaceAll(one -> one.kind() == Kind.ABSENT ? carryOut(one.action(), true) : one);
    }
    return results;
  }

  /**
   * Carries out the actions, inner directories first. Never throws; the results are in the order of
   * the actions, without those after a stop.
   */
  public List<DirectoryAction.Result> carryOut(
      List<DirectoryAction> actions, BooleanSupplier stopped) {
    Map<DirectoryAction, DirectoryAction.Result> results = new HashMap<>();
    List<DirectoryAction> order = new ArrayList<>(actions);
    order.sort(DirectoryAction.ORDER);
    for (DirectoryAction action : order) {
      if (!stopped.getAsBoolean()) {
        results.put(action, carryOut(action, false));
      }
    }
    return actions.stream().map(results::get).filter(Objects::nonNull).collect(Collectors.toList());
  }

  /**
   * Repeats the decision if the directory changed since it was read: another server may be doing
   * the same.
   *
   * @param anew whether the observed state is known to be obsolete
   */
  private DirectoryAction.Result carryOut(DirectoryAction action, boolean anew) {
    try {
      Optional<DirectoryAction.Result> done = anew ? Optional.empty() : asFound(action);
      for (int look = 0; done.isEmpty() && look < MORE_LOOKS; look++) {
        done = decideAnew(action);
      }
      String why = by == By.TOOL ? CHANGED_UNDER_TOOL : CHANGED;
      return done.orElseGet(() -> new DirectoryAction.Result(action, Kind.FAILED, why));
    } catch (IOException | RuntimeException e) {
      LOG.debug("While placing {}", action, e);
      HdfsError error = HdfsError.of(e);
      return failed(action, error.explain());
    }
  }

  /** Empty, and nothing is written, if the directory changed since it was read. */
  private Optional<DirectoryAction.Result> asFound(DirectoryAction action) throws IOException {
    switch (action.kind()) {
      case SET:
        return action.provenance().isPresent() ? set(action) : decideAnew(action);
      case RESTORE:
      case FORGET:
        return restore(action);
      case RIGHT:
        return Optional.of(proveAlways ? prove(action) : asPlanned(action));
      case CONFLICT:
        if (action.hides().isEmpty()) {
          HybridMetrics.get().count(Metric.POLICY_CONFLICTS);
        }
        return Optional.of(asPlanned(action));
      case FAILED:
        return Optional.of(failed(action, action.reason()));
      default:
        return Optional.of(asPlanned(action));
    }
  }

  private Optional<Probe> probe(
      DirectoryAction action, StorageNamespace namespace, StoragePolicy policy) throws IOException {
    if (!policy.wantsSsd()) {
      return Optional.empty();
    }
    DirectoryRule rule = action.rule().orElseThrow().with(policy);
    long blockSize =
        WalFiles.blockSize(rule.component(), walBlockSize, namespace.defaultBlockSize(rule.path()));
    Probe probe = probes.probe(rule, namespace, policy, blockSize, 0);
    if (!probe.isUnknown() && !probe.tookSsd()) {
      HybridMetrics.get().count(Metric.PROBES_REFUSED);
    }
    return Optional.of(probe);
  }

  private DirectoryAction.Result prove(DirectoryAction action) throws IOException {
    Optional<Probe> probe = probe(action, namespace(action), action.rule().orElseThrow().policy());
    if (probe.isPresent() && probe.get().isUnknown()) {
      // Unknown is not refused, and stopping the server would not help.
      return new DirectoryAction.Result(action, Kind.RIGHT, probe.get() + " Its policy stays.");
    }
    return probe.isPresent() && !probe.get().tookSsd()
        ? refused(action, probe.get())
        : new DirectoryAction.Result(action, Kind.RIGHT, imperfect(probe));
  }

  private static String imperfect(Optional<Probe> probe) {
    return probe
        .filter(taken -> !taken.perfect())
        .map(taken -> "Not every replica finds space on SSD: " + taken + ".")
        .orElse("");
  }

  private static DirectoryAction.Result refused(DirectoryAction action, Probe probe) {
    return new DirectoryAction.Result(
        action,
        Kind.NO_SSD,
        probe
            + ". Check that DataNodes have directories tagged [SSD] in dfs.datanode.data.dir with"
            + " space ('hdfs dfsadmin -report', storage type quotas). "
            + FindingId.SPARE_SPACE.remedy());
  }

  private static DirectoryAction.Result asPlanned(DirectoryAction action) {
    return new DirectoryAction.Result(action, action.kind(), action.reason());
  }

  private static DirectoryAction.Result failed(DirectoryAction action, String why) {
    if (!Thread.currentThread().isInterrupted()) {
      HybridMetrics.get().count(Metric.PLACEMENT_FAILURES);
    }
    return new DirectoryAction.Result(action, Kind.FAILED, why);
  }

  private StorageNamespace namespace(DirectoryAction action) throws IOException {
    return namespaces
        .of(action.path())
        .orElseThrow(() -> new FileNotFoundException(action.path().toString()));
  }

  private Optional<DirectoryAction.Result> decideAnew(DirectoryAction action) throws IOException {
    boolean create = action.rule().filter(DirectoryRule::create).isPresent();
    DirectoryState state = look(action);
    if (create && isAbsent(state)) {
      if (namespaces.held()) {
        return Optional.of(held(action));
      }
      if (by == By.TOOL) {
        namespace(action).createDirectoryForOwner(action.path());
      } else {
        namespace(action).createDirectory(action.path());
      }
      state = look(action);
      if (isAbsent(state)) {
        return Optional.of(
            new DirectoryAction.Result(action, Kind.ABSENT, "It went as soon as it was made."));
      }
    }
    Optional<DirectoryAction> now = DirectoryPlan.of(List.of(state), false).of(action.path());
    return now.isPresent()
        ? asFound(now.get()).map(result -> result.of(action))
        : Optional.of(
            new DirectoryAction.Result(action, action.kind(), isAbsent(state) ? GONE : DONE));
  }

  private DirectoryState look(DirectoryAction action) throws IOException {
    return DirectoryReader.look(namespaces, action.path(), action.rule(), true);
  }

  private static boolean isAbsent(DirectoryState state) {
    return state.status().isEmpty() && state.trouble().isEmpty();
  }

  private Optional<DirectoryAction.Result> set(DirectoryAction action) throws IOException {
    StoragePolicy wanted = StoragePolicy.ofId(action.policy()).orElseThrow();
    StorageNamespace namespace = namespace(action);
    Optional<DirectoryAction.Result> declaredOtherwise = declaredOtherwise(action, wanted);
    if (declaredOtherwise.isPresent()) {
      HybridMetrics.get().count(Metric.POLICY_CONFLICTS);
      return declaredOtherwise;
    }
    Optional<Probe> probe = probe(action, namespace, wanted);
    if (probe.isPresent() && probe.get().isUnknown()) {
      String why = probe.get() + " New files go where they went before; this is looked at again.";
      return Optional.of(new DirectoryAction.Result(action, Kind.FAILED, why));
    }
    if (probe.isPresent() && !probe.get().tookSsd()) {
      return Optional.of(refused(action, probe.get()));
    }
    if (namespaces.held()) {
      return Optional.of(held(action));
    }
    if (changed(action, namespace)) {
      return Optional.empty();
    }
    PolicyProvenance provenance = action.provenance().orElseThrow();
    PlacedDirectory directory = new PlacedDirectory(namespaces, namespace, action.path());
    if (!directory.set(wanted, action.state().record(), provenance)) {
      return Optional.of(held(action));
    }
    HybridMetrics.get().count(Metric.POLICIES_SET);
    String detail = imperfect(probe) + " " + action.reason();
    return Optional.of(new DirectoryAction.Result(action, Kind.SET, detail.trim()));
  }

  /** If the record has another policy than this server declares. */
  private Optional<DirectoryAction.Result> declaredOtherwise(
      DirectoryAction action, StoragePolicy wanted) {
    return action
        .state()
        .provenance()
        .filter(record -> by == By.SERVER && record.set() != wanted.id())
        .map(
            record ->
                new DirectoryAction.Result(
                    action,
                    Kind.DECLARED_OTHERWISE,
                    String.format(
                        Locale.ROOT,
                        "This server's site file declares %s, the cluster has %s, which stays: the"
                            + " active master's declaration is the cluster's. Give all servers one"
                            + " value of %s and restart the masters first; or run 'hbase-hybrid"
                            + " apply' if no master runs the plugin.",
                        wanted,
                        StoragePolicy.describe(record.set()),
                        action.rule().orElseThrow().component().policyKey())));
  }

  /**
   * Whether the directory changed since. An unreadable record must not be overwritten: it throws.
   */
  private static boolean changed(DirectoryAction action, StorageNamespace namespace)
      throws IOException {
    DirectoryState state = action.state();
    PolicyStatus found = state.status().orElseThrow();
    return namespace
            .policy(action.path())
            .filter(now -> now.effective() == found.effective() && now.own() == found.own())
            .isEmpty()
        || (state.keepsProvenance()
            && !namespace.read(PolicyProvenance.RECORD, action.path()).equals(state.record()));
  }

  private static DirectoryAction.Result held(DirectoryAction action) {
    return new DirectoryAction.Result(action, Kind.HELD, DirectoryDecision.HELD);
  }

  private Optional<DirectoryAction.Result> restore(DirectoryAction action) throws IOException {
    Optional<StorageNamespace> namespace = namespaces.of(action.path());
    if (namespace.isEmpty() || namespace.get().policy(action.path()).isEmpty()) {
      return Optional.of(new DirectoryAction.Result(action, action.kind(), GONE));
    }
    // A hold stops a declaration's changes, but not an undo.
    if (action.rule().isPresent() && namespaces.held()) {
      return Optional.of(held(action));
    }
    if (changed(action, namespace.get())) {
      return Optional.empty();
    }
    PlacedDirectory directory = new PlacedDirectory(namespaces, namespace.get(), action.path());
    if (action.kind() == Kind.RESTORE) {
      directory.restore(action.policy(), action.state().provenance().orElseThrow());
    } else {
      directory.forget();
    }
    String detail = action.kind() == Kind.FORGET ? action.reason() : "";
    return Optional.of(new DirectoryAction.Result(action, action.kind(), detail));
  }
}
