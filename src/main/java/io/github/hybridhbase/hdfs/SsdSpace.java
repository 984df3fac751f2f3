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

import io.github.hybridhbase.hdfs.WebClient.Jmx;
import io.github.hybridhbase.runtime.Text;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.yetus.audience.InterfaceAudience;

/** The SSD capacity and free space of an HDFS at one moment, in bytes. Immutable. */
@InterfaceAudience.Private
public final class SsdSpace {
  public final long capacity;
  public final long used;
  public final long remaining;

  /** DataNodes in service with SSD. */
  public final int nodes;

  /** They; empty if this user may not list them. */
  public final List<DataNodeState> perNode;

  /** DataNodes in service without SSD; empty also if this user may not list them. */
  public final List<String> without;

  /** DataNodes, also dead ones: HDFS counts their replicas as live and does not list them. */
  public final int inMaintenance;

  public SsdSpace(
      long capacity, long used, long remaining, int nodes, List<DataNodeState> perNode) {
    this(capacity, used, remaining, nodes, perNode, List.of(), 0);
  }

  public SsdSpace(
      long capacity,
      long used,
      long remaining,
      int nodes,
      List<DataNodeState> perNode,
      List<String> without,
      int inMaintenance) {
    this.capacity = Math.max(0, capacity);
    this.used = Math.max(0, used);
    this.remaining = Math.max(0, remaining);
    this.nodes = Math.max(0, nodes);
    this.perNode = List.copyOf(perNode);
    this.without = List.copyOf(without);
    this.inMaintenance = inMaintenance;
  }

  /** The SSDs in a {@link Jmx#BLOCK_STATS}; capacity 0 without SSD, empty if it is none. */
  static Optional<SsdSpace> of(String json, int inMaintenance) {
    return Jmx.bean(json)
        .map(bean -> bean.get("StorageTypeStats"))
        .flatMap(stats -> Jmx.tolerant(() -> Optional.of(summed(stats, inMaintenance))));
  }

  private static SsdSpace summed(JsonElement types, int inMaintenance) {
    for (JsonElement type : types.getAsJsonArray()) {
      JsonObject value = type.getAsJsonObject().getAsJsonObject("value");
      if (type.getAsJsonObject().get("key").getAsString().equals("SSD")) {
        return new SsdSpace(
            value.get("capacityTotal").getAsLong(),
            value.get("capacityUsed").getAsLong(),
            value.get("capacityRemaining").getAsLong(),
            value.get("nodesInService").getAsInt(),
            List.of(),
            List.of(),
            inMaintenance);
      }
    }
    return new SsdSpace(0, 0, 0, 0, List.of());
  }

  /** Of those in service; the NameNode's sum includes others. */
  static SsdSpace of(Collection<DataNodeState> live, int deadInMaintenance) {
    List<DataNodeState> nodes =
        live.stream()
            .filter(node -> node.inService() && node.capacity > 0)
            .collect(Collectors.toList());
    return new SsdSpace(
        nodes.stream().mapToLong(node -> node.capacity).sum(),
        nodes.stream().mapToLong(node -> node.used).sum(),
        nodes.stream().mapToLong(node -> node.free).sum(),
        nodes.size(),
        nodes,
        without(live),
        deadInMaintenance + (int) live.stream().filter(DataNodeState::inMaintenance).count());
  }

  /** Those in service known to lack SSD. */
  public static List<String> without(Collection<DataNodeState> live) {
    return live.stream()
        .filter(node -> node.inService() && !node.types.isEmpty() && !node.hasSsd())
        .map(node -> node.name)
        .collect(Collectors.toList());
  }

  /** 0 to 100; 0 without SSD. */
  public double freePercent() {
    return capacity == 0 ? 0 : 100.0 * Math.min(remaining, capacity) / capacity;
  }

  /** With at least this space; by the average if not listed. */
  public int nodesWithSpace(long bytes) {
    if (perNode.isEmpty()) {
      return nodes > 0 && remaining / nodes >= bytes ? nodes : 0;
    }
    return (int) perNode.stream().filter(node -> node.remaining >= bytes).count();
  }

  @Override
  public String toString() {
    String free = "SSD " + Text.bytes(remaining) + " of " + Text.bytes(capacity) + " free on ";
    return free + Text.count(nodes, "DataNode");
  }
}
