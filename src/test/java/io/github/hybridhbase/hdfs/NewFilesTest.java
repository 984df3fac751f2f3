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
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyBoolean;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.ArgumentMatchers.anyShort;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.Mockito.doAnswer;
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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mockito.stubbing.Answer;

@InterfaceAudience.Private
class NewFilesTest {
  private static final String WAL = "/hbase/WALs/s/wal.1";

  private final ClientProtocol nameNode =
      mock(ClientProtocol.class, withSettings().extraInterfaces(Closeable.class));
  private final KnownSsdNodes known = new KnownSsdNodes();
  private final DFSClient client = client(nameNode);
  private NewFiles files;
  private ClientProtocol proxy;
  private NewFile wal;
  private final List<String[]> named = new ArrayList<>();
  private final List<String> policies = new ArrayList<>();
  private final List<FsPermission> permissions = new ArrayList<>();

  @BeforeEach
  void twentyDataNodesFourWithSsd() throws Exception {
    known.looked(SsdNodes.of(KnownSsdNodesTest.nodes(4)));
    files = NewFiles.into(client, () -> known);
    proxy = client.getNamenode();
    whenCreated(call -> status(call.getArgument(9)));
    wal = files.place(new Path(WAL), StoragePolicy.ALL_SSD);
    create(WAL);
  }

  /** A client whose NameNode can be replaced. */
  private static DFSClient client(ClientProtocol nameNode) {
    try {
      DFSClient made = mock(DFSClient.class);
      Field field = DFSClient.class.getDeclaredField("namenode");
      field.setAccessible(true);
      field.set(made, nameNode);
      when(made.getNamenode()).thenAnswer(call -> field.get(made));
      return made;
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  private void whenCreated(Answer<HdfsFileStatus> answer) throws IOException {
    when(nameNode.create(
            any(), any(), any(), any(), anyBoolean(), anyShort(), anyLong(), any(), any(), any()))
        .thenAnswer(
            call -> {
              policies.add(String.valueOf((String) call.getArgument(9)));
              permissions.add(call.getArgument(1));
              return answer.answer(call);
            });
  }

  private static HdfsFileStatus status(String policy) {
    HdfsFileStatus status = mock(HdfsFileStatus.class);
    byte id = policy == null ? 0 : StoragePolicy.valueOf(policy).id();
    when(status.getStoragePolicy()).thenReturn(id);
    return status;
  }

  private HdfsFileStatus create(String file) throws IOException {
    return create(file, null);
  }

  private HdfsFileStatus create(String file, String policy) throws IOException {
    FsPermission permission = new FsPermission((short) 0644);
    return client
        .getNamenode()
        .create(file, permission, "client", null, true, (short) 3, 1, null, null, policy);
  }

  @Test
  void createCarriesThePolicyAndItsAnswerProvesIt() throws Exception {
    assertEquals(List.of("ALL_SSD"), policies);
    assertTrue(wal.isCarried());
    create("/hbase/data/f");
    assertEquals("null", policies.get(1), "nobody placed it");
    assertFalse(permissions.get(0).getStickyBit());
    files.place(new Path("hdfs://h:1/hot"), StoragePolicy.ONE_SSD, true);
    create("/hot");
    assertEquals("ONE_SSD", policies.get(2));
    assertTrue(permissions.get(2).getStickyBit());
    assertEquals((short) 01644, permissions.get(2).toShort());
  }

  /** INVARIANT: a policy that somebody else gave a file is never overridden. */
  @Test
  void aPolicyOfTheCallersOwnStays() throws Exception {
    NewFile file = files.place(new Path("/own"), StoragePolicy.ALL_SSD);
    create("/own", "HOT");
    assertEquals("HOT", policies.get(1));
    assertFalse(file.isCarried());
  }

  @Test
  void aNameNodeThatIgnoresOrRefusesThePolicyMakesAFileWithoutOne() throws Exception {
    whenCreated(call -> status(null));
    NewFile ignored = files.place(new Path("/ignored"), StoragePolicy.ALL_SSD);
    create("/ignored");
    assertFalse(ignored.isCarried());
    whenCreated(
        call -> {
          if (call.getArgument(9) != null) {
            throw new RemoteException(
                "org.apache.hadoop.HadoopIllegalArgumentException",
                "Cannot find a block policy with the name ALL_SSD");
          }
          return status(null);
        });
    policies.clear();
    NewFile refused = files.place(new Path("/refused"), StoragePolicy.ALL_SSD);
    create("/refused");
    assertEquals(List.of("ALL_SSD", "null"), policies);
    assertFalse(refused.isCarried());
    answers(block(7, 8, 9));
    add("/refused", null);
    assertNull(named.get(0), "its blocks belong on DISK");
  }

  @Test
  void otherFailuresOfTheCreationAreThrownAtOnce() throws Exception {
    RemoteException safe = new RemoteException(IOException.class.getName(), "safe mode");
    whenCreated(
        call -> {
          throw safe;
        });
    policies.clear();
    files.place(new Path("/f"), StoragePolicy.ALL_SSD);
    assertSame(safe, assertThrows(RemoteException.class, () -> create("/f")));
    assertEquals(1, policies.size());
  }

  /** HFileSystem's constructor replaces it without a lock. */
  @Test
  void aLostProxyIsPutBackOnceAFileCameOutWithoutItsPolicy() throws Exception {
    Field field = DFSClient.class.getDeclaredField("namenode");
    field.setAccessible(true);
    field.set(client, nameNode);
    NewFile lost = files.place(new Path("/lost"), StoragePolicy.ALL_SSD);
    create("/lost");
    assertFalse(lost.isCarried());
    NewFile next = files.place(new Path("/next"), StoragePolicy.ALL_SSD);
    create("/next");
    assertTrue(next.isCarried());
    assertEquals(List.of("ALL_SSD", "null", "ALL_SSD"), policies);
    RPC.stopProxy(client.getNamenode());
    verify((Closeable) nameNode).close();
  }

  /** Of a mount of ViewDistributedFileSystem, say. */
  @Test
  void filesThatAnotherClientCreatesAddNoProxies() throws Exception {
    assertFalse(files.place(new Path("/mounted/a"), StoragePolicy.ALL_SSD).isCarried());
    assertSame(proxy, client.getNamenode());
  }

  @Test
  void aFileThatFollowsItsDirectoryIsNamedForIfThatIsForSsd() throws Exception {
    whenCreated(call -> status("ALL_SSD"));
    NewFile follows = files.place(new Path("/follows"), StoragePolicy.NONE);
    assertEquals(StoragePolicy.NONE, follows.inForce());
    create("/follows");
    assertEquals("null", policies.get(policies.size() - 1), "nothing is carried");
    assertEquals(StoragePolicy.ALL_SSD, follows.inForce());
    answers(block(0, 1, 2), block(7, 8, 9));
    add("/follows", null);
    assertTrue(named.get(0).length >= 3);
    whenCreated(call -> status(null));
    NewFile disk = files.place(new Path("/disk"), StoragePolicy.NONE);
    create("/disk");
    add("/disk", null);
    assertNull(named.get(1));
    assertEquals(StoragePolicy.NONE, disk.inForce());
  }

  @Test
  void replicasThatAreMissingOnSsdAreCountedOfTheWorstBlock() throws Exception {
    answers(block(0, 1, 2), block(0, 8, 9), block(0, 1, 2));
    add(WAL, null);
    assertEquals(0, wal.missing());
    add(WAL, null);
    assertEquals(2, wal.missing());
    add(WAL, null);
    assertEquals(2, wal.missing());
    create(WAL);
    assertEquals(0, wal.missing(), "created again");
  }

  @Test
  void oneSsdWantsOneReplicaThereAndHotNone() throws Exception {
    NewFile one = files.place(new Path("/one"), StoragePolicy.ONE_SSD);
    NewFile hot = files.place(new Path("/hot"), StoragePolicy.HOT);
    create("/one");
    create("/hot");
    answers(block(0, 8, 9), block(7, 8, 9));
    add("/one", null);
    add("/hot", null);
    assertEquals(0, one.missing());
    assertEquals(0, hot.missing());
    assertNull(named.get(1), "no DataNode is named for DISK");
  }

  private static LocatedBlock block(int... numbers) {
    return KnownSsdNodesTest.block(4, numbers);
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
    assertSame(block, add(WAL, null, KnownSsdNodesTest.info(3)));
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
    wal.close();
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

  private static DistributedFileSystem hdfs(Answer<?> whenAsked) throws IOException {
    DFSClient client = client(mock(ClientProtocol.class));
    DistributedFileSystem made = mock(DistributedFileSystem.class);
    when(made.getClient()).thenReturn(client);
    doAnswer(whenAsked).when(made).satisfyStoragePolicy(any());
    return made;
  }

  /** WALs may be on one, store files on the other. */
  @Test
  void anHdfsThatDoesNotAnswerHoldsUpNoFilesOfAnotherOne() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch answers = new CountDownLatch(1);
    DistributedFileSystem silent =
        hdfs(
            call -> {
              asked.countDown();
              answers.await();
              return null;
            });
    Thread waits = new Thread(() -> NewFiles.of(silent));
    waits.setDaemon(true);
    waits.start();
    try {
      asked.await();
      DistributedFileSystem other = hdfs(call -> null);
      assertTrue(
          assertTimeoutPreemptively(Duration.ofSeconds(20), () -> NewFiles.of(other)).isPresent());
    } finally {
      answers.countDown();
      waits.join();
    }
  }
}
