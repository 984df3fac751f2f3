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

import io.github.hybridhbase.config.DirectoryRule;
import io.github.hybridhbase.config.StoragePolicy;
import io.github.hybridhbase.hdfs.Probe;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.Metric;
import java.io.IOException;
import org.apache.yetus.audience.InterfaceAudience;

/** A source of probe results, fresh or remembered. */
@InterfaceAudience.Private
public interface Prober {
  /** Blocks the calling thread for as long as HDFS takes. */
  Prober DIRECT =
      (rule, namespace, policy, blockSize, attempt) -> {
        HybridMetrics.get().count(Metric.PROBES);
        return namespace.probe(rule.path(), policy, blockSize);
      };

  /**
   * Probes with a block of this size.
   *
   * @param namespace the directory's file system
   * @param blockSize in bytes
   * @param attempt 0, or 1 to repeat a probe whose result is in doubt
   * @throws ProbePendingException if there is no result in time
   * @throws IOException as {@link StorageNamespace#probe}
   */
  Probe probe(
      DirectoryRule rule,
      StorageNamespace namespace,
      StoragePolicy policy,
      long blockSize,
      int attempt)
      throws IOException;
}
