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

import io.github.hybridhbase.config.Component;
import io.github.hybridhbase.config.HybridSettings;
import io.github.hybridhbase.config.StoragePolicy;
import io.github.hybridhbase.config.WalDelegate;
import io.github.hybridhbase.hdfs.HdfsNamespace;
import io.github.hybridhbase.hdfs.SpaceReader;
import io.github.hybridhbase.hdfs.SsdSpace;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.placement.DirectoryRule;
import io.github.hybridhbase.space.Headroom;
import io.github.hybridhbase.space.HeadroomEstimate;
import io.github.hybridhbase.space.SsdDemoter;
import io.github.hybridhbase.space.WatermarkCheck;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What in HBase's and HDFS's settings works against the placement, and what remedies it. */
@InterfaceAudience.Private
final class StartChecks {
  private static final Logger LOG = LoggerFactory.getLogger(StartChecks.class);

  private static final String WAL_POLICY = "hbase.wal.storage.policy";
  private static final String TOPOLOGY = "dfs.use.dfs.network.topology";
  private static final String SUPERUSER_ONLY = "dfs.storage.policy.permissions.superuser-only";

  private StartChecks() {}

  /**
   * What the settings and the quotas tell, one sentence or two each; empty where nothing was found.
   * Never throws.
   */
  static List<String> findings(Configuration conf, List<DirectoryRule> rules) {
    List<String> findings = new ArrayList<>(configured(conf, rules));
    for (DirectoryRule rule : rules) {
      if (rule.policy().wantsSsd()) {
        quota(conf, rule).ifPresent(findings::add);
      }
    }
    return findings;
  }

  /**
   * Whether the SSDs are too small for the watermarks; empty where they are not, or that cannot be
   * told. Asks the NameNodes' web servers, some seconds each where they hang. Never throws.
   */
  static Optional<String> room(
      Configuration conf, HybridSettings settings, List<DirectoryRule> rules) {
    return rules.stream()
        .filter(rule -> rule.policy().wantsSsd())
        .findFirst()
        .flatMap(rule -> room(conf, settings, rule));
  }

  private static List<String> configured(Configuration conf, List<DirectoryRule> rules) {
    List<String> findings = new ArrayList<>();
    String walPolicy = conf.getTrimmed(WAL_POLICY, "");
    if (!walPolicy.isEmpty() && !walPolicy.equals("NONE")) {
      findings.add(
          WAL_POLICY
              + "="
              + walPolicy
              + " is set beside the plugin: HBase sets it on each server's own directory, where it"
              + " shadows what the plugin and its space monitor set on WALs. Remove it; "
              + Component.WAL.policyKey()
              + " takes its place.");
    }
    boolean oneSsd = rules.stream().anyMatch(rule -> rule.policy() == StoragePolicy.ONE_SSD);
    if (oneSsd && conf.getBoolean(TOPOLOGY, true)) {
      findings.add(
          "ONE_SSD with "
              + TOPOLOGY
              + "=true, HDFS's default: on full SSDs the NameNode writes blocks with a single"
              + " replica and cannot repair them. Declare ALL_SSD, or set "
              + TOPOLOGY
              + "=false on the NameNode.");
    }
    if (conf.getBoolean(SUPERUSER_ONLY, false)) {
      findings.add(
          SUPERUSER_ONLY
              + "=true: unless HBase runs as HDFS's superuser, neither placement nor the space monitor can"
              + " act. Set it to false on the NameNode.");
    }
    return findings;
  }

  private static Optional<String> quota(Configuration conf, DirectoryRule rule) {
    try {
      Optional<StorageNamespace> namespace = HdfsNamespace.of(rule.path().getFileSystem(conf));
      if (namespace.isEmpty() || namespace.get().policy(rule.path()).isEmpty()) {
        return Optional.empty();
      }
      return namespace
          .get()
          .ssdQuota(rule.path())
          .map(
              bytes ->
                  rule.path()
                      + " has a quota of "
                      + bytes
                      + " bytes of SSD. When it is used up HDFS fails writes instead of going to"
                      + " DISK. Remove it: hdfs dfsadmin -clrSpaceQuota -storageType SSD "
                      + rule.path().toUri().getPath());
    } catch (IOException | RuntimeException e) {
      LOG.debug("No quota could be read of {}", rule, e);
      return Optional.empty();
    }
  }

  private static Optional<String> room(
      Configuration conf, HybridSettings settings, DirectoryRule rule) {
    try {
      FileSystem fs = rule.path().getFileSystem(conf);
      Optional<SsdSpace> space = SpaceReader.of(fs, conf).flatMap(SpaceReader::read);
      Optional<StorageNamespace> namespace = HdfsNamespace.of(fs);
      if (space.isEmpty() || namespace.isEmpty()) {
        return Optional.empty();
      }
      int replication =
          conf.getInt("hbase.regionserver.hlog.replication", conf.getInt("dfs.replication", 3));
      long walBlock =
          SsdDemoter.blockSize(
              Component.WAL,
              conf.getLong("hbase.regionserver.hlog.blocksize", 0),
              namespace.get().defaultBlockSize(rule.path()));
      Headroom least =
          new HeadroomEstimate(
                  conf, walBlock, replication, settings.delegate() == WalDelegate.MULTIWAL)
              .next(space, 1, System.nanoTime());
      return WatermarkCheck.impossible(space.get(), least);
    } catch (IOException | RuntimeException e) {
      LOG.debug("No space could be read for {}", rule, e);
      return Optional.empty();
    }
  }
}
