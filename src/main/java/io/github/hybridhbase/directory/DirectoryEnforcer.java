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
package io.github.hybridhbase.directory;

import io.github.hybridhbase.config.StoragePolicy;
import io.github.hybridhbase.directory.DirectoryAction.Kind;
import io.github.hybridhbase.hdfs.HdfsError;
import io.github.hybridhbase.hdfs.Namespaces;
import io.github.hybridhbase.hdfs.PolicyProvenance;
import io.github.hybridhbase.hdfs.PolicyStatus;
import io.github.hybridhbase.hdfs.Probe;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.metrics.HybridMetrics;
import io.github.hybridhbase.metrics.HybridMetrics.Metric;
import io.github.hybridhbase.placement.DirectoryRule;
import io.github.hybridhbase.space.ProbePendingException;
import io.github.hybridhbase.space.Prober;
import io.github.hybridhbase.space.SsdProbes;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out what a {@link DirectoryPlan} decided, and pins to SSD only after SSD took a probe
 * block. Each action can be cut off anywhere and done again: a policy is put back before its
 * provenance goes, and set after its provenance stands. Stateless but for its collaborators; safe
 * to use from several threads and servers at once, since all of them write the same.
 */
@InterfaceAudience.Private
public final class DirectoryEnforcer {
  private static final Logger LOG = LoggerFactory.getLogger(DirectoryEnforcer.class);

  private final Namespaces namespaces;
  private final long walBlockSize;
  private final boolean proveAlways;
  private final Prober prober;

  /**
   * Makes an enforcer.
   *
   * @param walBlockSize block size of WAL files in bytes, or 0 for twice the file system's default:
   *     a WAL is refused where HDFS has no space for a whole such block
   * @param proveAlways whether SSD must take a probe block even where the policy stands already
   */
  public DirectoryEnforcer(Namespaces namespaces, long walBlockSize, boolean proveAlways) {
    this(namespaces, walBlockSize, proveAlways, Prober.DIRECT);
  }

  /** As the other one, with the probes of a start. */
  DirectoryEnforcer(Namespaces namespaces, long walBlockSize, boolean proveAlways, Prober prober) {
    this.namespaces = namespaces;
    this.walBlockSize = walBlockSize;
    this.proveAlways = proveAlways;
    this.prober = prober;
  }

  /**
   * Looks at each directory, decides about all of them and corrects what differs. Never throws; the
   * results tell, in the order of the rules.
   */
  public List<DirectoryResult> place(List<DirectoryRule> rules) {
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
      found.replaceAll(one -> DirectoryState.unread(one.path(), one.rule(), why));
    }
    return carryOut(DirectoryPlan.of(found, held).actions(), () -> false);
  }

  /**
   * Does all of it, inner directories before outer ones. Never throws; the results tell, in the
   * order of the actions, and a stop leaves out what comes after it.
   */
  public List<DirectoryResult> carryOut(List<DirectoryAction> actions, BooleanSupplier stopped) {
    Map<DirectoryAction, DirectoryResult> results = new HashMap<>();
    List<DirectoryAction> order = new ArrayList<>(actions);
    order.sort(DirectoryAction.ORDER);
    for (DirectoryAction action : order) {
      if (!stopped.getAsBoolean()) {
        results.put(action, carryOut(action));
      }
    }
    return actions.stream().map(results::get).filter(Objects::nonNull).collect(Collectors.toList());
  }

  private DirectoryResult carryOut(DirectoryAction action) {
    try {
      switch (action.kind()) {
        case SET:
          return action.provenance().isPresent() ? set(action) : decideAnew(action);
        case RESTORE:
        case FORGET:
          return putBack(action);
        case RIGHT:
          return proveAlways ? prove(action) : asPlanned(action);
        case CONFLICT:
          if (action.hides().isEmpty()) {
            HybridMetrics.get().count(Metric.POLICY_CONFLICTS);
          }
          return asPlanned(action);
        case FAILED:
          return failed(action, action.reason());
        default:
          return asPlanned(action);
      }
    } catch (ProbePendingException e) {
      return new DirectoryResult(
          action,
          Kind.FAILED,
          e.getMessage() + " New files go where they went before; this is looked at again.");
    } catch (IOException | RuntimeException e) {
      LOG.debug("While placing {}", action, e);
      return failed(action, HdfsError.of(e).explain());
    }
  }

  private static DirectoryResult asPlanned(DirectoryAction action) {
    return new DirectoryResult(action, action.kind(), action.reason());
  }

  private static DirectoryResult failed(DirectoryAction action, String why) {
    if (!Thread.currentThread().isInterrupted()) {
      HybridMetrics.get().count(Metric.PLACEMENT_FAILURES);
    }
    return new DirectoryResult(action, Kind.FAILED, why);
  }

  private StorageNamespace namespace(DirectoryAction action) throws IOException {
    return namespaces
        .of(action.path())
        .orElseThrow(() -> new FileNotFoundException(action.path().toString()));
  }

  /** What is found when its turn comes tells what is to be done. */
  private DirectoryResult decideAnew(DirectoryAction action) throws IOException {
    DirectoryRule rule = action.rule().orElseThrow();
    DirectoryState state = DirectoryReader.look(namespaces, rule);
    if (state.status().isEmpty() && state.trouble().isEmpty() && rule.create()) {
      if (namespaces.held()) {
        return held(action);
      }
      namespace(action).createDirectory(rule.path());
      state = DirectoryReader.look(namespaces, rule);
      if (state.status().isEmpty() && state.trouble().isEmpty()) {
        return new DirectoryResult(action, Kind.ABSENT, "It went as soon as it was made.");
      }
    }
    DirectoryAction now = DirectoryPlan.of(List.of(state), false).of(rule.path()).orElseThrow();
    DirectoryResult result = carryOut(now);
    return new DirectoryResult(action, result.kind(), result.detail());
  }

  private DirectoryResult set(DirectoryAction action) throws IOException {
    StoragePolicy wanted = StoragePolicy.ofId(action.policy()).orElseThrow();
    StorageNamespace namespace = namespace(action);
    Optional<Probe> probe = probe(action, namespace, wanted);
    if (probe.isPresent() && !probe.get().tookSsd()) {
      return new DirectoryResult(action, Kind.NO_SSD, noSsd(probe.get()));
    }
    Optional<DirectoryResult> late = late(action, namespace);
    if (late.isPresent()) {
      return late.get();
    }
    PolicyProvenance provenance = action.provenance().orElseThrow();
    Optional<PolicyProvenance> found = action.state().provenance();
    boolean kept = action.state().keepsProvenance();
    if (kept && !found.equals(Optional.of(provenance))) {
      namespace.setProvenance(action.path(), provenance);
    }
    namespace.setPolicy(action.path(), wanted);
    HybridMetrics.get().count(Metric.POLICIES_SET);
    if (kept && found.isPresent() && !provenance.settled().equals(provenance)) {
      // Else what stood between the two declarations would be taken for ours for ever.
      namespace.setProvenance(action.path(), provenance.settled());
    }
    return new DirectoryResult(action, Kind.SET, (imperfect(probe) + " " + action.reason()).trim());
  }

  /** The others took their time: what was decided may be wrong by now. */
  private Optional<DirectoryResult> late(DirectoryAction action, StorageNamespace namespace)
      throws IOException {
    if (namespaces.held()) {
      return Optional.of(held(action));
    }
    PolicyStatus found = action.state().status().orElseThrow();
    return namespace
            .policy(action.path())
            .filter(now -> now.effective() == found.effective() && now.own() == found.own())
            .isPresent()
        ? Optional.empty()
        : Optional.of(
            new DirectoryResult(
                action, Kind.FAILED, "Its policy changed meanwhile; it is looked at again."));
  }

  private static DirectoryResult held(DirectoryAction action) {
    return new DirectoryResult(action, Kind.HELD, DirectoryDecision.HELD);
  }

  private DirectoryResult putBack(DirectoryAction action) throws IOException {
    Optional<StorageNamespace> namespace = namespaces.of(action.path());
    if (namespace.isEmpty() || namespace.get().policy(action.path()).isEmpty()) {
      return new DirectoryResult(action, action.kind(), "It is gone.");
    }
    // A hold stops what is done by a declaration; an undo is done under one.
    Optional<DirectoryResult> late =
        action.rule().isPresent() ? late(action, namespace.get()) : Optional.empty();
    if (late.isPresent()) {
      return late.get();
    }
    if (action.kind() == Kind.RESTORE) {
      namespace.get().restorePolicy(action.path(), action.policy());
    }
    namespace.get().removeProvenance(action.path());
    return new DirectoryResult(
        action, action.kind(), action.kind() == Kind.FORGET ? action.reason() : "");
  }

  // ---- probes

  private DirectoryResult prove(DirectoryAction action) throws IOException {
    try {
      StoragePolicy declared = action.rule().orElseThrow().policy();
      Optional<Probe> probe = probe(action, namespace(action), declared);
      return probe.isPresent() && !probe.get().tookSsd()
          ? new DirectoryResult(action, Kind.NO_SSD, noSsd(probe.get()))
          : new DirectoryResult(action, Kind.RIGHT, imperfect(probe));
    } catch (ProbePendingException e) {
      // Not known is not refused, and one server less would not help.
      return new DirectoryResult(action, Kind.RIGHT, e.getMessage() + " Its policy stays.");
    }
  }

  private Optional<Probe> probe(
      DirectoryAction action, StorageNamespace namespace, StoragePolicy policy) throws IOException {
    if (!policy.wantsSsd()) {
      return Optional.empty();
    }
    DirectoryRule rule = action.rule().orElseThrow().with(policy);
    long blockSize =
        SsdProbes.blockSize(
            rule.component(), walBlockSize, namespace.defaultBlockSize(rule.path()));
    Probe probe = prober.probe(rule, namespace, policy, blockSize, 0);
    if (!probe.tookSsd()) {
      HybridMetrics.get().count(Metric.PROBES_REFUSED);
    }
    return Optional.of(probe);
  }

  private static String imperfect(Optional<Probe> probe) {
    return probe
        .filter(taken -> !taken.perfect())
        .map(taken -> "Not every replica finds space on SSD: " + taken + ".")
        .orElse("");
  }

  private static String noSsd(Probe probe) {
    return probe
        + ". Check that DataNodes have directories tagged [SSD] in dfs.datanode.data.dir, that"
        + " these have space ('hdfs dfsadmin -report', storage type quotas), and that"
        + " dfs.datanode.round-robin-volume-choosing-policy.additional-available-space is smaller"
        + " than that space.";
  }
}
