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

import io.github.hybridhbase.hdfs.Mark;
import io.github.hybridhbase.hdfs.PolicyStatus;
import io.github.hybridhbase.hdfs.Probe;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.metrics.HybridMetrics;
import io.github.hybridhbase.metrics.HybridMetrics.Metric;
import io.github.hybridhbase.placement.DirectoryRule;
import io.github.hybridhbase.placement.StoragePolicy;
import java.io.IOException;
import java.util.EnumSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives directories their declared policies: reads first, writes only on a difference, and pins to
 * SSD only after SSD took a probe block. Stateless but for its collaborators; safe to use from
 * several servers at once, since all of them write the same.
 */
@InterfaceAudience.Private
public final class DirectoryKeeper {
  private static final Logger LOG = LoggerFactory.getLogger(DirectoryKeeper.class);

  /** What may be so only because of a directory further up. */
  private static final Set<Outcome.Kind> INHERITING =
      EnumSet.of(Outcome.Kind.RIGHT, Outcome.Kind.FOLLOWED);

  /** What changes the policy that directories further down inherit. */
  private static final Set<Outcome.Kind> CHANGED =
      EnumSet.of(Outcome.Kind.SET, Outcome.Kind.YIELDED);

  /** Finds the file system of a directory. */
  @InterfaceAudience.Private
  public interface Namespaces {
    /** Empty where the directory's file system has no storage policies. */
    Optional<StorageNamespace> of(DirectoryRule rule) throws IOException;

    /** Whether an operator's hold stands, so that nothing may be placed. */
    default boolean held() throws IOException {
      return false;
    }
  }

  private final Namespaces namespaces;
  private final long walBlockSize;
  private final boolean proveAlways;
  private final Prober prober;

  /**
   * Makes a keeper.
   *
   * @param walBlockSize block size of WAL files in bytes, or 0 for twice the file system's default:
   *     a WAL is refused where HDFS has no room for a whole such block
   * @param proveAlways whether SSD must take a probe block even where the policy stands already
   */
  public DirectoryKeeper(Namespaces namespaces, long walBlockSize, boolean proveAlways) {
    this(namespaces, walBlockSize, proveAlways, Prober.DIRECT);
  }

  /** As the other one, with the probes of a start. */
  DirectoryKeeper(Namespaces namespaces, long walBlockSize, boolean proveAlways, Prober prober) {
    this.prober = prober;
    this.namespaces = namespaces;
    this.walBlockSize = walBlockSize;
    this.proveAlways = proveAlways;
  }

  /**
   * Looks at each directory and mends what differs. Never throws; the outcomes tell, in the order
   * of the rules.
   *
   * <p>Inner directories come first, so that a policy somebody gave one of them is told from its
   * parent's before the parent gets the same one.
   */
  public List<Outcome> keep(List<DirectoryRule> rules) {
    LinkedList<Outcome> outcomes = new LinkedList<>();
    for (int i = rules.size() - 1; i >= 0; i--) {
      outcomes.addFirst(keep(rules.get(i), outcomes));
    }
    // What was right only because it inherited may not be so any more.
    outcomes.replaceAll(
        outcome ->
            INHERITING.contains(outcome.kind())
                    && outcomes.stream().anyMatch(o -> above(o, outcome))
                ? keep(outcome.rule())
                : outcome);
    return outcomes;
  }

  /** As it is declared, unless that would hide a conflict further down. */
  private Outcome keep(DirectoryRule rule, List<Outcome> inner) {
    List<DirectoryRule> conflicts =
        inner.stream()
            .filter(other -> other.kind() == Outcome.Kind.CONFLICT)
            .map(Outcome::rule)
            .collect(Collectors.toList());
    return (conflicts.isEmpty()
            ? Optional.<DirectoryRule>empty()
            : Hiding.hidden(rule, target(rule), conflicts, this::has))
        .map(hidden -> new Outcome(rule, Outcome.Kind.CONFLICT, Hiding.explain(hidden)))
        .orElseGet(() -> keep(rule));
  }

  /** Id of the policy that the directory is to have, an admin's above it included. */
  private byte target(DirectoryRule rule) {
    try {
      Optional<StorageNamespace> namespace = namespaces.of(rule);
      return namespace.isEmpty()
          ? rule.policy().id()
          : Above.of(namespace.get(), rule).orElse(rule.policy().id());
    } catch (IOException | RuntimeException e) {
      LOG.debug("Could not look above {}", rule, e);
      return rule.policy().id();
    }
  }

  private boolean has(DirectoryRule rule, byte policy) {
    try {
      Optional<StorageNamespace> namespace = namespaces.of(rule);
      return namespace.isPresent()
          && namespace.get().policy(rule.path()).filter(found -> found.own() == policy).isPresent();
    } catch (IOException | RuntimeException e) {
      LOG.debug("Could not look at {}", rule, e);
      return true;
    }
  }

  private static boolean above(Outcome set, Outcome other) {
    return CHANGED.contains(set.kind()) && Hiding.isBelow(other.rule().path(), set.rule().path());
  }

  private Outcome keep(DirectoryRule rule) {
    try {
      Optional<StorageNamespace> namespace = namespaces.of(rule);
      if (namespace.isEmpty()) {
        return new Outcome(
            rule,
            Outcome.Kind.NO_POLICIES,
            "The file system has no storage policies. Put hbase.rootdir and hbase.wal.dir on HDFS,"
                + " or set hbase.hybrid.mode=off.");
      }
      return namespaces.held() ? held(rule) : keep(rule, namespace.get());
    } catch (NotYetException e) {
      return new Outcome(
          rule,
          Outcome.Kind.FAILED,
          e.getMessage() + " New files go where they went before; this is looked at again.");
    } catch (IOException | RuntimeException e) {
      LOG.debug("While placing {}", rule, e);
      if (!Thread.currentThread().isInterrupted()) {
        HybridMetrics.get().count(Metric.PLACEMENT_FAILURES);
      }
      return new Outcome(rule, Outcome.Kind.FAILED, Refusal.explain(e));
    }
  }

  private Outcome keep(DirectoryRule rule, StorageNamespace namespace) throws IOException {
    Optional<PolicyStatus> found = namespace.policy(rule.path());
    if (found.isEmpty()) {
      if (!rule.create()) {
        return new Outcome(rule, Outcome.Kind.ABSENT, "");
      }
      namespace.createDirectory(rule.path());
      found = namespace.policy(rule.path());
      if (found.isEmpty()) {
        return new Outcome(rule, Outcome.Kind.ABSENT, "It went as soon as it was made.");
      }
    }
    Optional<Byte> above = Above.of(namespace, rule);
    Optional<Mark> mark = Optional.empty();
    boolean markable = true;
    if (found.get().effective() != above.orElse(rule.policy().id())) {
      try {
        mark = namespace.mark(rule.path());
      } catch (IOException e) {
        if (!Refusal.noXattrs(e)) {
          throw e;
        }
        LOG.debug("No mark can be read on {}", rule.path(), e);
        markable = false;
      }
    }
    PolicyDecision decision = PolicyDecision.decide(rule.policy(), above, found.get(), mark);
    switch (decision.kind()) {
      case CONFLICT:
        HybridMetrics.get().count(Metric.POLICY_CONFLICTS);
        return new Outcome(rule, Outcome.Kind.CONFLICT, conflict(rule, found.get()));
      case GUARDED:
        return new Outcome(
            rule, Outcome.Kind.GUARDED, "The guard turns it back when SSD has room.");
      case FOLLOWED:
        return followed(rule, Outcome.Kind.FOLLOWED, above.get());
      case YIELD:
        namespace.restorePolicy(rule.path(), mark.get().before());
        namespace.removeMark(rule.path());
        return followed(rule, Outcome.Kind.YIELDED, above.get());
      case RIGHT:
        return proveAlways ? prove(rule, namespace) : new Outcome(rule, Outcome.Kind.RIGHT, "");
      default:
        DirectoryRule wanted = rule.with(decision.policy());
        Outcome outcome = set(wanted, namespace, found.get(), mark, decision.mark(), markable);
        return new Outcome(rule, outcome.kind(), outcome.detail());
    }
  }

  private static Outcome followed(DirectoryRule rule, Outcome.Kind kind, byte above) {
    return new Outcome(
        rule, kind, Above.explain(rule, above) + " " + Above.mend(rule, above) + ".");
  }

  private Outcome prove(DirectoryRule rule, StorageNamespace namespace) throws IOException {
    Optional<Probe> probe;
    try {
      probe = probe(rule, namespace);
    } catch (NotYetException e) {
      // Not known is not refused, and one server less would not mend it.
      return new Outcome(rule, Outcome.Kind.RIGHT, e.getMessage() + " Its policy stays.");
    }
    return probe.isPresent() && !probe.get().tookSsd()
        ? new Outcome(rule, Outcome.Kind.NO_SSD, noSsd(probe.get()))
        : new Outcome(rule, Outcome.Kind.RIGHT, imperfect(probe));
  }

  private static String imperfect(Optional<Probe> probe) {
    return probe
        .filter(taken -> !taken.perfect())
        .map(taken -> "Not every replica finds room on SSD: " + taken + ".")
        .orElse("");
  }

  private Outcome set(
      DirectoryRule rule,
      StorageNamespace namespace,
      PolicyStatus found,
      Optional<Mark> mark,
      Mark wanted,
      boolean markable)
      throws IOException {
    Optional<Probe> probe = probe(rule, namespace);
    if (probe.isPresent()) {
      if (!probe.get().tookSsd()) {
        return new Outcome(rule, Outcome.Kind.NO_SSD, noSsd(probe.get()));
      }
      // The probe took its time.
      if (namespaces.held()) {
        return held(rule);
      }
      boolean same =
          namespace
              .policy(rule.path())
              .filter(now -> now.effective() == found.effective() && now.own() == found.own())
              .isPresent();
      if (!same) {
        return new Outcome(
            rule, Outcome.Kind.FAILED, "Its policy changed meanwhile; it is looked at again.");
      }
    }
    String detail = imperfect(probe);
    if (mark.isPresent() && mark.get().set() == rule.policy().id()) {
      detail +=
          " It had lost the policy that the plugin gave it. To keep it away, set "
              + rule.component().policyKey()
              + ".";
    }
    if (markable && !mark.equals(Optional.of(wanted))) {
      namespace.setMark(rule.path(), wanted);
    }
    namespace.setPolicy(rule.path(), rule.policy());
    HybridMetrics.get().count(Metric.POLICIES_SET);
    if (markable && mark.isPresent() && !wanted.settled().equals(wanted)) {
      // Else what stood between the two declarations would be taken for ours for ever.
      namespace.setMark(rule.path(), wanted.settled());
    }
    if (!markable) {
      detail +=
          " No mark could be left beside the policy, so 'revert' cannot know what stood here"
              + " before. Set dfs.namenode.xattrs.enabled=true on the NameNode.";
    }
    return new Outcome(rule, Outcome.Kind.SET, detail.trim());
  }

  private static Outcome held(DirectoryRule rule) {
    return new Outcome(
        rule,
        Outcome.Kind.HELD,
        "A hold stands, so nothing is placed. 'hbase-hybrid apply' lifts it.");
  }

  private Optional<Probe> probe(DirectoryRule rule, StorageNamespace namespace) throws IOException {
    if (!rule.policy().wantsSsd()) {
      return Optional.empty();
    }
    Probe probe = prober.probe(rule, namespace, rule.policy(), blockSize(rule, namespace), 0);
    if (!probe.tookSsd()) {
      HybridMetrics.get().count(Metric.PROBES_REFUSED);
    }
    return Optional.of(probe);
  }

  private long blockSize(DirectoryRule rule, StorageNamespace namespace) throws IOException {
    return SsdGate.blockSize(
        rule.component(), walBlockSize, namespace.defaultBlockSize(rule.path()));
  }

  private static String noSsd(Probe probe) {
    return probe
        + ". Check that DataNodes have directories tagged [SSD] in dfs.datanode.data.dir, that"
        + " these have room ('hdfs dfsadmin -report', storage type quotas), and that"
        + " dfs.datanode.round-robin-volume-choosing-policy.additional-available-space is smaller"
        + " than that room.";
  }

  private static String conflict(DirectoryRule rule, PolicyStatus found) {
    return "It has the policy "
        + StoragePolicy.describe(found.own())
        + ", which the plugin did not set and leaves alone. Either set "
        + rule.component().policyKey()
        + " to it (or to NONE), or run 'hdfs storagepolicies -unsetStoragePolicy -path "
        + rule.path().toUri().getPath()
        + "'.";
  }
}
