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

import io.github.hybridhbase.config.HybridSettings;
import io.github.hybridhbase.config.StoragePolicy;
import io.github.hybridhbase.directory.Obstacle.Kind;
import io.github.hybridhbase.hdfs.Bytes;
import io.github.hybridhbase.hdfs.HdfsNamespace;
import io.github.hybridhbase.hdfs.Namespaces;
import io.github.hybridhbase.hdfs.SpaceReader;
import io.github.hybridhbase.hdfs.SsdSpace;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.placement.DirectoryRule;
import io.github.hybridhbase.space.Headroom;
import io.github.hybridhbase.space.HeadroomEstimate;
import io.github.hybridhbase.space.StartProbes;
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

/**
 * The checks of a master's start for whatever works against the placement, see {@link Obstacle}.
 */
@InterfaceAudience.Private
final class StartChecks {
  private static final Logger LOG = LoggerFactory.getLogger(StartChecks.class);

  private StartChecks() {}

  /**
   * Checks settings and quotas. Never throws.
   *
   * @param probes the start's, which have read quotas already
   */
  static List<Obstacle> findings(
      Configuration conf, List<DirectoryRule> rules, Namespaces namespaces, StartProbes probes) {
    List<Obstacle> found = new ArrayList<>();
    Obstacle.shadowing(conf, Kind.WAL_POLICY, Obstacle.WAL_KEY).ifPresent(found::add);
    if (rules.stream().anyMatch(rule -> rule.policy() == StoragePolicy.ONE_SSD)) {
      Obstacle.oneSsd(conf.getBoolean(Obstacle.TOPOLOGY, true), "here, or by HDFS's default")
          .ifPresent(found::add);
    }
    Obstacle.superuserOnly(conf).ifPresent(found::add);
    for (DirectoryRule rule : rules) {
      if (rule.policy().wantsSsd()) {
        quota(rule, namespaces, probes).ifPresent(found::add);
      }
    }
    return found;
  }

  private static Optional<Obstacle> quota(
      DirectoryRule rule, Namespaces namespaces, StartProbes probes) {
    try {
      Optional<StorageNamespace> namespace = namespaces.of(rule);
      if (namespace.isEmpty() || namespace.get().policy(rule.path()).isEmpty()) {
        return Optional.empty();
      }
      String path = rule.path().toUri().getPath();
      return probes
          .ssdQuota(rule, namespace.get())
          .map(bytes -> Obstacle.ssdQuota(path, path, Bytes.text(bytes) + " in all"));
    } catch (IOException | RuntimeException e) {
      LOG.debug("No quota could be read of {}", rule, e);
      return Optional.empty();
    }
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
      Optional<SsdSpace> space = SpaceReader.of(fs, conf).flatMap(SpaceReader::read);
      Optional<StorageNamespace> namespace = HdfsNamespace.of(fs);
      if (space.isEmpty() || namespace.isEmpty()) {
        return Optional.empty();
      }
      Headroom least =
          HeadroomEstimate.of(conf, settings, namespace.get().defaultBlockSize(rule.path()))
              .next(space, 1, System.nanoTime());
      return WatermarkCheck.impossible(space.get(), least);
    } catch (IOException | RuntimeException e) {
      LOG.debug("No space could be read for {}", rule, e);
      return Optional.empty();
    }
  }
}
