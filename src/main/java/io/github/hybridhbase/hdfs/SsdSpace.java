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
import io.github.hybridhbase.report.Finding;
import io.github.hybridhbase.report.FindingId;
import io.github.hybridhbase.runtime.Text;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.hbase.thirdparty.com.google.gson.JsonArray;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.yetus.audience.InterfaceAudience;

/** The SSD capacity and free space of an HDFS at one moment, in bytes. Immutable. */
@InterfaceAudience.Private
public final class SsdSpace {
  @InterfaceAudience.Private
  public static final class Node {
    private final String name;
    private final long capacity;
    private final long free;
    private final long remaining;
    private final long silentSeconds;

    public Node(String name, long capacity, long free, long remaining) {
      this(name, capacity, free, remaining, 0);
    }

    /**
     * @param remaining free on its emptiest volume, since a block needs one
     * @param silentSeconds since its last heartbeat
     */
    public Node(String name, long capacity, long free, long remaining, long silentSeconds) {
      this.name = name;
      this.capacity = Math.max(0, capacity);
      this.free = Math.max(0, free);
      this.remaining = Math.max(0, remaining);
      this.silentSeconds = silentSeconds;
    }

    public String name() {
      return name;
    }

    public long capacity() {
      return capacity;
    }

    public long free() {
      return free;
    }

    public long remaining() {
      return remaining;
    }

    public long silentSeconds() {
      return silentSeconds;
    }
  }

  /** HDFS calls a DataNode stale then ({@code dfs.namenode.stale.datanode.interval}). */
  private static final long SILENT_SECONDS = 30;

  static final SsdSpace NONE = new SsdSpace(0, 0, 0, 0, List.of());

  private final long capacity;
  private final long used;
  private final long remaining;
  private final int nodes;
  private final List<Node> perNode;
  private final List<String> without;
  private final boolean disk;
  private final boolean summedUp;
  private final int inMaintenance;

  /**
   * An HDFS with DISK.
   *
   * @param nodes DataNodes in service with SSD
   * @param perNode empty if this user may not list them
   */
  public SsdSpace(long capacity, long used, long remaining, int nodes, List<Node> perNode) {
    this(capacity, used, remaining, nodes, perNode, List.of(), true, false, 0);
  }

  private SsdSpace(
      long capacity,
      long used,
      long remaining,
      int nodes,
      List<Node> perNode,
      List<String> without,
      boolean disk,
      boolean summedUp,
      int inMaintenance) {
    this.disk = disk;
    this.summedUp = summedUp;
    this.inMaintenance = inMaintenance;
    this.capacity = Math.max(0, capacity);
    this.used = Math.max(0, used);
    this.remaining = Math.max(0, remaining);
    this.nodes = Math.max(0, nodes);
    this.perNode = List.copyOf(perNode);
    this.without = List.copyOf(without);
  }

  public long capacity() {
    return capacity;
  }

  public long used() {
    return used;
  }

  public long remaining() {
    return remaining;
  }

  public int nodes() {
    return nodes;
  }

  public List<Node> perNode() {
    return perNode;
  }

  /** DataNodes in service without SSD; empty also if this user may not list them. */
  public List<String> without() {
    return without;
  }

  /**
   * With the DataNodes of another reading, and their capacity: the NameNode's includes DataNodes
   * that are in maintenance or being decommissioned ({@code StorageTypeStats.addStorage}).
   */
  SsdSpace withNodesOf(SsdSpace other) {
    long ofOthers = Math.max(0, capacity - other.capacity);
    return new SsdSpace(
        capacity - ofOthers,
        used - ofOthers,
        remaining,
        nodes,
        other.perNode,
        other.without,
        disk,
        summedUp,
        inMaintenance);
  }

  public SsdSpace without(List<String> names) {
    return new SsdSpace(
        capacity, used, remaining, nodes, perNode, names, disk, summedUp, inMaintenance);
  }

  public SsdSpace withoutDisk() {
    return new SsdSpace(
        capacity, used, remaining, nodes, perNode, without, false, summedUp, inMaintenance);
  }

  public SsdSpace summedUp() {
    return new SsdSpace(
        capacity, used, remaining, nodes, perNode, without, disk, true, inMaintenance);
  }

  public SsdSpace inMaintenance(int dataNodes) {
    return new SsdSpace(
        capacity, used, remaining, nodes, perNode, without, disk, summedUp, dataNodes);
  }

  /** HDFS counts their replicas as live and does not list them. */
  public int inMaintenance() {
    return inMaintenance;
  }

  /** The SSDs in a {@link Jmx#BLOCK_STATS}; capacity 0 without SSD. */
  static Optional<SsdSpace> of(String json) {
    return Jmx.bean(json)
        .map(bean -> bean.get("StorageTypeStats"))
        .flatMap(stats -> Jmx.tolerant(() -> Optional.of(ssd(stats.getAsJsonArray()))));
  }

  private static SsdSpace ssd(JsonArray types) {
    SsdSpace ssd = SsdSpace.NONE;
    boolean disk = false;
    for (JsonElement type : types) {
      JsonObject entry = type.getAsJsonObject();
      JsonObject value = entry.getAsJsonObject("value");
      String key = entry.get("key").getAsString();
      if (key.equals("SSD")) {
        ssd =
            new SsdSpace(
                value.get("capacityTotal").getAsLong(),
                value.get("capacityUsed").getAsLong(),
                value.get("capacityRemaining").getAsLong(),
                value.get("nodesInService").getAsInt(),
                List.of());
      }
      disk |= key.equals("DISK") && value.get("capacityTotal").getAsLong() > 0;
    }
    return disk ? ssd : ssd.withoutDisk();
  }

  /** In service only; the NameNode's sum includes others. */
  static SsdSpace of(Collection<DataNodeState> live) {
    List<Node> nodes = new ArrayList<>();
    long used = 0;
    boolean disk = false;
    long last = live.stream().mapToLong(node -> node.heard).max().orElse(0);
    for (DataNodeState node : live) {
      long capacity = node.inService() ? node.ssd(volume -> volume.capacity) : 0;
      if (capacity > 0) {
        long free = node.ssd(volume -> volume.free);
        nodes.add(
            new Node(
                node.name,
                capacity,
                free,
                node.ssdRemaining().orElse(0),
                (last - node.heard) / 1_000));
        used += node.ssd(volume -> volume.used);
      }
      disk |= node.inService() && node.hasDisk();
    }
    return new SsdSpace(
        nodes.stream().mapToLong(Node::capacity).sum(),
        used,
        nodes.stream().mapToLong(Node::free).sum(),
        nodes.size(),
        nodes,
        without(live),
        disk,
        true,
        (int) live.stream().filter(DataNodeState::inMaintenance).count());
  }

  /** Those in service known to lack SSD. */
  public static List<String> without(Collection<DataNodeState> live) {
    return live.stream()
        .filter(node -> node.inService() && !node.types().isEmpty() && !node.hasSsd())
        .map(node -> node.name)
        .collect(Collectors.toList());
  }

  /** Whether their difference has a meaning: both have the same source. */
  public boolean comparableTo(SsdSpace other) {
    return summedUp == other.summedUp;
  }

  /**
   * Without DISK data cannot leave SSD: HOT has no creation fallback ({@code
   * BlockStoragePolicySuite}).
   */
  public boolean hasDisk() {
    return disk;
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

  /**
   * @param block bytes that HDFS needs to open a WAL
   */
  public List<Finding> findings(int lowPercent, int replicas, long block) {
    if (nodes == 0) {
      return List.of(Finding.of(FindingId.NO_SSD, "DataNodes"));
    }
    List<Finding> findings = new ArrayList<>();
    if (nodes < replicas) {
      boolean named = !without.isEmpty();
      String all = named ? " of " + (nodes + without.size()) : "";
      findings.add(
          Finding.of(
                  FindingId.FEW_SSD_NODES,
                  "DataNodes",
                  nodes + all + (nodes == 1 && !named ? " DataNode" : " DataNodes"),
                  replicas,
                  named ? "; without SSD: " + Text.some(without) : "")
              .about(without));
    }
    List<String> silent =
        perNode.stream()
            .filter(node -> node.silentSeconds > SILENT_SECONDS)
            .map(node -> node.name + " (" + node.silentSeconds + " s)")
            .collect(Collectors.toList());
    if (!silent.isEmpty()) {
      findings.add(silent(silent));
    }
    int roomy = nodesWithSpace(block);
    if (roomy < Math.min(replicas, nodes) || freePercent() < lowPercent) {
      findings.add(
          Finding.of(
              FindingId.SSD_SPACE,
              "DataNodes",
              this + (others() == 0 ? "" : "; not HDFS's files: " + Text.bytes(others())),
              String.format(Locale.ROOT, "%.0f", freePercent()),
              lowPercent,
              Text.bytes(block),
              roomy));
    }
    return findings;
  }

  /**
   * @param nodes each with how long
   */
  public static Finding silent(List<String> nodes) {
    return Finding.of(FindingId.DATANODE_SILENT, "DataNodes", Text.some(nodes))
        .withWeight(nodes.size());
  }

  /** Bytes neither free nor HDFS's, if most of what is taken; otherwise 0. */
  private long others() {
    long taken = capacity - Math.min(remaining, capacity);
    long others = taken - Math.min(used, taken);
    return 2 * others > taken ? others : 0;
  }

  @Override
  public String toString() {
    return "SSD "
        + Text.bytes(remaining)
        + " of "
        + Text.bytes(capacity)
        + " free on "
        + nodes
        + (nodes == 1 ? " DataNode" : " DataNodes");
  }
}
