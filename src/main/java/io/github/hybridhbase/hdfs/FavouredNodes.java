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
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A pure choice of the SSD DataNodes that a WAL's block names as favoured nodes. HDFS skips the
 * load check for those ({@code BlockPlacementPolicyDefault.chooseFavouredNodes}); its other rules
 * apply.
 *
 * <p>The NameNode tries them in order until it has enough, so the first ones are the choice and the
 * others replace rejected ones. A rejected one gets no other replica either, so enough DataNodes
 * must remain for DISK.
 */
@InterfaceAudience.Private
final class FavouredNodes {
  /** Maximum including spares, since the NameNode logs each rejection. */
  static final int MOST = 8;

  private FavouredNodes() {}

  /** A DataNode with SSD. Immutable. */
  static final class Node {
    private final String address;
    private final String rack;
    private final boolean local;
    private final boolean doubtful;
    private final long lastUse;

    /**
     * @param address IP address and port, the NameNode's key
     * @param rack network location, as {@code /rack1}
     * @param doubtful whether it recently took no replica, or lacks space
     * @param lastUse ordinal of its last choice; below all others if never chosen
     */
    Node(String address, String rack, boolean local, boolean doubtful, long lastUse) {
      this.address = address;
      this.rack = rack;
      this.local = local;
      this.doubtful = doubtful;
      this.lastUse = lastUse;
    }
  }

  /**
   * Replicas of a block in one rack, as in {@code BlockPlacementPolicyDefault.getMaxNodesPerRack}.
   */
  static int perRack(int replicas, int racks) {
    if (racks <= 1 || replicas <= 1) {
      return replicas;
    }
    int most = (replicas - 1) / racks + 2;
    return most == replicas ? most - 1 : most;
  }

  /**
   * How many DataNodes may be named; 0 if most have SSD, since HDFS's load check then has
   * alternatives.
   *
   * @param all DataNodes in service
   */
  static int most(int ssd, int all, int excluded, int replicas) {
    return 2 * ssd > all ? 0 : Math.max(0, Math.min(MOST, all - excluded - replicas));
  }

  /**
   * Chooses the local DataNode first, then the least recently chosen, within the rack limit;
   * doubtful ones last.
   *
   * @return addresses, spares last
   */
  static List<String> choose(Collection<Node> nodes, int wanted, int perRack, int most) {
    List<Node> left = new ArrayList<>(nodes);
    left.sort(
        Comparator.<Node, Boolean>comparing(node -> node.doubtful)
            .thenComparingLong(node -> node.lastUse)
            .thenComparing(node -> node.address));
    OptionalInt local = local(left);
    if (local.isPresent()) {
      left.add(0, left.remove(local.getAsInt()));
    }
    Map<String, Integer> inRack = new HashMap<>();
    List<String> chosen = new ArrayList<>();
    take(left, chosen, inRack, perRack, Math.min(wanted, most));
    // One more per rack, in case the NameNode rejects one of that rack.
    take(left, chosen, inRack, perRack < wanted ? perRack + 1 : Integer.MAX_VALUE, most);
    return chosen;
  }

  private static OptionalInt local(List<Node> nodes) {
    for (int i = 0; i < nodes.size(); i++) {
      if (nodes.get(i).local && !nodes.get(i).doubtful) {
        return OptionalInt.of(i);
      }
    }
    return OptionalInt.empty();
  }

  private static void take(
      List<Node> left, List<String> chosen, Map<String, Integer> inRack, int perRack, int until) {
    left.removeIf(
        node -> {
          boolean taken = chosen.size() < until && inRack.getOrDefault(node.rack, 0) < perRack;
          if (taken) {
            inRack.merge(node.rack, 1, Integer::sum);
            chosen.add(node.address);
          }
          return taken;
        });
  }

  @InterfaceAudience.Private
  static final class Shortfall {
    private final int onSsd;
    private final int perRack;
    private final Collection<String> outOfService;

    /**
     * @param perRack replicas that HDFS puts into one rack
     * @param outOfService DataNodes with SSD that are decommissioned or in maintenance
     */
    Shortfall(int onSsd, int perRack, Collection<String> outOfService) {
      this.onSsd = onSsd;
      this.perRack = perRack;
      this.outOfService = outOfService;
    }

    /**
     * @param racks by address of each DataNode with SSD in service
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
}
