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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;
import static org.mockito.Mockito.withSettings;

import io.github.hybridhbase.runtime.StoragePolicy;
import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.DatanodeInfoBuilder;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@InterfaceAudience.Private
class FavouringNameNodeTest {
  private static final String WAL = "/hbase/WALs/s/wal.1";

  private final ClientProtocol nameNode =
      mock(ClientProtocol.class, withSettings().extraInterfaces(Closeable.class));
  private final KnownSsdNodes known = new KnownSsdNodes();
  private final FavouringNameNode favouring = new FavouringNameNode(nameNode, () -> known, false);
  private final ClientProtocol proxy = favouring.proxy();
  private final List<String[]> named = new ArrayList<>();

  @BeforeEach
  void twentyDataNodesFourWithSsd() {
    List<DataNodeState> nodes = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      Set<StorageType> types = Set.of(i < 4 ? StorageType.SSD : StorageType.DISK);
      nodes.add(
          new DataNodeState("h" + i, "/r", "In Service", types, OptionalInt.empty())
              .at(info(i).getXferAddr()));
    }
    known.looked(nodes);
    favouring.favour(WAL, 3, 3, 1, false);
  }

  private static DatanodeInfo info(int number) {
    return new DatanodeInfoBuilder()
        .setNodeID(new DatanodeID("10.0.0." + number, "h" + number, "u" + number, 9866, 1, 2, 3))
        .setNetworkLocation("/r")
        .build();
  }

  private static LocatedBlock block(int... numbers) {
    DatanodeInfoWithStorage[] nodes = new DatanodeInfoWithStorage[numbers.length];
    String[] ids = new String[numbers.length];
    StorageType[] types = new StorageType[numbers.length];
    for (int i = 0; i < numbers.length; i++) {
      ids[i] = "s" + numbers[i];
      types[i] = numbers[i] < 4 ? StorageType.SSD : StorageType.DISK;
      nodes[i] = new DatanodeInfoWithStorage(info(numbers[i]), ids[i], types[i]);
    }
    return new LocatedBlock(new ExtendedBlock("p", 1), nodes, ids, types);
  }

  private void answers(Object... answers) throws IOException {
    List<Object> left = new ArrayList<>(List.of(answers));
    when(nameNode.addBlock(any(), any(), any(), any(), anyLong(), any(), any()))
        .thenAnswer(
            call -> {
              named.add(call.getArgument(5));
              Object answer = left.remove(0);
              if (answer instanceof Exception) {
                throw (Exception) answer;
              }
              return answer;
            });
  }

  private LocatedBlock add(String file, String[] favoured, DatanodeInfo... excluded)
      throws IOException {
    return proxy.addBlock(file, "client", null, excluded, 7, favoured, null);
  }

  @Test
  void namesSsdDataNodesForAWalAndAddsNoCall() throws Exception {
    LocatedBlock block = block(0, 1, 2);
    answers(block);
    assertSame(block, add(WAL, null, info(3)));
    assertEquals(1, named.size());
    assertEquals(3, Set.of(named.get(0)).size());
    verify(nameNode, never()).abandonBlock(any(), anyLong(), any(), any());
  }

  @Test
  void otherFilesAndOthersChoicesPassUnchanged() throws Exception {
    answers(block(0, 1, 2), block(0, 1, 2), block(0, 1, 2));
    add("/hbase/data/f", null);
    assertNull(named.get(0));
    String[] own = {"10.0.0.9:9866"};
    add(WAL, own);
    assertSame(own, named.get(1));
    favouring.forget(WAL);
    add(WAL, null);
    assertNull(named.get(2));
    assertEquals(7, otherCall());
  }

  /** Other calls pass. */
  private int otherCall() throws IOException {
    when(nameNode.getPreferredBlockSize(WAL)).thenReturn(7L);
    return (int) proxy.getPreferredBlockSize(WAL);
  }

  /** With all SSDs full, HDFS would use none of those that were named, not even their DISK. */
  @Test
  void aBlockThatIsRefusedIsAskedForWithoutThem() throws Exception {
    LocatedBlock block = block(7, 8, 9);
    answers(
        new RemoteException(
            IOException.class.getName(),
            "File "
                + WAL
                + " could only be written to 0 of the 1 minReplication nodes. There are"
                + " 20 datanode(s) running and 0 node(s) are excluded in this operation."),
        block);
    assertSame(block, add(WAL, null));
    assertNull(named.get(1));
  }

  @Test
  void soIsABlockWithTooFewReplicas() throws Exception {
    LocatedBlock few = block(0, 1);
    LocatedBlock block = block(0, 8, 9);
    answers(few, block);
    assertSame(block, add(WAL, null));
    verify(nameNode, times(1)).abandonBlock(few.getBlock(), 7, WAL, "client");
    assertNull(named.get(1));
  }

  @Test
  void whatTheNameNodeThrowsIsThrown() throws Exception {
    RemoteException gone = new RemoteException(FileNotFoundException.class.getName(), "gone");
    answers(gone);
    assertSame(gone, assertThrows(RemoteException.class, () -> add(WAL, null)));
    verify(nameNode, times(1)).addBlock(any(), any(), any(), any(), eq(7L), any(), any());
  }

  /** As for store files, which HBase's own client creates. */
  @Test
  void inAnothersClientItRemembersHowAFileWasCreated() throws Exception {
    DFSClient client = mock(DFSClient.class);
    Field field = DFSClient.class.getDeclaredField("namenode");
    field.setAccessible(true);
    field.set(client, nameNode);
    when(client.getNamenode()).thenAnswer(call -> field.get(client));
    FavouringNameNode foreign = FavouringNameNode.intoForeign(client, () -> known);
    assertSame(foreign, FavouringNameNode.intoForeign(client, () -> known), "once");
    ClientProtocol put = client.getNamenode();
    answers(block(0, 1, 2), block(0, 7, 8), block(0, 1, 2), block(0, 1));
    put.addBlock("/f", "client", null, null, 7, null, null);
    assertNull(named.get(0), "nobody wants it on SSD");
    foreign.favour("/f", StoragePolicy.ALL_SSD);
    put.addBlock("/f", "client", null, null, 7, null, null);
    assertNull(named.get(1), "how many replicas it has is not known");
    create(put, "/f", 3);
    foreign.favour("/f", StoragePolicy.ALL_SSD);
    put.addBlock("/f", "client", null, null, 7, null, null);
    assertEquals(4, named.get(2).length);
    create(put, "/two", 2);
    foreign.favour("/two", StoragePolicy.ALL_SSD);
    put.addBlock("/two", "client", null, null, 7, null, null);
    assertEquals(4, named.get(3).length);
    verify(nameNode, never()).abandonBlock(any(), anyLong(), any(), any());
  }

  private static void create(ClientProtocol client, String file, int replicas) throws IOException {
    client.create(file, null, "client", null, true, (short) replicas, 1, null, null, null);
  }

  @Test
  void isClosedAsHdfsClosesItsNameNode() throws Exception {
    RPC.stopProxy(proxy);
    verify((Closeable) nameNode).close();
  }
}
