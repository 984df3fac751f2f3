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

import java.util.List;
import org.apache.yetus.audience.InterfaceAudience;

/** How much SSD an HDFS has and how much of it is free, at one moment. Immutable. */
@InterfaceAudience.Private
public final class SsdSpace {
  /** The SSD of one DataNode. */
  @InterfaceAudience.Private
  public static final class Node {
    private final String name;
    private final long capacity;
    private final long free;
    private final long remaining;

    /**
     * Describes one DataNode.
     *
     * @param name host and port, for people
     * @param capacity bytes of all its SSD volumes
     * @param free bytes free on all of them
     * @param remaining bytes free on its roomiest SSD volume: HDFS puts a block on one volume
     */
    public Node(String name, long capacity, long free, long remaining) {
      this.name = name;
      this.capacity = Math.max(0, capacity);
      this.free = Math.max(0, free);
      this.remaining = Math.max(0, remaining);
    }

    /** Host and port. */
    public String name() {
      return name;
    }

    /** Bytes of all its SSD volumes. */
    public long capacity() {
      return capacity;
    }

    /** Bytes free on all its SSD volumes. */
    public long free() {
      return free;
    }

    /** Bytes free on its roomiest SSD volume. */
    public long remaining() {
      return remaining;
    }
  }

  private final long capacity;
  private final long used;
  private final long remaining;
  private final int nodes;
  private final List<Node> perNode;
  private final boolean disk;
  private final boolean summedUp;

  /**
   * Describes one HDFS that has DISK as well.
   *
   * @param capacity bytes of all SSD volumes
   * @param used bytes of blocks on them
   * @param remaining bytes free on them
   * @param nodes DataNodes in service that have SSD
   * @param perNode each of them, or empty where HDFS does not tell this user
   */
  public SsdSpace(long capacity, long used, long remaining, int nodes, List<Node> perNode) {
    this(capacity, used, remaining, nodes, perNode, true, false);
  }

  private SsdSpace(
      long capacity,
      long used,
      long remaining,
      int nodes,
      List<Node> perNode,
      boolean disk,
      boolean summedUp) {
    this.disk = disk;
    this.summedUp = summedUp;
    this.capacity = Math.max(0, capacity);
    this.used = Math.max(0, used);
    this.remaining = Math.max(0, remaining);
    this.nodes = Math.max(0, nodes);
    this.perNode = List.copyOf(perNode);
  }

  /** Bytes of all SSD volumes. */
  public long capacity() {
    return capacity;
  }

  /** Bytes of blocks on SSD. */
  public long used() {
    return used;
  }

  /** Bytes free on SSD. */
  public long remaining() {
    return remaining;
  }

  /** DataNodes in service that have SSD. */
  public int nodes() {
    return nodes;
  }

  /** Each DataNode; empty where HDFS does not tell. */
  public List<Node> perNode() {
    return perNode;
  }

  /** The same space with the DataNodes told apart. */
  public SsdSpace with(List<Node> each) {
    return new SsdSpace(capacity, used, remaining, nodes, each, disk, summedUp);
  }

  /** The same space on an HDFS without DISK. */
  public SsdSpace withoutDisk() {
    return new SsdSpace(capacity, used, remaining, nodes, perNode, false, summedUp);
  }

  /** The same space, added up from what each DataNode reported instead of told as a sum. */
  public SsdSpace summedUp() {
    return new SsdSpace(capacity, used, remaining, nodes, perNode, disk, true);
  }

  /** Whether both were told by the same source: only then is their difference what was written. */
  public boolean comparableTo(SsdSpace other) {
    return summedUp == other.summedUp;
  }

  /**
   * Whether HDFS has DISK too. Where it has none nothing can leave SSD: HOT has no fall-back at a
   * block's creation ({@code BlockStoragePolicySuite}).
   */
  public boolean hasDisk() {
    return disk;
  }

  /** Free share of all SSD in percent, 0 to 100; 0 where there is none. */
  public double freePercent() {
    return capacity == 0 ? 0 : 100.0 * Math.min(remaining, capacity) / capacity;
  }

  /**
   * DataNodes with at least this much space. Where the nodes are not told apart the average stands
   * for all of them.
   */
  public int nodesWithSpace(long bytes) {
    if (perNode.isEmpty()) {
      return nodes > 0 && remaining / nodes >= bytes ? nodes : 0;
    }
    return (int) perNode.stream().filter(node -> node.remaining >= bytes).count();
  }

  @Override
  public String toString() {
    return "SSD "
        + Bytes.text(remaining)
        + " of "
        + Bytes.text(capacity)
        + " free on "
        + nodes
        + (nodes == 1 ? " DataNode" : " DataNodes");
  }
}
