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

import io.github.hybridhbase.hdfs.HdfsNamespace;
import io.github.hybridhbase.hdfs.SpaceReader;
import io.github.hybridhbase.hdfs.SsdSpace;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.report.Finding;
import io.github.hybridhbase.report.FindingId;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.Layout.DirectoryRule;
import io.github.hybridhbase.runtime.StoragePolicy;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The checks of a master's start for whatever works against the placement, in the words of {@code
 * doctor}.
 */
@InterfaceAudience.Private
public final class StartChecks {
  private static final Logger LOG = LoggerFactory.getLogger(StartChecks.class);

  public static final String WAL_KEY = "hbase.wal.storage.policy";

  /** The NameNode's key that keeps it from repairing blocks of ONE_SSD; true by default. */
  public static final String TOPOLOGY = "dfs.use.dfs.network.topology";

  private static final String SUPERUSER_ONLY = "dfs.storage.policy.permissions.superuser-only";

  private StartChecks() {}

  /** Checks one of HBase's own keys for storage policies, which override the plugin's. */
  public static Optional<Finding> overriding(Configuration conf, FindingId id, String key) {
    String value = conf.getTrimmed(key, "");
    return value.isEmpty() || value.equals("NONE")
        ? Optional.empty()
        : Optional.of(Finding.of(id, key, value));
  }

  /**
   * Whether the placement cannot hold. The superuser may have set policies that are reserved to it,
   * which the directories show.
   */
  static boolean refusesStart(Finding finding) {
    return finding.id() != FindingId.POLICY_DENIED;
  }

  /** Checks settings. Never throws. */
  static List<Finding> findings(Configuration conf, List<DirectoryRule> rules) {
    List<Finding> found = new ArrayList<>();
    overriding(conf, FindingId.WAL_POLICY, WAL_KEY).ifPresent(found::add);
    if (conf.getBoolean(TOPOLOGY, true)
        && rules.stream().anyMatch(rule -> rule.policy() == StoragePolicy.ONE_SSD)) {
      found.add(Finding.of(FindingId.ONE_SSD_TOPOLOGY, TOPOLOGY, "here, or by HDFS's default"));
    }
    if (conf.getBoolean(SUPERUSER_ONLY, false)) {
      found.add(Finding.of(FindingId.POLICY_DENIED, SUPERUSER_ONLY, SUPERUSER_ONLY + "=true"));
    }
    return found;
  }

  /**
   * Why the SSDs are too small for the watermarks; empty if they suffice or are unknown. Calls the
   * NameNodes' web servers, for some seconds each if they hang. Never throws.
   */
  static Optional<String> room(
      Configuration conf, HybridSettings settings, List<DirectoryRule> rules) {
    return rules.stream()
        .filter(rule -> rule.policy().wantsSsd())
        .findFirst()
        .flatMap(rule -> room(conf, settings, rule));
  }

  private static Optional<String> room(
      Configuration conf, HybridSettings settings, DirectoryRule rule) {
    try {
      FileSystem fs = rule.path().getFileSystem(conf);
      Optional<SsdSpace> space = SpaceReader.readOnce(fs, conf);
      Optional<StorageNamespace> namespace = HdfsNamespace.of(fs);
      if (space.isEmpty() || namespace.isEmpty()) {
        return Optional.empty();
      }
      Headroom least =
          Headroom.Estimate.of(conf, settings, namespace.get().defaultBlockSize(rule.path()))
              .next(space, 1, System.nanoTime());
      return least.impossible(space.get());
    } catch (IOException | RuntimeException e) {
      LOG.debug("No space could be read for {}", rule, e);
      return Optional.empty();
    }
  }
}
