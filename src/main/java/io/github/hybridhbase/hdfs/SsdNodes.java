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

import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The DataNodes with SSD of one HDFS, which the active master publishes as the xattr {@value
 * #XATTR} of HBase's root, so that no server asks DataNodes. Immutable.
 *
 * <p>An xattr has at most 16 KiB by default, so a long list is cut.
 */
@InterfaceAudience.Private
public final class SsdNodes {
  /** Not a plugin record: another form reads as none. */
  public static final String XATTR = "user.hbase.hybrid-ssd-nodes";

  private static final int MOST_CHARS = 12_000;
  private static final Pattern FORM =
      Pattern.compile("v1 (\\d{1,9}) (\\d{1,9}) (\\d{1,9}) (\\d{1,9})((?: \\S+=\\S+)*+)");

  /** In service. */
  final int dataNodes;

  final int withSsd;

  /** In service with unknown media. */
  final int unknown;

  final int racks;

  /** By the NameNode's address; empty if most have SSD. */
  final Map<String, String> rackOf;

  private SsdNodes(int dataNodes, int withSsd, int unknown, int racks, Map<String, String> rackOf) {
    this.dataNodes = dataNodes;
    this.withSsd = withSsd;
    this.unknown = unknown;
    this.racks = racks;
    this.rackOf = Map.copyOf(rackOf);
  }

  public static SsdNodes of(Collection<DataNodeState> live) {
    Set<String> racks = new HashSet<>();
    Map<String, String> rackOf = new TreeMap<>();
    int dataNodes = 0;
    int unknown = 0;
    for (DataNodeState node : live) {
      racks.add(node.rack);
      if (node.inService()) {
        dataNodes++;
        unknown += node.types.isEmpty() ? 1 : 0;
        if (node.hasSsd()) {
          rackOf.put(node.address, node.rack);
        }
      }
    }
    int withSsd = rackOf.size();
    // Otherwise HDFS's load check has alternatives.
    boolean named = 2 * withSsd <= dataNodes;
    return new SsdNodes(dataNodes, withSsd, unknown, racks.size(), named ? rackOf : Map.of());
  }

  /** Empty if another version wrote it. */
  public static Optional<SsdNodes> parse(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      return Optional.empty();
    }
    Map<String, String> rackOf = new TreeMap<>();
    for (String rack : form.group(5).trim().split(" ")) {
      int end = rack.lastIndexOf('=');
      if (end > 0) {
        for (String address : rack.substring(end + 1).split(",")) {
          rackOf.put(address, rack.substring(0, end));
        }
      }
    }
    return Optional.of(
        new SsdNodes(
            Integer.parseInt(form.group(1)),
            Integer.parseInt(form.group(2)),
            Integer.parseInt(form.group(3)),
            Integer.parseInt(form.group(4)),
            rackOf));
  }

  /** As {@code BlockPlacementPolicyDefault.getMaxNodesPerRack}. */
  public static int perRack(int replicas, int racks) {
    if (racks <= 1 || replicas <= 1) {
      return replicas;
    }
    int most = (replicas - 1) / racks + 2;
    return most == replicas ? most - 1 : most;
  }

  boolean isComplete() {
    return unknown == 0 && rackOf.size() == withSsd;
  }

  /** The text to publish. */
  @Override
  public String toString() {
    Map<String, String> byRack = new TreeMap<>();
    int chars = 0;
    for (String address : new TreeSet<>(rackOf.keySet())) {
      String rack = rackOf.get(address);
      chars += address.length() + 1 + (byRack.containsKey(rack) ? 0 : rack.length() + 2);
      if (chars > MOST_CHARS) {
        break;
      }
      byRack.merge(rack, address, (all, next) -> all + "," + next);
    }
    StringBuilder text = new StringBuilder("v1 " + dataNodes + " " + withSsd);
    text.append(" ").append(unknown).append(" ").append(racks);
    byRack.forEach((rack, nodes) -> text.append(" ").append(rack).append("=").append(nodes));
    return text.toString();
  }
}
