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
package io.github.hybridhbase.tool.doctor;

import io.github.hybridhbase.report.FindingId;
import java.util.List;
import org.apache.yetus.audience.InterfaceAudience;

/** A check whether ZooKeeper's directories are on a rotating disk. */
@InterfaceAudience.Private
final class ZooKeeperChecks {
  private ZooKeeperChecks() {}

  static void examine(ClusterFacts facts, Diagnosis diagnosis) {
    List<ClusterFacts.ZooKeeperDirectory> directories =
        diagnosis.seen("ZooKeeper's directories", facts.zooKeeper).orElse(List.of());
    for (ClusterFacts.ZooKeeperDirectory directory : directories) {
      diagnosis
          .seen("ZooKeeper's " + directory.path + " on " + directory.server, directory.rotational)
          .filter(rotational -> rotational)
          .ifPresent(
              yes ->
                  diagnosis.add(
                      FindingId.ZOOKEEPER_ON_DISK, directory.server + ":" + directory.path));
    }
  }
}
