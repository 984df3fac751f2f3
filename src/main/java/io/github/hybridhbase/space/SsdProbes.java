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
import io.github.hybridhbase.config.DirectoryRule;
import io.github.hybridhbase.config.StoragePolicy;
import io.github.hybridhbase.hdfs.Probe;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.hdfs.WalBlockSize;
import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.Metric;
import io.github.hybridhbase.space.SpaceSnapshot.ProbeResult;
import java.io.IOException;
import java.util.Optional;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A probe of a directory's media with each block size written there. Thread-safe. */
@InterfaceAudience.Private
public final class SsdProbes {
  private static final Logger LOG = LoggerFactory.getLogger(SsdProbes.class);

  private final Prober prober;
  private final long walBlockSize;

  SsdProbes(Prober prober, long walBlockSize) {
    this.prober = prober;
    this.walBlockSize = walBlockSize;
  }

  /** A component's block size in bytes, by which HDFS judges space. */
  public static long blockSize(Component component, long walBlockSize, long standard) {
    if (component != Component.WAL && component != Component.MASTER) {
      return standard;
    }
    return WalBlockSize.of(walBlockSize, standard);
  }

  /** The worst result over the block sizes in use. */
  ProbeResult ssd(DirectoryRule rule, StorageNamespace namespace) throws IOException {
    long standard = namespace.defaultBlockSize(rule.path());
    long largest = blockSize(rule.component(), walBlockSize, standard);
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
    Probe ssd = prober.probe(rule, namespace, rule.policy(), blockSize, 0);
    if (ssd.complete()) {
      return where(ssd);
    }
    // Does SSD fail, or all of HDFS?
    Probe disk = prober.probe(rule, namespace, StoragePolicy.HOT, blockSize, 0);
    if (disk.failure().isPresent()) {
      return ProbeResult.NONE;
    }
    if (asGood(ssd, disk)) {
      return where(ssd);
    }
    // A DataNode may have registered between the probes, e.g. after a NameNode restart.
    Probe again = prober.probe(rule, namespace, rule.policy(), blockSize, 1);
    if (asGood(again, disk)) {
      return where(again);
    }
    HybridMetrics.get().count(Metric.PROBES_REFUSED);
    return ProbeResult.REFUSED;
  }

  private static boolean asGood(Probe ssd, Probe disk) {
    return ssd.failure().isEmpty() && ssd.replicas().size() >= disk.replicas().size();
  }

  private static ProbeResult where(Probe probe) {
    return probe.tookSsd() ? ProbeResult.GOOD : ProbeResult.ELSEWHERE;
  }

  /** Why HDFS refuses a block under HOT; empty if it accepts or does not answer in time. */
  Optional<String> diskRefuses(DirectoryRule rule, StorageNamespace namespace) throws IOException {
    long blockSize =
        blockSize(rule.component(), walBlockSize, namespace.defaultBlockSize(rule.path()));
    try {
      return prober.probe(rule, namespace, StoragePolicy.HOT, blockSize, 0).failure();
    } catch (ProbePendingException e) {
      LOG.debug("Whether DISK takes blocks of {} is not known", rule, e);
      return Optional.empty();
    }
  }
}
