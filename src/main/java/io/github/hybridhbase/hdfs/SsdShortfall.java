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
package io.github.hybridhbase.hdfs;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.yetus.audience.InterfaceAudience;

/** A client's explanation why HDFS placed a replica off SSD. Pure. */
@InterfaceAudience.Private
final class SsdShortfall {
  private final int onSsd;
  private final int perRack;
  private final Collection<String> outOfService;

  /**
   * @param onSsd replicas that belong on SSD
   * @param perRack replicas that HDFS puts into one rack
   * @param outOfService DataNodes with SSD that are decommissioned or in maintenance
   */
  SsdShortfall(int onSsd, int perRack, Collection<String> outOfService) {
    this.onSsd = onSsd;
    this.perRack = perRack;
    this.outOfService = outOfService;
  }

  /**
   * Returns the cause, as the end of a sentence.
   *
   * @param racks rack of each DataNode with SSD in service, by address
   * @param excluded DataNodes that the block excludes
   * @param full DataNodes with SSD but without space for the block
   * @param rejected DataNodes that were named and got no replica
   */
  String cause(
      Map<String, String> racks,
      Collection<String> excluded,
      Collection<String> full,
      Collection<String> rejected) {
    Map<String, String> usable = new TreeMap<>(racks);
    List<String> reasons = new ArrayList<>();
    if (usable.size() + outOfService.size() < onSsd) {
      reasons.add(
          usable.isEmpty() && outOfService.isEmpty()
              ? "no DataNode with SSD is known"
              : "only " + (usable.size() + outOfService.size()) + " DataNodes have SSD");
    }
    usable.keySet().removeAll(excluded);
    usable.keySet().removeAll(full);
    if (usable.size() < onSsd) {
      name(reasons, "out of service", outOfService, outOfService);
      name(reasons, "excluded after failures or stalls", racks.keySet(), excluded);
      name(reasons, "no space", racks.keySet(), full);
      return text(reasons);
    }
    Map<String, Integer> inRack = new TreeMap<>();
    usable.values().forEach(rack -> inRack.merge(rack, 1, Integer::sum));
    if (inRack.values().stream().mapToInt(nodes -> Math.min(nodes, perRack)).sum() < onSsd) {
      reasons.add(
          "HDFS puts "
              + perRack
              + " replicas into one rack, and DataNodes with SSD are in "
              + String.join(", ", inRack.keySet())
              + " only");
      return text(reasons);
    }
    name(reasons, "passed over by HDFS (full, stale or slow)", racks.keySet(), rejected);
    if (reasons.isEmpty()) {
      reasons.add(
          "HDFS passed over DataNodes with SSD, probably for their load (finding ssd-overloaded of"
              + " 'hbase-hybrid doctor')");
    }
    return text(reasons);
  }

  private static void name(
      List<String> reasons, String what, Collection<String> ssd, Collection<String> nodes) {
    List<String> named =
        new TreeSet<>(nodes).stream().filter(ssd::contains).collect(Collectors.toList());
    if (!named.isEmpty()) {
      reasons.add(what + ": " + String.join(", ", named));
    }
  }

  private static String text(List<String> reasons) {
    return String.join("; ", reasons);
  }
}
