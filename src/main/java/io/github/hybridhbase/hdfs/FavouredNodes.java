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
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Chooses the SSD DataNodes that a WAL's block names to the NameNode as favoured nodes. HDFS places
 * replicas on favoured nodes without the load check ({@code
 * BlockPlacementPolicyDefault.chooseFavouredNodes}); its other rules stay in force.
 *
 * <p>The NameNode takes the favoured nodes in their order until it has enough of them, so the first
 * ones are the choice and the others are spares for those that it rejects. One that it rejects it
 * uses for no other replica either, so enough DataNodes must be left for DISK. Pure.
 */
@InterfaceAudience.Private
final class FavouredNodes {
  /** Named at most, spares included: the NameNode logs each one that it rejects. */
  static final int MOST = 8;

  private FavouredNodes() {}

  /**
   * Replicas of a block that HDFS puts into one rack ({@code
   * BlockPlacementPolicyDefault.getMaxNodesPerRack}).
   */
  static int perRack(int replicas, int racks) {
    if (racks <= 1 || replicas <= 1) {
      return replicas;
    }
    int most = (replicas - 1) / racks + 2;
    return most == replicas ? most - 1 : most;
  }

  /**
   * How many DataNodes may be named.
   *
   * @param ssd DataNodes with SSD
   * @param all DataNodes in service
   * @param excluded DataNodes that the block leaves out
   * @return 0 if most DataNodes have SSD: HDFS's load check then has others to choose from
   */
  static int most(int ssd, int all, int excluded, int replicas) {
    return 2 * ssd > all ? 0 : Math.max(0, Math.min(MOST, all - excluded - replicas));
  }

  /**
   * Chooses DataNodes: the local one first, then whichever was chosen longest ago, at most so many
   * in a rack; doubtful ones last.
   *
   * @param nodes those that may be chosen
   * @param wanted replicas that are to be on SSD
   * @param perRack replicas that HDFS puts into one rack
   * @param most addresses at most
   * @return addresses, the choice first and the spares behind it
   */
  static List<String> choose(Collection<SsdNode> nodes, int wanted, int perRack, int most) {
    List<SsdNode> left = new ArrayList<>(nodes);
    left.sort(
        Comparator.comparing(SsdNode::isDoubtful)
            .thenComparingLong(SsdNode::lastUse)
            .thenComparing(SsdNode::address));
    OptionalInt local = local(left);
    if (local.isPresent()) {
      left.add(0, left.remove(local.getAsInt()));
    }
    Map<String, Integer> inRack = new HashMap<>();
    List<String> chosen = new ArrayList<>();
    take(left, chosen, inRack, perRack, Math.min(wanted, most));
    // One of a full rack may be needed if the NameNode rejects another one of that rack.
    take(left, chosen, inRack, perRack + 1, most);
    return chosen;
  }

  private static OptionalInt local(List<SsdNode> nodes) {
    for (int i = 0; i < nodes.size(); i++) {
      if (nodes.get(i).isLocal() && !nodes.get(i).isDoubtful()) {
        return OptionalInt.of(i);
      }
    }
    return OptionalInt.empty();
  }

  private static void take(
      List<SsdNode> left,
      List<String> chosen,
      Map<String, Integer> inRack,
      int perRack,
      int until) {
    left.removeIf(
        node -> {
          boolean taken = chosen.size() < until && inRack.getOrDefault(node.rack(), 0) < perRack;
          if (taken) {
            inRack.merge(node.rack(), 1, Integer::sum);
            chosen.add(node.address());
          }
          return taken;
        });
  }
}
