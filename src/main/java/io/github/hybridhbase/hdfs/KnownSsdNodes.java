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

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
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
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.net.NetUtils;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The DataNodes with SSD that one client knows, from scans ({@link #looked}), from existing blocks
 * ({@link #seen}), and, without extra calls, from the NameNode's answers to its own blocks ({@link
 * #answered}). Thread-safe; the lock is held for microseconds.
 */
@InterfaceAudience.Private
final class KnownSsdNodes {
  /** How long a DataNode that took no replica is named last. */
  static final long DOUBT_NANOS = TimeUnit.SECONDS.toNanos(30);

  /** How long no DataNode is named because the effective policy wants no SSD. */
  static final long PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);

  /** Rejections without a sighting after which a DataNode is forgotten. */
  private static final int MOST_MISSES = 5;

  private static final int MOST_OTHERS = 10_000;

  private static final class State {
    private String rack;
    private final boolean local;
    private long lastUse;
    private long doubtedAt;
    private boolean doubted;
    private int misses;

    private State(String rack, boolean local, long lastUse) {
      this.rack = rack;
      this.local = local;
      this.lastUse = lastUse;
    }
  }

  private final LongSupplier clock;
  private final Predicate<String> isLocal;
  private final Map<String, State> ssd = new HashMap<>();

  private final Map<String, String> seen = new HashMap<>();

  /** DataNodes with SSD that were out of service at the last scan. */
  private List<String> outOfService = List.of();

  private int dataNodes;
  private int racks;
  private long uses;
  private boolean falls;
  private boolean paused;
  private long pausedAt;

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
   * Returns the addresses that a new block names ({@link FavouredNodes#choose}); empty to leave the
   * choice to the NameNode.
   *
   * @param onSsd replicas that the declared policy puts on SSD
   * @param blockSize bytes; DataNodes with less than twice that are named last
   * @param noLocal whether to skip this host's DataNode
   */
  synchronized List<String> name(
      int replicas, int onSsd, long blockSize, boolean noLocal, Collection<String> excluded) {
    long now = clock.getAsLong();
    for (String address : excluded) {
      doubt(address, now);
    }
    if (paused && now - pausedAt < PAUSE_NANOS || onSsd <= 0) {
      return List.of();
    }
    int all = Math.max(dataNodes, seen.size());
    int most = FavouredNodes.most(ssd.size(), all, excluded.size(), replicas);
    List<FavouredNodes.Node> nodes = new ArrayList<>();
    ssd.forEach(
        (address, state) -> {
          if (!excluded.contains(address) && !(noLocal && state.local)) {
            boolean doubtful = isDoubted(state, now);
            nodes.add(
                new FavouredNodes.Node(address, state.rack, state.local, doubtful, state.lastUse));
          }
        });
    int perRack = FavouredNodes.perRack(replicas, Math.max(racks, racksSeen()));
    // An additional SSD DataNode would take a replica that belongs on DISK.
    List<String> chosen =
        FavouredNodes.choose(
            nodes, onSsd, perRack, onSsd < replicas ? Math.min(onSsd, most) : most);
    for (int i = 0; i < Math.min(onSsd, chosen.size()); i++) {
      ssd.get(chosen.get(i)).lastUse = ++uses;
    }
    return chosen;
  }

  private static boolean isDoubted(State state, long now) {
    return state.doubted && now - state.doubtedAt < DOUBT_NANOS;
  }

  private void doubt(String address, long now) {
    State state = ssd.get(address);
    if (state != null) {
      state.doubted = true;
      state.doubtedAt = now;
    }
  }

  private int racksSeen() {
    return new HashSet<>(seen.values()).size();
  }

  /**
   * Records where the NameNode placed a block.
   *
   * @param named result of {@link #name}
   * @param blockSize bytes
   * @return why too few replicas are on SSD; "" if enough are
   */
  synchronized String answered(
      List<String> named,
      int replicas,
      int onSsd,
      long blockSize,
      Collection<String> excluded,
      BlockLocation block)
      throws IOException {
    List<String> rejected = learn(named, onSsd, block);
    long taken = media(block).values().stream().filter(type -> type == StorageType.SSD).count();
    falls = taken < Math.min(onSsd, block.getNames().length);
    if (!falls) {
      return "";
    }
    if (paused) {
      return "the storage policy in force is for DISK";
    }
    Map<String, String> rackOf = new HashMap<>();
    ssd.forEach((address, state) -> rackOf.put(address, state.rack));
    int perRack = FavouredNodes.perRack(replicas, Math.max(racks, racksSeen()));
    return new FavouredNodes.Shortfall(onSsd, perRack, outOfService)
        .cause(rackOf, excluded, Set.of(), rejected);
  }

  synchronized boolean fallsShort() {
    return falls;
  }

  private List<String> learn(List<String> named, int onSsd, BlockLocation block)
      throws IOException {
    long now = clock.getAsLong();
    seen(block);
    Map<String, StorageType> media = media(block);
    int taken = 0;
    int last = -1;
    boolean used = false;
    for (int i = 0; i < named.size(); i++) {
      used |= media.containsKey(named.get(i));
      if (media.get(named.get(i)) == StorageType.SSD) {
        taken++;
        last = i;
      }
    }
    if (named.isEmpty()) {
      return List.of();
    }
    if (used && taken == 0) {
      // HDFS uses DISK of a named DataNode only if the policy wants DISK.
      paused = true;
      pausedAt = now;
      return List.of();
    }
    paused = false;
    // The NameNode tried all if too few were taken, otherwise those up to the last one taken.
    int asked = taken < onSsd ? named.size() : last;
    List<String> rejected = new ArrayList<>();
    for (String address : named.subList(0, asked)) {
      State state = ssd.get(address);
      if (state != null && media.get(address) != StorageType.SSD) {
        rejected.add(address);
        doubt(address, now);
        if (++state.misses >= MOST_MISSES) {
          ssd.remove(address);
        }
      }
    }
    return rejected;
  }

  synchronized void seen(BlockLocation block) throws IOException {
    String[] addresses = block.getNames();
    String[] paths = block.getTopologyPaths();
    StorageType[] types = block.getStorageTypes();
    for (int i = 0; i < addresses.length; i++) {
      String rack = i < paths.length ? rack(paths[i]) : "";
      if (seen.size() < MOST_OTHERS) {
        seen.put(addresses[i], rack);
      }
      if (types != null && i < types.length && types[i] == StorageType.SSD) {
        State state = learn(addresses[i], rack);
        state.misses = 0;
      }
    }
  }

  private static String rack(String path) {
    return path.substring(0, Math.max(0, path.lastIndexOf('/')));
  }

  private static Map<String, StorageType> media(BlockLocation block) throws IOException {
    String[] addresses = block.getNames();
    StorageType[] types = block.getStorageTypes();
    Map<String, StorageType> media = new HashMap<>();
    for (int i = 0; i < addresses.length; i++) {
      media.put(addresses[i], types != null && i < types.length ? types[i] : null);
    }
    return media;
  }

  private State learn(String address, String rack) {
    State state =
        ssd.computeIfAbsent(
            address,
            // Random, so that servers which start together choose different ones first.
            unknown ->
                new State(
                    rack,
                    isLocal.test(unknown),
                    -ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE)));
    state.rack = rack;
    return state;
  }

  /**
   * Records a scan of all live DataNodes. Those of unknown media keep their state.
   *
   * @param nodes with the NameNode's addresses
   */
  synchronized void looked(Collection<DataNodeState> nodes) {
    Set<String> gone = new HashSet<>(ssd.keySet());
    seen.clear();
    dataNodes = 0;
    Set<String> inRacks = new HashSet<>();
    List<String> out = new ArrayList<>();
    for (DataNodeState node : nodes) {
      inRacks.add(node.rack);
      if (!node.inService()) {
        if (node.hasSsd() || ssd.containsKey(node.address)) {
          out.add(node.address);
        }
        continue;
      }
      dataNodes++;
      if (node.hasSsd()) {
        State state = learn(node.address, node.rack);
        state.misses = 0;
      }
      if (node.hasSsd() || node.types().isEmpty()) {
        gone.remove(node.address);
      }
    }
    racks = inRacks.size();
    outOfService = out;
    ssd.keySet().removeAll(gone);
  }

  @Override
  public synchronized String toString() {
    return ssd.entrySet().stream()
            .map(entry -> entry.getKey() + entry.getValue().rack)
            .sorted()
            .collect(Collectors.toList())
        + " of "
        + Math.max(dataNodes, seen.size());
  }
}
