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
import io.github.hybridhbase.hdfs.RootPolicy;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.hdfs.StorageNamespace.PolicyStatus;
import io.github.hybridhbase.hdfs.XattrRecord.ForeignRecordException;
import io.github.hybridhbase.hdfs.XattrRecord.Found;
import io.github.hybridhbase.placement.SpaceSnapshot.ProbeResult;
import io.github.hybridhbase.report.FindingId;
import io.github.hybridhbase.runtime.Component;
import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.Layout.DirectoryRule;
import io.github.hybridhbase.runtime.LogOnChange;
import io.github.hybridhbase.runtime.Metric;
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.runtime.WalFiles;
import java.io.IOException;
import java.util.Optional;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A writer of demotions and restorations of directories. Provenance is written before policy, so
 * that neither another server's change nor an admin's passes for the space monitor's. Any thread,
 * several servers; a few NameNode calls per method.
 */
@InterfaceAudience.Private
public final class SsdDemoter {
  private static final Logger LOG = LoggerFactory.getLogger(SsdDemoter.class);

  private final Namespaces namespaces;
  private final ProbeBudget probes;
  private final long walBlockSize;

  private final LogOnChange logged = new LogOnChange();

  private static final class Directory {
    private final DirectoryRule rule;
    private final StorageNamespace namespace;
    private final PolicyStatus policy;
    private boolean keepsProvenance = true;

    Directory(DirectoryRule rule, StorageNamespace namespace, PolicyStatus policy) {
      this.rule = rule;
      this.namespace = namespace;
      this.policy = policy;
    }

    boolean follows(StoragePolicy one) {
      return policy.effective() == one.id();
    }

    Found<PolicyProvenance> record() throws IOException {
      try {
        return namespace.read(PolicyProvenance.RECORD, rule.path());
      } catch (IOException e) {
        if (!HdfsError.of(e).is(HdfsError.Kind.XATTRS_DISABLED)) {
          throw e;
        }
        LOG.debug("No provenance can be read on {}", rule, e);
        keepsProvenance = false;
        return Found.absent();
      }
    }

    Optional<PolicyProvenance> demotion() throws IOException {
      return record().read().filter(PolicyProvenance::demoted);
    }

    /** Agrees with the directory plan; the declared policy is ours even without a record. */
    boolean isOurs(Optional<PolicyProvenance> provenance) {
      byte own = policy.own();
      return PolicyProvenance.isOurs(provenance, own)
          || (provenance.isEmpty() && own == rule.policy().id());
    }
  }

  /**
   * @param walBlockSize in bytes; 0 for twice the file system's default
   */
  public SsdDemoter(Namespaces namespaces, long walBlockSize) {
    this(namespaces, walBlockSize, ProbeBudget.unlimited());
  }

  public SsdDemoter(Namespaces namespaces, long walBlockSize, ProbeBudget probes) {
    this.namespaces = namespaces;
    this.walBlockSize = walBlockSize;
    this.probes = probes;
  }

  private Optional<Directory> find(DirectoryRule rule) throws IOException {
    Optional<StorageNamespace> namespace = namespaces.of(rule);
    return namespace.isEmpty()
        ? Optional.empty()
        : namespace
            .get()
            .policy(rule.path())
            .map(policy -> new Directory(rule, namespace.get(), policy));
  }

  /**
   * Sets a directory to HOT, so that its new blocks go to DISK.
   *
   * @return whether it is now demoted; false if it is missing, held, an admin's or another
   *     version's, if HDFS stores no xattrs, or if HDFS takes no block under HOT either
   * @throws IOException if HDFS fails
   */
  public boolean demote(DirectoryRule rule) throws IOException {
    Optional<Directory> found = find(rule);
    if (found.isEmpty()
        || namespaces.held()
        || RootPolicy.of(found.get().namespace, rule).isPresent()) {
      return false;
    }
    Directory directory = found.get();
    Found<PolicyProvenance> record = directory.record();
    if (record.isForeign()) {
      String why =
          ForeignRecordException.finding(
                  PolicyProvenance.XATTR, rule.path(), record.foreign().get())
              .explain();
      if (logged.changed(rule.path(), why)) {
        LOG.warn(
            "SSD is short of space or refuses blocks, but new files of {} still go to SSD: its "
                + "directory has a record that the plugin cannot read, so the plugin changes nothing "
                + "there. {}",
            rule,
            why);
      }
      return false;
    }
    Optional<PolicyProvenance> provenance = record.read();
    if (!directory.isOurs(provenance)) {
      return false;
    }
    if (!directory.keepsProvenance) {
      if (logged.changed(rule.path(), "xattrs")) {
        LOG.warn(
            "SSD is short of space or refuses blocks, but new files of {} still go to SSD: HDFS "
                + "has xattrs disabled, and the plugin changes no policy that it cannot record. {}",
            rule,
            FindingId.XATTRS_DISABLED.remedy());
      }
      return false;
    }
    StoragePolicy demoted = rule.policy().effective(true, false);
    if (directory.follows(demoted) && provenance.filter(PolicyProvenance::demoted).isPresent()) {
      return true;
    }
    Optional<String> refusal = diskRefuses(rule, directory.namespace);
    if (refusal.isPresent()) {
      if (logged.changed(rule.path(), "stuck")) {
        LOG.warn(
            "SSD is short of space or refuses blocks, but {} keeps its policy for SSD, since "
                + "DISK refuses its blocks too ({}). Free space on DISK or SSD; the space monitor "
                + "retries.",
            rule,
            refusal.get());
      }
      return false;
    }
    logged.clear(rule.path());
    PolicyProvenance before =
        provenance.orElse(PolicyProvenance.first(directory.policy.own(), rule.policy()));
    PolicyProvenance next = before.demoted() ? before : before.change(demoted);
    if (!placed(directory).set(demoted, record, next.asDemoted())) {
      return false;
    }
    HybridMetrics.get().count(Metric.DEMOTIONS);
    return true;
  }

  /**
   * Restores the declared policy; the caller has seen SSD accept a probe block.
   *
   * @return false if the space monitor had not demoted the directory, or its policy changed since
   * @throws IOException if HDFS fails
   */
  public boolean restore(DirectoryRule rule) throws IOException {
    Optional<Directory> found = find(rule);
    if (found.isEmpty() || namespaces.held()) {
      return false;
    }
    Optional<PolicyProvenance> demotion = found.get().demotion();
    boolean restores = demotion.isPresent() && found.get().isOurs(demotion);
    if (restores) {
      restores =
          placed(found.get())
              .set(rule.policy(), Found.of(demotion.get()), demotion.get().change(rule.policy()));
    }
    if (restores) {
      HybridMetrics.get().count(Metric.RESTORATIONS);
    }
    return restores;
  }

  /**
   * Whether the space monitor keeps the directory off SSD. A policy set by others since then
   * overrides the provenance.
   *
   * @throws IOException if HDFS fails
   */
  public boolean isDemoted(DirectoryRule rule) throws IOException {
    Optional<StorageNamespace> namespace = namespaces.of(rule);
    Optional<Byte> inForce =
        namespace.isEmpty() ? Optional.empty() : namespace.get().effective(rule.path());
    if (inForce.isEmpty() || inForce.get() == rule.policy().id()) {
      return false;
    }
    Optional<Directory> found = find(rule);
    if (found.isEmpty() || found.get().follows(rule.policy())) {
      return false;
    }
    Optional<PolicyProvenance> demotion = found.get().demotion();
    return demotion.isPresent() && found.get().isOurs(demotion);
  }

  /**
   * Completes a dead master's work: a directory with the declared policy loses the demotion in its
   * provenance.
   *
   * @throws IOException if HDFS fails
   */
  public void settle(DirectoryRule rule) throws IOException {
    Optional<Directory> found = find(rule).filter(directory -> directory.follows(rule.policy()));
    if (found.isPresent()) {
      Optional<PolicyProvenance> demotion = found.get().demotion();
      if (demotion.isPresent()) {
        placed(found.get()).settle(demotion.get().change(rule.policy()));
      }
    }
  }

  /**
   * Whether the policy in force places new blocks on SSD.
   *
   * @throws IOException if HDFS fails
   */
  public boolean wantsSsdNow(DirectoryRule rule) throws IOException {
    return find(rule).filter(directory -> directory.policy.wantsSsd()).isPresent();
  }

  /** Probes SSD with each block size in use. Never throws; unknown is {@code NONE}. */
  public ProbeResult probe(DirectoryRule rule) {
    try {
      Optional<Directory> found = find(rule);
      return found.isEmpty() ? ProbeResult.NONE : ssd(rule, found.get().namespace);
    } catch (IOException | RuntimeException e) {
      LOG.debug("Could not probe {}", rule, e);
      return ProbeResult.NONE;
    }
  }

  private ProbeResult ssd(DirectoryRule rule, StorageNamespace namespace) throws IOException {
    long standard = namespace.defaultBlockSize(rule.path());
    long largest = WalFiles.blockSize(rule.component(), walBlockSize, standard);
    ProbeResult result = ssd(rule, namespace, largest);
    // The NameNode may consider an SSD too full for a WAL block, yet choose it for a store file's
    // smaller block, which the DataNode refuses.
    return result != ProbeResult.REFUSED && largest > standard && rule.component() != Component.WAL
        ? worse(result, ssd(rule, namespace, standard))
        : result;
  }

  private static ProbeResult worse(ProbeResult one, ProbeResult other) {
    return one == ProbeResult.GOOD || other == ProbeResult.REFUSED ? other : one;
  }

  private ProbeResult ssd(DirectoryRule rule, StorageNamespace namespace, long blockSize)
      throws IOException {
    Probe ssd = probes.probe(rule, namespace, rule.policy(), blockSize, 0);
    if (ssd.complete()) {
      return where(ssd);
    }
    if (ssd.isUnknown()) {
      return unknown(rule, ssd);
    }
    // Does SSD fail, or all of HDFS?
    Probe disk = probes.probe(rule, namespace, StoragePolicy.HOT, blockSize, 0);
    if (disk.isUnknown()) {
      return unknown(rule, disk);
    }
    if (disk.refusal().isPresent()) {
      return ProbeResult.NONE;
    }
    if (asGood(ssd, disk)) {
      return where(ssd);
    }
    // A DataNode may have registered between the probes, e.g. after a NameNode restart.
    Probe again = probes.probe(rule, namespace, rule.policy(), blockSize, 1);
    if (again.isUnknown()) {
      return unknown(rule, again);
    }
    if (asGood(again, disk)) {
      return where(again);
    }
    HybridMetrics.get().count(Metric.PROBES_REFUSED);
    return ProbeResult.REFUSED;
  }

  private static boolean asGood(Probe ssd, Probe disk) {
    return ssd.refusal().isEmpty() && ssd.replicas().size() >= disk.replicas().size();
  }

  private static ProbeResult where(Probe probe) {
    return probe.tookSsd() ? ProbeResult.GOOD : ProbeResult.ELSEWHERE;
  }

  private ProbeResult unknown(DirectoryRule rule, Probe probe) {
    if (logged.changed(rule.path(), probe.toString())) {
      LOG.warn(
          "A probe of SSD for {} had no result, so the policy stays as it is and the space "
              + "monitor probes again. {}",
          rule,
          probe);
    }
    return ProbeResult.NONE;
  }

  /** Why HDFS refuses a block under HOT; empty if it accepts or does not answer in time. */
  private Optional<String> diskRefuses(DirectoryRule rule, StorageNamespace namespace)
      throws IOException {
    long standard = namespace.defaultBlockSize(rule.path());
    long blockSize = WalFiles.blockSize(rule.component(), walBlockSize, standard);
    return probes.probe(rule, namespace, StoragePolicy.HOT, blockSize, 0).refusal();
  }

  private PlacedDirectory placed(Directory directory) {
    return new PlacedDirectory(namespaces, directory.namespace, directory.rule.path());
  }
}
