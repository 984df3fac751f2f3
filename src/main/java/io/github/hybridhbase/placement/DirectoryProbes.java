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

import io.github.hybridhbase.config.DirectoryRule;
import io.github.hybridhbase.config.StoragePolicy;
import io.github.hybridhbase.hdfs.Probe;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.placement.DirectoryAction.Kind;
import io.github.hybridhbase.report.FindingId;
import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.Metric;
import io.github.hybridhbase.space.ProbePendingException;
import io.github.hybridhbase.space.Prober;
import io.github.hybridhbase.space.SsdProbes;
import java.io.IOException;
import java.util.Optional;
import org.apache.yetus.audience.InterfaceAudience;

/** A check of whether SSD accepts a directory's blocks, with the explanation of a refusal. */
@InterfaceAudience.Private
final class DirectoryProbes {
  private final Prober prober;
  private final long walBlockSize;

  /**
   * Creates the check.
   *
   * @param walBlockSize as of {@link DirectoryEnforcer}
   */
  DirectoryProbes(Prober prober, long walBlockSize) {
    this.prober = prober;
    this.walBlockSize = walBlockSize;
  }

  /** Empty if the policy does not want SSD. */
  Optional<Probe> ask(DirectoryAction action, StorageNamespace namespace, StoragePolicy policy)
      throws IOException {
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

  /** Probes a directory that already has its policy. */
  DirectoryResult prove(DirectoryAction action, StorageNamespace namespace) throws IOException {
    try {
      Optional<Probe> probe = ask(action, namespace, action.rule().orElseThrow().policy());
      return probe.isPresent() && !probe.get().tookSsd()
          ? refused(action, probe.get())
          : new DirectoryResult(action, Kind.RIGHT, imperfect(probe));
    } catch (ProbePendingException e) {
      // Unknown is not refused, and stopping the server would not help.
      return new DirectoryResult(action, Kind.RIGHT, e.getMessage() + " Its policy stays.");
    }
  }

  static String imperfect(Optional<Probe> probe) {
    return probe
        .filter(taken -> !taken.perfect())
        .map(taken -> "Not every replica finds space on SSD: " + taken + ".")
        .orElse("");
  }

  static DirectoryResult refused(DirectoryAction action, Probe probe) {
    return new DirectoryResult(
        action,
        Kind.NO_SSD,
        probe
            + ". Check that DataNodes have directories tagged [SSD] in dfs.datanode.data.dir with"
            + " space ('hdfs dfsadmin -report', storage type quotas). "
            + FindingId.SPARE_SPACE.remedy());
  }
}
