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

import io.github.hybridhbase.config.StoragePolicy;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has DataNodes take small files, each alone: so that one which hangs is told from the others. In a
 * pipeline of several HDFS's client blames the first one, whichever hangs, where its patience ends
 * before theirs.
 *
 * <p>The NameNode makes no file with fewer replicas than its {@code dfs.namenode.replication.min},
 * and no block of one. Where that is 2 or more, files have as many, and one that shares a file and
 * is slow makes it slow as well, which leaves the one that is asked out a while longer. HDFS puts
 * the DataNode of this host into such a file wherever it can: while that one hangs, nobody comes
 * back. One thread.
 */
@InterfaceAudience.Private
final class NodeProber {
  private static final Logger LOG = LoggerFactory.getLogger(NodeProber.class);

  /** Flushes by which one DataNode is judged, after the first one. */
  private static final int FLUSHES = 5;

  /** How many times longer than any other the first one may take. */
  private static final int CONNECTING = 5;

  private final DistributedFileSystem dfs;
  private final int patience;

  /**
   * Has probed nothing.
   *
   * @param dfs with a client of this prober's own
   * @param patience milliseconds that this client waits at least for a DataNode that does not
   *     answer
   */
  NodeProber(DistributedFileSystem dfs, int patience) {
    this.dfs = dfs;
    this.patience = patience;
  }

  /**
   * Has one DataNode take a block and flushes it a few times.
   *
   * @throws IOException as {@link StorageNamespace#probe(Path, StoragePolicy, long, DatanodeInfo,
   *     int, boolean)}
   */
  NodeProbe probe(
      Path directory,
      StoragePolicy policy,
      long blockSize,
      DatanodeInfo node,
      int millis,
      boolean durable)
      throws IOException {
    return probe(directory, policy, blockSize, List.of(node), millis, durable);
  }

  /** The first of these is asked; the others are for the replicas that the NameNode insists on. */
  private NodeProbe probe(
      Path directory,
      StoragePolicy policy,
      long blockSize,
      List<DatanodeInfo> nodes,
      int millis,
      boolean durable)
      throws IOException {
    DatanodeInfo node = nodes.get(0);
    try (ProbeFile file = create(directory, policy, blockSize, nodes)) {
      try {
        // The first one asks for the block and connects: what is slow about that is not the disk.
        long first = file.flush(durable);
        if (!file.isOn(node)) {
          return NodeProbe.elsewhere(first, patience);
        }
        boolean quick = first < CONNECTING * (long) millis;
        for (int more = 0; more < FLUSHES && quick; more++) {
          quick = file.flush(durable) < millis;
        }
        // One that breaks the connection is gone without, where it is not alone.
        if (quick && file.isOn(node)) {
          return NodeProbe.QUICK;
        }
      } catch (IOException e) {
        LOG.debug("The probe of {} was not written", node, e);
      }
      file.delete();
      return NodeProbe.SLOW;
    }
  }

  /**
   * Makes a file with as few replicas as the NameNode allows, which it tells nobody: this process's
   * configuration may know, and what is refused is tried with one more.
   */
  private ProbeFile create(
      Path directory, StoragePolicy policy, long blockSize, List<DatanodeInfo> nodes)
      throws IOException {
    int most = dfs.getDefaultReplication(directory);
    int replicas = Math.max(1, dfs.getConf().getInt("dfs.namenode.replication.min", 1));
    while (true) {
      ProbeFile file = new ProbeFile(dfs, directory, (short) replicas);
      try {
        file.create(policy, blockSize, addresses(nodes, replicas));
        return file;
      } catch (IOException | RuntimeException e) {
        file.close();
        if (replicas >= most || !HdfsError.of(e).is(HdfsErrorKind.NO_TARGET)) {
          throw e;
        }
        replicas++;
      }
    }
  }

  /** No more than replicas: HDFS's client warns of each that it did not get. */
  private static InetSocketAddress[] addresses(List<DatanodeInfo> nodes, int replicas) {
    return nodes.stream()
        .limit(replicas)
        .map(node -> new InetSocketAddress(node.getIpAddr(), node.getXferPort()))
        .toArray(InetSocketAddress[]::new);
  }

  /**
   * Asks the NameNode for a block again and again, each time without the DataNodes whose SSD it
   * answered before, until it answers no SSD. No DataNode is told of them.
   *
   * @param most questions at most
   * @return what it answered
   */
  List<LocatedBlock> ask(Path directory, int most) throws IOException {
    List<LocatedBlock> blocks = new ArrayList<>();
    Set<DatanodeInfo> met = new HashSet<>();
    try (ProbeFile file = new ProbeFile(dfs, directory)) {
      file.create(dfs.getDefaultBlockSize(directory));
      boolean any = true;
      while (any && blocks.size() < most) {
        LocatedBlock block = file.ask(met);
        blocks.add(block);
        StorageType[] media = block.getStorageTypes();
        any = false;
        for (int replica = 0; replica < media.length; replica++) {
          any |= media[replica] == StorageType.SSD && met.add(block.getLocations()[replica]);
        }
      }
    } catch (IOException e) {
      if (blocks.isEmpty()) {
        throw e;
      }
      LOG.debug("The NameNode has no more DataNodes", e);
    }
    return blocks;
  }

  /**
   * Asks the NameNode for a block without some DataNodes, as HBase does for a WAL, and probes each
   * one that it names.
   *
   * @return with the replicas of those that took a file in time
   * @throws IOException as {@link StorageNamespace#probe}
   */
  Probe probeWithout(
      Path directory, StoragePolicy policy, long blockSize, Collection<DatanodeInfo> avoided)
      throws IOException {
    LocatedBlock block;
    int wanted;
    try (ProbeFile file = new ProbeFile(dfs, directory)) {
      wanted = file.replication();
      try {
        file.create(policy, blockSize);
        block = file.ask(avoided);
      } catch (IOException | RuntimeException e) {
        if (ProbeFile.isNotAsked(e)) {
          throw e;
        }
        return file.refused(policy, e);
      }
    }
    List<StorageType> taken = new ArrayList<>();
    StorageType[] media = block.getStorageTypes();
    for (int replica = 0; replica < media.length; replica++) {
      StoragePolicy own =
          media[replica] == StorageType.SSD ? StoragePolicy.ALL_SSD : StoragePolicy.HOT;
      List<DatanodeInfo> nodes = new ArrayList<>(List.of(block.getLocations()));
      Collections.swap(nodes, 0, replica);
      if (probe(directory, own, blockSize, nodes, patience, false) == NodeProbe.QUICK) {
        taken.add(media[replica]);
      }
    }
    return Probe.taken(policy, taken, wanted);
  }
}
