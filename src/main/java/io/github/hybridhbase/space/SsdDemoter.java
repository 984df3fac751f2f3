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
import io.github.hybridhbase.config.StoragePolicy;
import io.github.hybridhbase.hdfs.HdfsRefusal;
import io.github.hybridhbase.hdfs.Namespaces;
import io.github.hybridhbase.hdfs.PolicyProvenance;
import io.github.hybridhbase.hdfs.PolicyStatus;
import io.github.hybridhbase.hdfs.Probe;
import io.github.hybridhbase.hdfs.RootPolicy;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.metrics.HybridMetrics;
import io.github.hybridhbase.metrics.HybridMetrics.Metric;
import io.github.hybridhbase.placement.DirectoryRule;
import io.github.hybridhbase.placement.EffectivePolicy;
import io.github.hybridhbase.space.SpaceSnapshot.ProbeResult;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Demotes directories from SSD and restores them, on behalf of the space monitor: provenance first,
 * then policy, so that neither another server nor an admin's hand is mistaken for it. Safe to use
 * from any thread and from several servers; every call is a few NameNode calls.
 */
@InterfaceAudience.Private
public final class SsdDemoter {
  private static final Logger LOG = LoggerFactory.getLogger(SsdDemoter.class);

  private final Namespaces namespaces;
  private final long walBlockSize;
  private final Prober prober;

  /** Demoted by this process on an HDFS that keeps no provenance. */
  private final Set<Path> withoutProvenance = ConcurrentHashMap.newKeySet();

  /** Have to leave SSD and cannot, so that it is said once. */
  private final Set<Path> stuck = ConcurrentHashMap.newKeySet();

  /**
   * Makes a demoter.
   *
   * @param walBlockSize block size of WAL files in bytes, or 0 for twice the file system's default
   */
  public SsdDemoter(Namespaces namespaces, long walBlockSize) {
    this(namespaces, walBlockSize, Prober.DIRECT);
  }

  /** As the other one, with the probes of a start. */
  public SsdDemoter(Namespaces namespaces, long walBlockSize, Prober prober) {
    this.prober = prober;
    this.namespaces = namespaces;
    this.walBlockSize = walBlockSize;
  }

  /**
   * Turns a directory to HOT so that nothing more is written to SSD in it.
   *
   * @return whether it is demoted now; false where it does not exist, is an admin's or follows one,
   *     a hold stands, or HDFS takes no block under HOT (it has no DISK, or none with space): then
   *     nothing could be written there any more
   * @throws IOException where HDFS refuses or cannot be asked
   */
  public boolean demote(DirectoryRule rule) throws IOException {
    Optional<StorageNamespace> namespace = namespaces.of(rule);
    Optional<PolicyStatus> found =
        namespace.isEmpty() ? Optional.empty() : namespace.get().policy(rule.path());
    if (found.isEmpty() || namespaces.held() || RootPolicy.of(namespace.get(), rule).isPresent()) {
      return false;
    }
    Optional<Optional<PolicyProvenance>> read = provenance(namespace.get(), rule.path());
    Optional<PolicyProvenance> provenance = read.orElse(Optional.empty());
    byte own = found.get().own();
    boolean ours = provenance.isPresent() ? provenance.get().explains(own) : isOurs(rule, own);
    if (!ours) {
      return false;
    }
    StoragePolicy demoted = EffectivePolicy.of(rule.policy(), true, false);
    boolean hot = found.get().effective() == demoted.id();
    if (hot && provenance.isPresent() && provenance.get().demoted()) {
      return true;
    }
    Optional<String> refusal = diskRefuses(rule, namespace.get());
    if (refusal.isPresent()) {
      if (stuck.add(rule.path())) {
        LOG.warn(
            "{} has to leave SSD and stays, since HDFS refuses its blocks under HOT too: {}. It needs"
                + " DISK with space, or space on SSD.",
            rule,
            refusal.get());
      }
      return false;
    }
    stuck.remove(rule.path());
    PolicyProvenance before = provenance.orElse(PolicyProvenance.first(own, rule.policy()));
    PolicyProvenance wanted = (before.demoted() ? before : before.change(demoted)).asDemoted();
    if (read.isPresent()) {
      namespace.get().setProvenance(rule.path(), wanted);
    } else {
      withoutProvenance.add(rule.path());
    }
    // Also where HOT is inherited: the parent's policy may change.
    namespace.get().setPolicy(rule.path(), demoted);
    if (read.isPresent() && !wanted.settled().equals(wanted)) {
      namespace.get().setProvenance(rule.path(), wanted.settled());
    }
    HybridMetrics.get().count(Metric.DEMOTIONS);
    return true;
  }

  /**
   * Restores a directory to what is declared, if the space monitor had demoted it. The caller has
   * seen SSD take a probe block.
   *
   * @return whether it was restored; false where the space monitor had not demoted it, or somebody
   *     else has placed it since
   * @throws IOException where HDFS refuses or cannot be asked
   */
  public boolean restore(DirectoryRule rule) throws IOException {
    Optional<StorageNamespace> namespace = namespaces.of(rule);
    if (namespace.isEmpty() || namespace.get().policy(rule.path()).isEmpty() || namespaces.held()) {
      return false;
    }
    Optional<PolicyProvenance> provenance =
        provenance(namespace.get(), rule.path())
            .orElse(Optional.empty())
            .filter(PolicyProvenance::demoted);
    if (provenance.isEmpty() && !withoutProvenance.remove(rule.path())) {
      return false;
    }
    byte own = namespace.get().policy(rule.path()).get().own();
    if (provenance.isPresent()) {
      if (!provenance.get().explains(own)) {
        return false;
      }
      namespace.get().setProvenance(rule.path(), provenance.get().change(rule.policy()));
    }
    namespace.get().setPolicy(rule.path(), rule.policy());
    if (provenance.isPresent()) {
      namespace.get().setProvenance(rule.path(), provenance.get().change(rule.policy()).settled());
    }
    HybridMetrics.get().count(Metric.RESTORATIONS);
    return true;
  }

  /**
   * Whether the space monitor keeps this directory away from SSD: no longer where somebody else
   * gave it another policy since, whatever the provenance says.
   *
   * @throws IOException where HDFS cannot be asked
   */
  public boolean isDemoted(DirectoryRule rule) throws IOException {
    Optional<StorageNamespace> namespace = namespaces.of(rule);
    if (namespace.isEmpty()) {
      return false;
    }
    Optional<PolicyStatus> found = namespace.get().policy(rule.path());
    if (found.isEmpty() || found.get().effective() == rule.policy().id()) {
      return false;
    }
    if (withoutProvenance.contains(rule.path())) {
      StoragePolicy demoted = EffectivePolicy.of(rule.policy(), true, false);
      return found.get().effective() == demoted.id() || !withoutProvenance.remove(rule.path());
    }
    return provenance(namespace.get(), rule.path())
        .orElse(Optional.empty())
        .filter(PolicyProvenance::demoted)
        .filter(provenance -> provenance.explains(found.get().own()))
        .isPresent();
  }

  /**
   * Finishes what a master that died left half done: a provenance record of the space monitor
   * beside the declared policy goes, since whoever follows decides anew.
   *
   * @throws IOException where HDFS refuses or cannot be asked
   */
  public void settle(DirectoryRule rule) throws IOException {
    Optional<StorageNamespace> namespace = namespaces.of(rule);
    if (namespace.isPresent()
        && namespace.get().policy(rule.path()).map(PolicyStatus::effective).orElse((byte) -1)
            == rule.policy().id()) {
      Optional<PolicyProvenance> provenance =
          provenance(namespace.get(), rule.path())
              .orElse(Optional.empty())
              .filter(PolicyProvenance::demoted);
      if (provenance.isPresent()) {
        namespace.get().setProvenance(rule.path(), provenance.get().change(rule.policy()));
      }
    }
  }

  /**
   * Whether new blocks of this directory are meant for SSD by the policy in force.
   *
   * @throws IOException where HDFS cannot be asked
   */
  public boolean wantsSsdNow(DirectoryRule rule) throws IOException {
    Optional<StorageNamespace> namespace = namespaces.of(rule);
    return namespace.isPresent()
        && namespace.get().policy(rule.path()).filter(PolicyStatus::wantsSsd).isPresent();
  }

  /**
   * Asks SSD for a block, of each size that is written in a directory. Never throws; what cannot be
   * told is {@code NONE}.
   */
  public ProbeResult probe(DirectoryRule rule) {
    try {
      Optional<StorageNamespace> namespace = namespaces.of(rule);
      if (namespace.isEmpty() || namespace.get().policy(rule.path()).isEmpty()) {
        return ProbeResult.NONE;
      }
      return probe(rule, namespace.get());
    } catch (ProbePendingException e) {
      LOG.warn("{} stays as it is, the space monitor looks at it later. {}", rule, e.getMessage());
      return ProbeResult.NONE;
    } catch (IOException | RuntimeException e) {
      LOG.debug("Could not probe {}", rule, e);
      return ProbeResult.NONE;
    }
  }

  private ProbeResult probe(DirectoryRule rule, StorageNamespace namespace) throws IOException {
    long standard = namespace.defaultBlockSize(rule.path());
    long largest = blockSize(rule.component(), walBlockSize, standard);
    ProbeResult result = probe(rule, namespace, largest);
    // The NameNode may think an SSD too full for a WAL's block and go on choosing it for a store
    // file's, which the DataNode refuses: the smaller block is the one that tells.
    return result != ProbeResult.REFUSED && largest > standard && rule.component() != Component.WAL
        ? worse(result, probe(rule, namespace, standard))
        : result;
  }

  private static ProbeResult worse(ProbeResult one, ProbeResult other) {
    return one == ProbeResult.GOOD || other == ProbeResult.REFUSED ? other : one;
  }

  private ProbeResult probe(DirectoryRule rule, StorageNamespace namespace, long blockSize)
      throws IOException {
    Probe ssd = prober.probe(rule, namespace, rule.policy(), blockSize, 0);
    if (ssd.complete()) {
      return where(ssd);
    }
    // Is it SSD that fails, or HDFS altogether?
    Probe disk = prober.probe(rule, namespace, StoragePolicy.HOT, blockSize, 0);
    if (disk.failure().isPresent()) {
      return ProbeResult.NONE;
    }
    if (asGood(ssd, disk)) {
      return where(ssd);
    }
    // Or did a DataNode come in between, as they do one by one when the NameNode has restarted?
    Probe again = prober.probe(rule, namespace, rule.policy(), blockSize, 1);
    if (asGood(again, disk)) {
      return where(again);
    }
    HybridMetrics.get().count(Metric.PROBES_REFUSED);
    return ProbeResult.REFUSED;
  }

  /** What HDFS says against a block under HOT; no answer in time is no refusal. */
  private Optional<String> diskRefuses(DirectoryRule rule, StorageNamespace namespace)
      throws IOException {
    long blockSize =
        blockSize(rule.component(), walBlockSize, namespace.defaultBlockSize(rule.path()));
    try {
      return prober.probe(rule, namespace, StoragePolicy.HOT, blockSize, 0).failure();
    } catch (ProbePendingException e) {
      LOG.debug("Whether DISK takes blocks of {} is not known", rule, e);
      return Optional.empty();
    }
  }

  private static boolean asGood(Probe ssd, Probe disk) {
    return ssd.failure().isEmpty() && ssd.replicas().size() >= disk.replicas().size();
  }

  private static ProbeResult where(Probe probe) {
    return probe.tookSsd() ? ProbeResult.GOOD : ProbeResult.ELSEWHERE;
  }

  /** The block size files of a component are created with: HDFS judges space by it. */
  public static long blockSize(Component component, long walBlockSize, long standard) {
    if (component != Component.WAL && component != Component.MASTER) {
      return standard;
    }
    // As WALUtil.getWALBlockSize does.
    return walBlockSize > 0 ? walBlockSize : 2 * standard;
  }

  private static boolean isOurs(DirectoryRule rule, byte own) {
    return own == StoragePolicy.UNSPECIFIED || own == rule.policy().id();
  }

  /** The provenance; empty where HDFS keeps none. */
  private static Optional<Optional<PolicyProvenance>> provenance(
      StorageNamespace namespace, Path path) throws IOException {
    try {
      return Optional.of(namespace.provenance(path));
    } catch (IOException e) {
      if (!HdfsRefusal.noXattrs(e)) {
        throw e;
      }
      LOG.debug("No provenance can be read on {}", path, e);
      return Optional.empty();
    }
  }
}
