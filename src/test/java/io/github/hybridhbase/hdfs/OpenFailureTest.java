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

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.util.List;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.hbase.exceptions.TimeoutIOException;
import org.apache.hadoop.hbase.io.asyncfs.FanOutOneBlockAsyncDFSOutputHelper.NameNodeException;
import org.apache.hadoop.hdfs.protocol.DSQuotaExceededException;
import org.apache.hadoop.hdfs.protocol.NSQuotaExceededException;
import org.apache.hadoop.hdfs.protocol.QuotaByStorageTypeExceededException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.Test;

class OpenFailureTest {
  private static void assertCause(OpenFailure expected, IOException e) {
    assertEquals(expected, OpenFailure.of(e), e.toString());
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
    assertCause(OpenFailure.NAMENODE, new RemoteException(safeMode, "no"));
    assertCause(OpenFailure.NAMENODE, new IOException(new RemoteException(safeMode, "no")));
    assertCause(OpenFailure.NAMENODE, new NameNodeException(new ConnectException("no")));
    assertCause(OpenFailure.NAMENODE, new NameNodeException(new SocketTimeoutException("no")));
    assertCause(OpenFailure.NAMENODE, new NameNodeException(new IOException("Broken pipe")));
    assertCause(
        OpenFailure.NAMENODE, new NameNodeException(new IOException("Connection reset by peer")));
    assertCause(OpenFailure.NAMENODE, new NameNodeException(new UnknownHostException("nn")));
    assertCause(OpenFailure.NAMENODE, new NameNodeException(new ClosedChannelException()));
    assertCause(
        OpenFailure.NAMENODE,
        new NameNodeException(
            new AccessControlException("Client cannot authenticate via:[TOKEN, KERBEROS]")));
  }

  @Test
  void aRouterOrAServerThatCannotAskTheNameNodeIsNoMedium() {
    for (String said :
        List.of(
            "org.apache.hadoop.hdfs.server.federation.router.RouterSafeModeException",
            "org.apache.hadoop.hdfs.server.federation.router.NoNamenodesAvailableException",
            "org.apache.hadoop.ipc.RpcServerException")) {
      assertCause(OpenFailure.NAMENODE, new RemoteException(said, "no"));
    }
  }

  @Test
  void aNameNodeToWhichNoDataNodeIsBackSaysNothingOfSsd() {
    String said = "File x could only be written to 0 of the 1 minReplication nodes. There are ";
    assertCause(
        OpenFailure.NAMENODE,
        new RemoteException(IOException.class.getName(), said + "0 datanode(s) running and 0"));
    assertCause(OpenFailure.NAMENODE, new IOException(said + "0 datanode(s) running and 0"));
    assertCause(OpenFailure.NO_TARGET, new IOException(said + "10 datanode(s) running and 10"));
  }

  /** HBase wraps what create met, but not what addBlock did. */
  @Test
  void aCallToTheNameNodeThatFailsBareIsNoDataNodes() {
    assertCause(OpenFailure.NAMENODE, ofTheNameNodesClient(new ConnectException("no")));
    assertCause(OpenFailure.NAMENODE, ofTheNameNodesClient(new SocketTimeoutException("no")));
    assertCause(OpenFailure.NAMENODE, ofTheNameNodesClient(new IOException("Broken pipe")));
    assertCause(
        OpenFailure.NO_TARGET,
        ofTheNameNodesClient(new RemoteException(IOException.class.getName(), "no node")));
  }

  @Test
  void aDataNodeRefusesOrIsSilent() {
    assertCause(OpenFailure.NODE_REFUSED, new IOException("connection to 1.1.1.1 is closed"));
    assertCause(OpenFailure.NODE_SILENT, new SocketTimeoutException("no"));
    assertCause(OpenFailure.NODE_SILENT, new ConnectException("Connection refused"));
    assertCause(OpenFailure.NODE_SILENT, new NoRouteToHostException("no"));
    assertCause(OpenFailure.NODE_SILENT, new TimeoutIOException());
    assertCause(OpenFailure.NODE_SILENT, new IOException("Timeout(2500ms) waiting for response"));
  }

  @Test
  void theNameNodeHasNoDataNode() {
    assertCause(
        OpenFailure.NO_TARGET, new IOException("File x could only be written to 0 of the 1"));
    RemoteException quota =
        new RemoteException(QuotaByStorageTypeExceededException.class.getName(), "full");
    assertCause(OpenFailure.NO_TARGET, quota);
    assertCause(OpenFailure.NO_TARGET, quota.unwrapRemoteException());
  }

  @Test
  void whatTheNameNodeForbidsOnEveryMediumIsNotSsds() {
    for (Class<?> said :
        List.of(
            AccessControlException.class,
            NSQuotaExceededException.class,
            DSQuotaExceededException.class)) {
      RemoteException e = new RemoteException(said.getName(), "no");
      assertCause(OpenFailure.FORBIDDEN, e);
      assertCause(OpenFailure.FORBIDDEN, e.unwrapRemoteException());
      assertCause(OpenFailure.FORBIDDEN, ofTheNameNodesClient(e));
    }
  }

  @Test
  void itIsOver() {
    String parent = "Parent directory doesn't exist";
    assertCause(OpenFailure.OVER, new FileNotFoundException(parent));
    assertCause(
        OpenFailure.OVER, new RemoteException(FileNotFoundException.class.getName(), parent));
    assertCause(OpenFailure.OVER, new FileAlreadyExistsException("name"));
    assertCause(OpenFailure.OVER, new InterruptedIOException());
    assertCause(OpenFailure.OVER, new ClosedByInterruptException());
    assertCause(OpenFailure.OVER, new NameNodeException(new InterruptedIOException()));
  }
}
