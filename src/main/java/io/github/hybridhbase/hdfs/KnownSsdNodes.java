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
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.net.NetUtils;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The DataNodes with SSD that one client knows: from the active master ({@link #looked}) and from
 * the NameNode's answers to its own blocks ({@link #answered}). Thread-safe.
 */
@InterfaceAudience.Private
final class KnownSsdNodes {
  /** How long a DataNode that took no replica is named last. */
  static final long DOUBT_NANOS = TimeUnit.SECONDS.toNanos(30);

  /** Rejections after which an unseen DataNode is forgotten. */
  private static final int MOST_MISSES = 5;

  private static final int MOST_OTHERS = 10_000;

  private final LongSupplier clock;
  private final Predicate<String> isLocal;
  private final Map<String, Node> ssd = new HashMap<>();

  private final Map<String, String> seen = new HashMap<>();

  /** By the active master. */
  private SsdNodes published = SsdNodes.of(List.of());

  private long uses;
  private boolean falls;
  private boolean fell;

  KnownSsdNodes() {
    this(System::nanoTime, KnownSsdNodes::isLocal);
  }

  KnownSsdNodes(LongSupplier clock, Predicate<String> isLocal) {
    this.clock = clock;
    this.isLocal = isLocal;
  }

  private static boolean isLocal(String address) {
    return NetUtils.isLocalAddress(
        NetUtils.createSocketAddr(address, -1).getAddress()); // an IP address: no DNS query
  }

  synchronized int size() {
    return ssd.size();
  }

  /**
   * The addresses that a new block names; empty to leave the choice to the NameNode.
   *
   * @param onSsd replicas that the policy puts on SSD
   * @param noLocal whether to skip this host
   */
  synchronized List<String> name(
      int replicas, int onSsd, boolean noLocal, Collection<String> excluded) {
    long now = clock.getAsLong();
    for (String address : excluded) {
      doubt(address, now);
    }
    if (onSsd <= 0) {
      return List.of();
    }
    int known = Math.max(published.withSsd, ssd.size());
    int all = Math.max(published.dataNodes, seen.size());
    if (published.dataNodes == 0 && fell) {
      // HDFS alone has put a block on DISK: name those known here.
      all = Math.max(all, 2 * known + excluded.size() + replicas);
    }
    int most = FavouredNodes.most(known, all, excluded.size(), replicas);
    List<Node> nodes = new ArrayList<>();
    for (Node node : ssd.values()) {
      node.doubtful &= now - node.doubtedAt < DOUBT_NANOS;
      if (!excluded.contains(node.address) && !(noLocal && node.local)) {
        nodes.add(node);
      }
    }
    int perRack = SsdNodes.perRack(replicas, Math.max(published.racks, racksSeen()));
    // An extra one would take a replica that belongs on DISK.
    List<String> chosen =
        FavouredNodes.choose(
            nodes, onSsd, perRack, onSsd < replicas ? Math.min(onSsd, most) : most);
    for (int i = 0; i < Math.min(onSsd, chosen.size()); i++) {
      ssd.get(chosen.get(i)).lastUse = ++uses;
    }
    return chosen;
  }

  private void doubt(String address, long now) {
    Node node = ssd.get(address);
    if (node != null) {
      node.doubtful = true;
      node.doubtedAt = now;
    }
  }

  private int racksSeen() {
    return new HashSet<>(seen.values()).size();
  }

  /**
   * @param named result of {@link #name}
   */
  synchronized void answered(List<String> named, int onSsd, LocatedBlock block) {
    DatanodeInfo[] nodes = block.getLocations();
    Set<String> taken = new HashSet<>();
    for (int i = 0; i < nodes.length; i++) {
      String address = nodes[i].getXferAddr();
      if (seen.size() < MOST_OTHERS) {
        seen.put(address, nodes[i].getNetworkLocation());
      }
      if (block.getStorageTypes()[i] == StorageType.SSD) {
        learn(address, nodes[i].getNetworkLocation());
        taken.add(address);
      }
    }
    reject(named, onSsd, taken);
    falls = taken.size() < Math.min(onSsd, nodes.length);
    fell |= falls;
  }

  synchronized boolean fallsShort() {
    return falls;
  }

  private void reject(List<String> named, int onSsd, Set<String> taken) {
    List<String> rejected = new ArrayList<>(named);
    if (named.stream().filter(taken::contains).count() >= onSsd) {
      // The NameNode asked none behind the last taken.
      while (!rejected.isEmpty() && !taken.contains(rejected.get(rejected.size() - 1))) {
        rejected.remove(rejected.size() - 1);
      }
    }
    rejected.removeIf(address -> taken.contains(address) || !ssd.containsKey(address));
    for (String address : rejected) {
      doubt(address, clock.getAsLong());
      if (++ssd.get(address).misses >= MOST_MISSES) {
        ssd.remove(address);
      }
    }
  }

  private void learn(String address, String rack) {
    Node node =
        ssd.computeIfAbsent(
            address,
            // Servers that start together choose different ones first.
            unknown ->
                new Node(
                    unknown,
                    rack,
                    isLocal.test(unknown),
                    false,
                    -ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE)));
    node.rack = rack;
    node.misses = 0;
  }

  synchronized void looked(SsdNodes next) {
    seen.clear();
    published = next;
    published.rackOf.forEach(this::learn);
    if (published.isComplete()) {
      ssd.keySet().retainAll(published.rackOf.keySet());
    }
  }

  @Override
  public synchronized String toString() {
    return ssd.entrySet().stream()
            .map(entry -> entry.getKey() + entry.getValue().rack)
            .sorted()
            .collect(Collectors.toList())
        + " of "
        + Math.max(published.dataNodes, seen.size());
  }

  /** A DataNode with SSD. */
  static final class Node {
    private final String address;
    private String rack;
    private final boolean local;
    private boolean doubtful;
    private long doubtedAt;
    private long lastUse;
    private int misses;

    /**
     * @param address IP address and port
     * @param doubtful took no replica lately, or lacks space
     * @param lastUse ordinal; lowest if never chosen
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
   * A pure choice of a WAL block's favoured nodes, which skip HDFS's load check ({@code
   * BlockPlacementPolicyDefault.chooseFavouredNodes}).
   *
   * <p>The NameNode tries them in order until it has enough; the last are spares. A rejected one
   * gets no other replica either, so enough DataNodes must remain for DISK.
   */
  @InterfaceAudience.Private
  static final class FavouredNodes {
    /** Includes spares; the NameNode logs each rejection. */
    static final int MOST = 8;

    private FavouredNodes() {}

    /**
     * How many may be named; 0 if most have SSD: HDFS's load check then has alternatives.
     *
     * @param all DataNodes in service
     */
    static int most(int ssd, int all, int excluded, int replicas) {
      return 2 * ssd > all ? 0 : Math.max(0, Math.min(MOST, all - excluded - replicas));
    }

    /**
     * The local DataNode first, then the least recently chosen; doubtful ones last.
     *
     * @return addresses, spares last
     */
    static List<String> choose(Collection<Node> nodes, int wanted, int perRack, int most) {
      List<Node> left = new ArrayList<>(nodes);
      left.sort(
          Comparator.<Node, Boolean>comparing(node -> node.doubtful)
              .thenComparingLong(node -> node.lastUse)
              .thenComparing(node -> node.address));
      left.stream()
          .filter(node -> node.local && !node.doubtful)
          .findFirst()
          .ifPresent(
              local -> {
                left.remove(local);
                left.add(0, local);
              });
      Map<String, Integer> inRack = new HashMap<>();
      List<String> chosen = new ArrayList<>();
      take(left, chosen, inRack, perRack, Math.min(wanted, most));
      // The NameNode may reject one.
      take(left, chosen, inRack, perRack < wanted ? perRack + 1 : Integer.MAX_VALUE, most);
      return chosen;
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
  }
}
