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
package io.github.hybridhbase.testing;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeAdminManager;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeManager;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.yetus.audience.InterfaceAudience;

/** A fault of one DataNode with SSD. */
@InterfaceAudience.Private
public enum SsdFault {
  /** The NameNode takes it for alive for ten minutes more. */
  KILLED {
    @Override
    public AutoCloseable begin(MiniDFSCluster hdfs, DataNode node) {
      DataNodeProperties dead = hdfs.stopDataNode(node.getDatanodeId().getXferAddr());
      return () -> {
        DataNodeRestart.restart(hdfs, dead);
        hdfs.waitActive();
      };
    }
  },

  DECOMMISSIONED {
    @Override
    public AutoCloseable begin(MiniDFSCluster hdfs, DataNode node) throws Exception {
      DatanodeManager nodes = hdfs.getNamesystem().getBlockManager().getDatanodeManager();
      DatanodeAdminManager admin = nodes.getDatanodeAdminManager();
      DatanodeDescriptor descriptor = nodes.getDatanode(node.getDatanodeId());
      locked(hdfs, () -> admin.startDecommission(descriptor));
      return () -> locked(hdfs, () -> admin.stopDecommission(descriptor));
    }
  },

  FULL {
    @Override
    public AutoCloseable begin(MiniDFSCluster hdfs, DataNode node) throws Exception {
      Ssds.capacity(node, 1);
      TypedHdfs.heartbeat(hdfs);
      return () -> {
        Ssds.capacity(node, 16L << 30);
        TypedHdfs.heartbeat(hdfs);
      };
    }
  },

  /** It takes no block and answers nothing, as one that is stopped by a signal. */
  HUNG {
    @Override
    public AutoCloseable begin(MiniDFSCluster hdfs, DataNode node) {
      return HungSsd.forNewFiles(node);
    }
  };

  /** Answers what ends it. */
  public abstract AutoCloseable begin(MiniDFSCluster hdfs, DataNode node) throws Exception;

  private static void locked(MiniDFSCluster hdfs, Runnable change) {
    hdfs.getNamesystem().writeLock();
    try {
      change.run();
    } finally {
      hdfs.getNamesystem().writeUnlock();
    }
  }

  /** The first DataNode with SSD. */
  public static DataNode nodeWithSsd(MiniDFSCluster hdfs) throws IOException {
    return nodesWithSsd(hdfs).get(0);
  }

  public static List<DataNode> nodesWithSsd(MiniDFSCluster hdfs) throws IOException {
    List<DataNode> nodes = new ArrayList<>(hdfs.getDataNodes());
    for (DataNode node : hdfs.getDataNodes()) {
      if (Ssds.of(node).isEmpty()) {
        nodes.remove(node);
      }
    }
    return nodes;
  }
}
