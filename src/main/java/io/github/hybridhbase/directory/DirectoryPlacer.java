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
import io.github.hybridhbase.hdfs.HdfsError;
import io.github.hybridhbase.hdfs.HdfsErrorKind;
import io.github.hybridhbase.hdfs.PlacementNamespaces;
import io.github.hybridhbase.hdfs.PolicyProvenance;
import io.github.hybridhbase.hdfs.PolicyStatus;
import io.github.hybridhbase.hdfs.Probe;
import io.github.hybridhbase.hdfs.RootPolicy;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.metrics.HybridMetrics;
import io.github.hybridhbase.metrics.HybridMetrics.Metric;
import io.github.hybridhbase.placement.DirectoryRule;
import io.github.hybridhbase.space.ProbePendingException;
import io.github.hybridhbase.space.Prober;
import io.github.hybridhbase.space.SsdProbes;
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
public final class DirectoryPlacer {
  private static final Logger LOG = LoggerFactory.getLogger(DirectoryPlacer.class);

  /** What may be so only because of a directory further up. */
  private static final Set<DirectoryResult.Kind> INHERITING =
      EnumSet.of(DirectoryResult.Kind.RIGHT, DirectoryResult.Kind.FOLLOWED);

  /** What changes the policy that directories further down inherit. */
  private static final Set<DirectoryResult.Kind> CHANGED =
      EnumSet.of(DirectoryResult.Kind.SET, DirectoryResult.Kind.YIELDED);

  private final PlacementNamespaces namespaces;
  private final long walBlockSize;
  private final boolean proveAlways;
  private final Prober prober;

  /**
   * Makes a placer.
   *
   * @param walBlockSize block size of WAL files in bytes, or 0 for twice the file system's default:
   *     a WAL is refused where HDFS has no space for a whole such block
   * @param proveAlways whether SSD must take a probe block even where the policy stands already
   */
  public DirectoryPlacer(PlacementNamespaces namespaces, long walBlockSize, boolean proveAlways) {
    this(namespaces, walBlockSize, proveAlways, Prober.DIRECT);
  }

  /** As the other one, with the probes of a start. */
  DirectoryPlacer(
      PlacementNamespaces namespaces, long walBlockSize, boolean proveAlways, Prober prober) {
    this.prober = prober;
    this.namespaces = namespaces;
    this.walBlockSize = walBlockSize;
    this.proveAlways = proveAlways;
  }

  /**
   * Looks at each directory and corrects what differs. Never throws; the outcomes tell, in the
   * order of the rules.
   *
   * <p>Inner directories come first, so that a policy somebody gave one of them is told from its
   * parent's before the parent gets the same one.
   */
  public List<DirectoryResult> place(List<DirectoryRule> rules) {
    LinkedList<DirectoryResult> results = new LinkedList<>();
    for (int i = rules.size() - 1; i >= 0; i--) {
      results.addFirst(place(rules.get(i), results));
    }
    // What was right only because it inherited may not be so any more.
    results.replaceAll(
        result ->
            INHERITING.contains(result.kind()) && results.stream().anyMatch(o -> above(o, result))
                ? place(result.rule())
                : result);
    return results;
  }

  /** As it is declared, unless that would hide a conflict further down. */
  private DirectoryResult place(DirectoryRule rule, List<DirectoryResult> inner) {
    List<DirectoryRule> conflicts =
        inner.stream()
            .filter(other -> other.kind() == DirectoryResult.Kind.CONFLICT)
            .map(DirectoryResult::rule)
            .collect(Collectors.toList());
    return (conflicts.isEmpty()
            ? Optional.<DirectoryRule>empty()
            : HiddenConflict.hidden(rule, target(rule), conflicts, this::has))
        .map(
            hidden ->
                new DirectoryResult(
                    rule, DirectoryResult.Kind.CONFLICT, HiddenConflict.explain(hidden)))
        .orElseGet(() -> place(rule));
  }

  /** Id of the policy that the directory is to have, an admin's above it included. */
  private byte target(DirectoryRule rule) {
    try {
      Optional<StorageNamespace> namespace = namespaces.of(rule);
      return namespace.isEmpty()
          ? rule.policy().id()
          : RootPolicy.of(namespace.get(), rule).orElse(rule.policy().id());
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

  private static boolean above(DirectoryResult set, DirectoryResult other) {
    return CHANGED.contains(set.kind())
        && HiddenConflict.isBelow(other.rule().path(), set.rule().path());
  }

  private DirectoryResult place(DirectoryRule rule) {
    try {
      Optional<StorageNamespace> namespace = namespaces.of(rule);
      if (namespace.isEmpty()) {
        return new DirectoryResult(
            rule,
            DirectoryResult.Kind.NO_POLICIES,
            "The file system has no storage policies. Put hbase.rootdir and hbase.wal.dir on HDFS,"
                + " or set hbase.hybrid.mode=off.");
      }
      return namespaces.held() ? held(rule) : place(rule, namespace.get());
    } catch (ProbePendingException e) {
      return new DirectoryResult(
          rule,
          DirectoryResult.Kind.FAILED,
          e.getMessage() + " New files go where they went before; this is looked at again.");
    } catch (IOException | RuntimeException e) {
      LOG.debug("While placing {}", rule, e);
      if (!Thread.currentThread().isInterrupted()) {
        HybridMetrics.get().count(Metric.PLACEMENT_FAILURES);
      }
      return new DirectoryResult(rule, DirectoryResult.Kind.FAILED, HdfsError.of(e).explain());
    }
  }

  private DirectoryResult place(DirectoryRule rule, StorageNamespace namespace) throws IOException {
    Optional<PolicyStatus> found = namespace.policy(rule.path());
    if (found.isEmpty()) {
      if (!rule.create()) {
        return new DirectoryResult(rule, DirectoryResult.Kind.ABSENT, "");
      }
      namespace.createDirectory(rule.path());
      found = namespace.policy(rule.path());
      if (found.isEmpty()) {
        return new DirectoryResult(
            rule, DirectoryResult.Kind.ABSENT, "It went as soon as it was made.");
      }
    }
    Optional<Byte> above = RootPolicy.of(namespace, rule);
    Optional<PolicyProvenance> provenance = Optional.empty();
    boolean provenanceKept = true;
    if (found.get().effective() != above.orElse(rule.policy().id())) {
      try {
        provenance = namespace.provenance(rule.path());
      } catch (IOException e) {
        if (!HdfsError.of(e).is(HdfsErrorKind.XATTRS_DISABLED)) {
          throw e;
        }
        LOG.debug("No provenance can be read on {}", rule.path(), e);
        provenanceKept = false;
      }
    }
    PolicyDecision decision = PolicyDecision.decide(rule.policy(), above, found.get(), provenance);
    switch (decision.kind()) {
      case CONFLICT:
        HybridMetrics.get().count(Metric.POLICY_CONFLICTS);
        return new DirectoryResult(
            rule, DirectoryResult.Kind.CONFLICT, conflict(rule, found.get()));
      case DEMOTED:
        return new DirectoryResult(
            rule,
            DirectoryResult.Kind.DEMOTED,
            "The space monitor restores it when SSD has space.");
      case FOLLOWED:
        return followed(rule, DirectoryResult.Kind.FOLLOWED, above.get());
      case YIELD:
        namespace.restorePolicy(rule.path(), provenance.get().before());
        namespace.removeProvenance(rule.path());
        return followed(rule, DirectoryResult.Kind.YIELDED, above.get());
      case RIGHT:
        return proveAlways
            ? prove(rule, namespace)
            : new DirectoryResult(rule, DirectoryResult.Kind.RIGHT, "");
      default:
        DirectoryRule wanted = rule.with(decision.policy());
        DirectoryResult result =
            set(wanted, namespace, found.get(), provenance, decision.provenance(), provenanceKept);
        return new DirectoryResult(rule, result.kind(), result.detail());
    }
  }

  private static DirectoryResult followed(
      DirectoryRule rule, DirectoryResult.Kind kind, byte above) {
    return new DirectoryResult(
        rule, kind, RootPolicy.explain(rule, above) + " " + RootPolicy.remedy(rule, above) + ".");
  }

  private DirectoryResult prove(DirectoryRule rule, StorageNamespace namespace) throws IOException {
    Optional<Probe> probe;
    try {
      probe = probe(rule, namespace);
    } catch (ProbePendingException e) {
      // Not known is not refused, and one server less would not help.
      return new DirectoryResult(
          rule, DirectoryResult.Kind.RIGHT, e.getMessage() + " Its policy stays.");
    }
    return probe.isPresent() && !probe.get().tookSsd()
        ? new DirectoryResult(rule, DirectoryResult.Kind.NO_SSD, noSsd(probe.get()))
        : new DirectoryResult(rule, DirectoryResult.Kind.RIGHT, imperfect(probe));
  }

  private static String imperfect(Optional<Probe> probe) {
    return probe
        .filter(taken -> !taken.perfect())
        .map(taken -> "Not every replica finds space on SSD: " + taken + ".")
        .orElse("");
  }

  private DirectoryResult set(
      DirectoryRule rule,
      StorageNamespace namespace,
      PolicyStatus found,
      Optional<PolicyProvenance> provenance,
      PolicyProvenance wanted,
      boolean provenanceKept)
      throws IOException {
    Optional<Probe> probe = probe(rule, namespace);
    if (probe.isPresent()) {
      if (!probe.get().tookSsd()) {
        return new DirectoryResult(rule, DirectoryResult.Kind.NO_SSD, noSsd(probe.get()));
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
        return new DirectoryResult(
            rule,
            DirectoryResult.Kind.FAILED,
            "Its policy changed meanwhile; it is looked at again.");
      }
    }
    String detail = imperfect(probe);
    if (provenance.isPresent() && provenance.get().set() == rule.policy().id()) {
      detail +=
          " It had lost the policy that the plugin gave it. To keep it away, set "
              + rule.component().policyKey()
              + ".";
    }
    if (provenanceKept && !provenance.equals(Optional.of(wanted))) {
      namespace.setProvenance(rule.path(), wanted);
    }
    namespace.setPolicy(rule.path(), rule.policy());
    HybridMetrics.get().count(Metric.POLICIES_SET);
    if (provenanceKept && provenance.isPresent() && !wanted.settled().equals(wanted)) {
      // Else what stood between the two declarations would be taken for ours for ever.
      namespace.setProvenance(rule.path(), wanted.settled());
    }
    if (!provenanceKept) {
      detail +=
          " No provenance could be left beside the policy, so 'revert' cannot know what stood here"
              + " before. Set dfs.namenode.xattrs.enabled=true on the NameNode.";
    }
    return new DirectoryResult(rule, DirectoryResult.Kind.SET, detail.trim());
  }

  private static DirectoryResult held(DirectoryRule rule) {
    return new DirectoryResult(
        rule,
        DirectoryResult.Kind.HELD,
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
    return SsdProbes.blockSize(
        rule.component(), walBlockSize, namespace.defaultBlockSize(rule.path()));
  }

  private static String noSsd(Probe probe) {
    return probe
        + ". Check that DataNodes have directories tagged [SSD] in dfs.datanode.data.dir, that"
        + " these have space ('hdfs dfsadmin -report', storage type quotas), and that"
        + " dfs.datanode.round-robin-volume-choosing-policy.additional-available-space is smaller"
        + " than that space.";
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
