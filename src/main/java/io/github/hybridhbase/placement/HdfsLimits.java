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
import io.github.hybridhbase.report.Finding;
import io.github.hybridhbase.report.FindingId;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.Layout;
import io.github.hybridhbase.runtime.Layout.DirectoryRule;
import io.github.hybridhbase.runtime.Text;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.security.AccessControlException;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * What HDFS sets against a placement: quotas for SSD, and that nobody moves files. Unknown if it
 * cannot be read. Immutable.
 */
@InterfaceAudience.Private
public final class HdfsLimits {
  private final Observed<Map<String, Long>> left;
  private final Set<String> denied;
  private final Observed<Boolean> moverRuns;

  /**
   * @param left remaining bytes by directory, with an SSD quota only
   * @param denied directories of which this user may not read the quota
   */
  public HdfsLimits(
      Observed<Map<String, Long>> left, Set<String> denied, Observed<Boolean> moverRuns) {
    this.left = left;
    this.denied = denied;
    this.moverRuns = moverRuns;
  }

  public static HdfsLimits unknown(String why) {
    return new HdfsLimits(Observed.unknown(why), Set.of(), Observed.unknown(why));
  }

  /**
   * Reads the quotas of directories declared for SSD and above, one NameNode call each; without a
   * quota HDFS sums up the directory. One more call for the mover.
   *
   * @param above whether to ask above HBase's roots too, where HDFS sums up what others have
   * @param moves whether files are to move; otherwise the mover is not asked for
   */
  public static HdfsLimits read(
      Namespaces namespaces, Layout layout, HybridSettings settings, boolean above, boolean moves) {
    Set<String> denied = new TreeSet<>();
    List<Path> last = above ? List.of() : layout.roots();
    return new HdfsLimits(
        Observed.with(() -> left(namespaces, layout.rules(settings), last, denied)),
        denied,
        moves ? Observed.with(() -> moverRuns(namespaces, layout)) : Observed.at(true));
  }

  private static Map<String, Long> left(
      Namespaces namespaces, List<DirectoryRule> rules, List<Path> last, Set<String> denied)
      throws IOException {
    Map<String, Long> left = new TreeMap<>();
    Set<Path> before = new HashSet<>();
    for (DirectoryRule rule : rules) {
      Optional<StorageNamespace> hdfs = namespaces.of(rule.path());
      boolean asked = hdfs.isPresent() && rule.policy().wantsSsd();
      for (Path at = rule.path();
          asked && at != null && before.add(at);
          at = last.contains(at) ? null : at.getParent()) {
        String path = at.toUri().getPath();
        try {
          hdfs.get().ssdQuotaLeft(at).ifPresent(bytes -> left.put(path, bytes));
        } catch (AccessControlException e) {
          // Without a quota HDFS adds up what is there, and somebody has closed a directory in it.
          denied.add(path);
        }
      }
    }
    return left;
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

  /**
   * @param need bytes of a WAL block's replicas: a quota that leaves as much explains nothing
   */
  public void quotas(long need, Diagnosis to) {
    to.seen("quotas", left)
        .orElse(Map.of())
        .forEach(
            (path, bytes) -> {
              String text = Text.bytes(bytes) + " are left";
              Finding quota = Finding.of(FindingId.SSD_QUOTA, path, text, Text.quote(path));
              to.add(bytes < need ? quota : quota.alone());
            });
    if (!denied.isEmpty()) {
      to.unchecked(
          "quotas of "
              + String.join(", ", denied)
              + ": HDFS adds up what lies there, and this user may not read all of it");
    }
  }

  public void mover(Diagnosis to) {
    to.seen("whether the sps daemon runs", moverRuns)
        .filter(runs -> !runs)
        .ifPresent(no -> to.add(FindingId.SPS_NOT_RUNNING, "hdfs sps"));
  }
}
