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

import io.github.hybridhbase.hdfs.Namespaces;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.report.FindingId;
import io.github.hybridhbase.runtime.Layout;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Whether anybody moves files. Immutable.
 *
 * <p>Quotas are not read: for a user without superuser rights {@code getQuotaUsage} checks each
 * directory of the tree under the NameNode's lock. A refused block names its quota.
 */
@InterfaceAudience.Private
public final class HdfsLimits {
  private final Observed<Boolean> moverRuns;

  public HdfsLimits(Observed<Boolean> moverRuns) {
    this.moverRuns = moverRuns;
  }

  public static HdfsLimits unknown(String why) {
    return new HdfsLimits(Observed.unknown(why));
  }

  /**
   * At most one NameNode call.
   *
   * @param moves whether files are to move; otherwise the mover is not asked for
   */
  public static HdfsLimits read(Namespaces namespaces, Layout layout, boolean moves) {
    return new HdfsLimits(
        moves ? Observed.with(() -> moverRuns(namespaces, layout)) : Observed.at(true));
  }

  private static boolean moverRuns(Namespaces namespaces, Layout layout) throws IOException {
    for (Path root : List.of(layout.walRoot(), layout.root())) {
      Optional<StorageNamespace> hdfs = namespaces.of(root);
      if (hdfs.isPresent()) {
        return hdfs.get().moverRuns();
      }
    }
    throw new IOException("not an HDFS");
  }

  public void mover(Diagnosis to) {
    to.seen("whether the sps daemon runs", moverRuns)
        .filter(runs -> !runs)
        .ifPresent(no -> to.add(FindingId.SPS_NOT_RUNNING, "hdfs sps"));
  }
}
