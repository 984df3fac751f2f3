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
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.hbase.exceptions.TimeoutIOException;
import org.apache.hadoop.hbase.io.asyncfs.FanOutOneBlockAsyncDFSOutputHelper.NameNodeException;
import org.apache.hadoop.hdfs.protocol.DSQuotaExceededException;
import org.apache.hadoop.hdfs.protocol.NSQuotaExceededException;
import org.apache.hadoop.hdfs.protocol.QuotaByStorageTypeExceededException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.Test;

class HdfsErrorTest {
  private static void assertCause(HdfsError.Kind expected, IOException e) {
    assertEquals(expected, HdfsError.of(e).kind, e.toString());
  }

  private static <E extends IOException> E ofTheNameNodesClient(E e) {
    e.setStackTrace(
        new StackTraceElement[] {
          new StackTraceElement("org.apache.hadoop.ipc.Client", "call", "Client.java", 1),
          new StackTraceElement(
              "org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolTranslatorPB",
              "addBlock",
              "ClientNamenodeProtocolTranslatorPB.java",
              1)
        });
    return e;
  }

  @Test
  void theNameNodeCannotBeAsked() {
    String safeMode = "org.apache.hadoop.hdfs.server.namenode.SafeModeException";
    assertCause(HdfsError.Kind.SAFE_MODE, new RemoteException(safeMode, "no"));
    assertCause(HdfsError.Kind.SAFE_MODE, new IOException(new RemoteException(safeMode, "no")));
    assertCause(HdfsError.Kind.NAMENODE, new NameNodeException(new ConnectException("no")));
    assertCause(HdfsError.Kind.NAMENODE, new NameNodeException(new SocketTimeoutException("no")));
    assertCause(HdfsError.Kind.NAMENODE, new NameNodeException(new IOException("Broken pipe")));
    assertCause(
        HdfsError.Kind.NAMENODE,
        new NameNodeException(new IOException("Connection reset by peer")));
    assertCause(HdfsError.Kind.NAMENODE, new NameNodeException(new UnknownHostException("nn")));
    assertCause(HdfsError.Kind.NAMENODE, new NameNodeException(new ClosedChannelException()));
    assertCause(
        HdfsError.Kind.NAMENODE,
        new NameNodeException(
            new AccessControlException("Client cannot authenticate via:[TOKEN, KERBEROS]")));
  }

  @Test
  void aRouterOrAServerThatCannotAskTheNameNodeIsNoMedium() {
    assertCause(
        HdfsError.Kind.SAFE_MODE,
        new RemoteException(
            "org.apache.hadoop.hdfs.server.federation.router.RouterSafeModeException", "no"));
    for (String said :
        List.of(
            "org.apache.hadoop.hdfs.server.federation.router.NoNamenodesAvailableException",
            "org.apache.hadoop.ipc.RpcServerException")) {
      assertCause(HdfsError.Kind.NAMENODE, new RemoteException(said, "no"));
    }
  }

  @Test
  void aNameNodeToWhichNoDataNodeIsBackSaysNothingOfSsd() {
    String said = "File x could only be written to 0 of the 1 minReplication nodes. There are ";
    assertCause(
        HdfsError.Kind.NAMENODE,
        new RemoteException(IOException.class.getName(), said + "0 datanode(s) running and 0"));
    assertCause(HdfsError.Kind.NAMENODE, new IOException(said + "0 datanode(s) running and 0"));
    assertCause(HdfsError.Kind.NO_TARGET, new IOException(said + "10 datanode(s) running and 10"));
  }

  /** HBase wraps what create met, but not what addBlock did. */
  @Test
  void aCallToTheNameNodeThatFailsBareIsNoDataNodes() {
    assertCause(HdfsError.Kind.NAMENODE, ofTheNameNodesClient(new ConnectException("no")));
    assertCause(HdfsError.Kind.NAMENODE, ofTheNameNodesClient(new SocketTimeoutException("no")));
    assertCause(HdfsError.Kind.NAMENODE, ofTheNameNodesClient(new IOException("Broken pipe")));
    assertCause(
        HdfsError.Kind.NO_TARGET,
        ofTheNameNodesClient(new RemoteException(IOException.class.getName(), "no node")));
  }

  @Test
  void aDataNodeRefusesOrIsSilent() {
    assertCause(HdfsError.Kind.NODE_REFUSED, new IOException("connection to 1.1.1.1 is closed"));
    assertCause(HdfsError.Kind.NODE_SILENT, new SocketTimeoutException("no"));
    assertCause(HdfsError.Kind.NODE_SILENT, new ConnectException("Connection refused"));
    assertCause(HdfsError.Kind.NODE_SILENT, new NoRouteToHostException("no"));
    assertCause(HdfsError.Kind.NODE_SILENT, new TimeoutIOException());
    assertCause(
        HdfsError.Kind.NODE_SILENT, new IOException("Timeout(2500ms) waiting for response"));
  }

  @Test
  void theNameNodeHasNoDataNode() {
    assertCause(
        HdfsError.Kind.NO_TARGET, new IOException("File x could only be written to 0 of the 1"));
    RemoteException quota =
        new RemoteException(QuotaByStorageTypeExceededException.class.getName(), "full");
    assertCause(HdfsError.Kind.NO_TARGET, quota);
    assertCause(HdfsError.Kind.NO_TARGET, quota.unwrapRemoteException());
  }

  @Test
  void whatTheNameNodeForbidsOnEveryMediumIsNotSsds() {
    Map.of(
            AccessControlException.class, HdfsError.Kind.PERMISSION,
            NSQuotaExceededException.class, HdfsError.Kind.QUOTA,
            DSQuotaExceededException.class, HdfsError.Kind.QUOTA)
        .forEach(
            (said, kind) -> {
              RemoteException e = new RemoteException(said.getName(), "no");
              assertCause(kind, e);
              assertCause(kind, e.unwrapRemoteException());
              assertCause(kind, ofTheNameNodesClient(e));
              assertTrue(kind.isForbidden() && kind.isFinal() && !kind.mayBeSsds());
            });
  }

  @Test
  void itIsOver() {
    String parent = "Parent directory doesn't exist";
    assertCause(HdfsError.Kind.GONE, new FileNotFoundException(parent));
    assertCause(
        HdfsError.Kind.GONE, new RemoteException(FileNotFoundException.class.getName(), parent));
    assertCause(HdfsError.Kind.GONE, new FileAlreadyExistsException("name"));
    assertCause(HdfsError.Kind.STOPPED, new InterruptedIOException());
    assertCause(HdfsError.Kind.STOPPED, new ClosedByInterruptException());
    assertCause(HdfsError.Kind.STOPPED, new NameNodeException(new InterruptedIOException()));
    assertTrue(HdfsError.Kind.GONE.isOver() && HdfsError.Kind.STOPPED.isOver());
    assertTrue(HdfsError.Kind.GONE.isFinal() && HdfsError.Kind.STOPPED.isFinal());
  }

  @Test
  void aSettingOfHdfsIsTold() {
    assertCause(
        HdfsError.Kind.POLICIES_DISABLED,
        new IOException("since dfs.storage.policy.enabled is set to false."));
    assertCause(
        HdfsError.Kind.XATTRS_DISABLED,
        new RemoteException(
            IOException.class.getName(), "disabled by setting dfs.namenode.xattrs.enabled"));
    assertCause(
        HdfsError.Kind.SUPERUSER_ONLY,
        new AccessControlException("Superuser privilege is required"));
    assertCause(HdfsError.Kind.SAFE_MODE, new IOException("Name node is in safe mode."));
  }

  @Test
  void whoeverAsksForAFileKnowsWhetherTheNextIsInVain() {
    for (IOException e :
        List.of(
            new InterruptedIOException(),
            new SocketException("Broken pipe"),
            new UnknownHostException("nn"),
            new EOFException(),
            new SocketTimeoutException(),
            new IOException("Filesystem closed"),
            new RemoteException("org.apache.hadoop.ipc.StandbyException", "standby"))) {
      assertTrue(HdfsError.of(e).kind.isOfAllFiles(), e.toString());
    }
    for (IOException e :
        List.of(
            new FileNotFoundException(),
            new IOException("something"),
            new RemoteException(IOException.class.getName(), "something"))) {
      assertFalse(HdfsError.of(e).kind.isOfAllFiles(), e.toString());
    }
  }

  @Test
  void everyKindIsOneThing() {
    for (HdfsError.Kind kind : HdfsError.Kind.values()) {
      assertFalse(kind.isOver() && kind.isForbidden(), kind.name());
      assertFalse(kind.isFinal() && kind.isNameNodes(), kind.name());
      assertFalse(kind.isRefusal() && (kind.isFinal() || kind.isNameNodes()), kind.name());
      assertFalse(kind.mayBeSsds() && !kind.isRefusal() && !kind.isOfOneNode(), kind.name());
    }
  }

  @Test
  void theTextIsTheFirstLine() {
    HdfsError error = HdfsError.of(new IOException("denied\n\tat org.apache.hadoop"));
    assertEquals("denied", error.text);
    assertTrue(error.explain().endsWith(" (denied)"), error.explain());
    assertEquals("java.io.IOException", HdfsError.of(new IOException()).text);
  }
}
