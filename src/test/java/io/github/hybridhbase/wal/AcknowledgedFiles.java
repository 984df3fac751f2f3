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
package io.github.hybridhbase.wal;

import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.withSettings;

import java.io.IOException;
import java.util.EnumSet;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.test.Whitebox;
import org.apache.yetus.audience.InterfaceAudience;
import org.mockito.invocation.InvocationOnMock;

/**
 * What a NameNode is asked to open for writing although it is there, by any client: to append to
 * it, or to create it again where DataNodes have acknowledged more than a header of it.
 */
@InterfaceAudience.Private
final class AcknowledgedFiles {
  private static final int HEADER = 1024;

  private final MiniDFSCluster cluster;
  private final FSNamesystem nameNode;
  private final Queue<String> touched = new ConcurrentLinkedQueue<>();
  private final AtomicInteger overwritten = new AtomicInteger();

  private AcknowledgedFiles(MiniDFSCluster cluster) {
    this.cluster = cluster;
    this.nameNode = cluster.getNamesystem();
  }

  static AcknowledgedFiles watch(MiniDFSCluster cluster) {
    AcknowledgedFiles files = new AcknowledgedFiles(cluster);
    FSNamesystem watched =
        mock(
            FSNamesystem.class,
            withSettings()
                .spiedInstance(files.nameNode)
                .stubOnly()
                .defaultAnswer(
                    call -> {
                      files.look(call);
                      return call.callRealMethod();
                    }));
    NameNode server = cluster.getNameNode();
    Whitebox.setInternalState(server.getRpcServer(), "namesystem", watched);
    return files;
  }

  private void look(InvocationOnMock call) throws IOException {
    String method = call.getMethod().getName();
    if (method.equals("appendFile")) {
      touched.add("append " + call.getArgument(0));
    } else if (method.equals("startFile")) {
      for (Object argument : call.getArguments()) {
        if (argument instanceof EnumSet && ((EnumSet<?>) argument).contains(CreateFlag.OVERWRITE)) {
          overwrite(call.getArgument(0));
        }
      }
    }
  }

  private void overwrite(String path) throws IOException {
    INode file = nameNode.getFSDirectory().getINode(path);
    if (file == null) {
      return;
    }
    overwritten.incrementAndGet();
    long most = 0;
    for (BlockInfo block : file.asFile().getBlocks()) {
      ExtendedBlock extended = new ExtendedBlock(nameNode.getBlockPoolId(), block);
      for (DataNode node : cluster.getDataNodes()) {
        if (node.getFSDataset().contains(extended)) {
          most = Math.max(most, node.getFSDataset().getReplicaVisibleLength(extended));
        }
      }
    }
    if (most > HEADER) {
      touched.add("overwrite " + path + " of " + most + " bytes");
    }
  }

  Queue<String> touched() {
    return touched;
  }

  int overwritten() {
    return overwritten.get();
  }
}
