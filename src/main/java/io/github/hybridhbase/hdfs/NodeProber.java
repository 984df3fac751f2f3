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

import io.github.hybridhbase.runtime.StoragePolicy;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A prober that writes small files to single DataNodes, to find out which one hangs: in a longer
 * pipeline HDFS's client blames the first if its time-out ends before theirs.
 *
 * <p>If {@code dfs.namenode.replication.min} is 2 or more, a probe needs further DataNodes, of
 * which a slow one counts for the probed one. HDFS includes this host's DataNode whenever possible.
 * Not thread-safe.
 */
@InterfaceAudience.Private
public final class NodeProber {
  private static final Logger LOG = LoggerFactory.getLogger(NodeProber.class);

  private static final int FLUSHES = 5;

  // Includes connecting.
  private static final int CONNECTING = 5;

  private final DistributedFileSystem dfs;
  private final int patience;

  /**
   * @param dfs a separate client
   * @param patience least wait of this client for an unresponsive DataNode
   */
  NodeProber(DistributedFileSystem dfs, int patience) {
    this.dfs = dfs;
    this.patience = patience;
  }

  private boolean isQuick(
      Path directory, StoragePolicy policy, long blockSize, List<DatanodeInfo> nodes)
      throws IOException {
    DatanodeInfo node = nodes.get(0);
    try (ProbeFile file = create(directory, policy, blockSize, nodes)) {
      try {
        // The first flush allocates the block and connects.
        boolean quick = file.flush(false) < CONNECTING * (long) patience && file.isOn(node);
        for (int more = 0; more < FLUSHES && quick; more++) {
          quick = file.flush(false) < patience;
        }
        // In a longer pipeline HDFS drops a DataNode that breaks the connection.
        if (quick && file.isOn(node)) {
          return true;
        }
      } catch (IOException e) {
        LOG.debug("The probe of {} was not written", node, e);
      }
      file.delete();
      return false;
    }
  }

  /** Starts with one replica and adds one after each refusal of the NameNode. */
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
        if (replicas >= most || !HdfsError.of(e).is(HdfsError.Kind.NO_TARGET)) {
          throw e;
        }
        replicas++;
      }
    }
  }

  /** Limited: HDFS's client warns of every favoured node that it did not get. */
  private static InetSocketAddress[] addresses(List<DatanodeInfo> nodes, int replicas) {
    return nodes.stream()
        .limit(replicas)
        .map(node -> new InetSocketAddress(node.getIpAddr(), node.getXferPort()))
        .toArray(InetSocketAddress[]::new);
  }

  /**
   * Allocates a block without some DataNodes, as HBase does for a WAL, and probes each DataNode of
   * it.
   *
   * @return the replicas of those that took a file in time
   */
  Probe probeWithout(
      Path directory, StoragePolicy policy, long blockSize, Collection<DatanodeInfo> excluded)
      throws IOException {
    LocatedBlock block;
    int wanted;
    try (ProbeFile file = new ProbeFile(dfs, directory)) {
      wanted = file.replication();
      try {
        file.create(policy, blockSize);
        block = file.ask(excluded);
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
      if (isQuick(directory, own, blockSize, nodes)) {
        taken.add(media[replica]);
      }
    }
    return Probe.taken(policy, taken, wanted);
  }
}
