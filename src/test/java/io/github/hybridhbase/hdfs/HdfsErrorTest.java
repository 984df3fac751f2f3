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
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.hdfs.HdfsError.Kind;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.ServerSocket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.util.Arrays;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.exceptions.TimeoutIOException;
import org.apache.hadoop.hbase.io.asyncfs.FanOutOneBlockAsyncDFSOutputHelper.NameNodeException;
import org.apache.hadoop.hbase.io.hfile.CorruptHFileException;
import org.apache.hadoop.hdfs.BlockMissingException;
import org.apache.hadoop.hdfs.protocol.DSQuotaExceededException;
import org.apache.hadoop.hdfs.protocol.NSQuotaExceededException;
import org.apache.hadoop.hdfs.protocol.QuotaByStorageTypeExceededException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What each failure of HDFS, or of HBase above it, is taken for. */
@InterfaceAudience.Private
class HdfsErrorTest {
  private static final String NAMENODE = "org.apache.hadoop.hdfs.server.namenode.";
  private static final String ROUTER = "org.apache.hadoop.hdfs.server.federation.router.";
  private static final String NO_NODE =
      "File x could only be written to 0 of the 1 minReplication nodes. There are ";

  private static RemoteException remote(String className) {
    return new RemoteException(className, "no");
  }

  private static RemoteException said(String message) {
    return new RemoteException(IOException.class.getName(), message);
  }

  /** HBase wraps what create met in its own class, but not what addBlock did. */
  private static IOException call(IOException e) {
    return new NameNodeException(e);
  }

  private static IOException bareCall(IOException e) {
    e.setStackTrace(
        new StackTraceElement[] {
          new StackTraceElement("org.apache.hadoop.ipc.Client", "call", "Client.java", 1)
        });
    return e;
  }

  private static Stream<Arguments> of(Kind kind, Throwable... failures) {
    return Arrays.stream(failures).map(failure -> Arguments.of(kind, failure));
  }

  static Stream<Arguments> failures() {
    RemoteException quotaOfSsd = remote(QuotaByStorageTypeExceededException.class.getName());
    RemoteException denied = remote(AccessControlException.class.getName());
    RemoteException names = remote(NSQuotaExceededException.class.getName());
    RemoteException space = remote(DSQuotaExceededException.class.getName());
    IOException noBlock = new IOException("Unable to create new block.");
    return Stream.of(
            of(
                Kind.SAFE_MODE,
                remote(NAMENODE + "SafeModeException"),
                new IOException(remote(NAMENODE + "SafeModeException")),
                remote(ROUTER + "RouterSafeModeException"),
                new IOException("Name node is in safe mode.")),
            of(
                Kind.NAMENODE,
                call(new ConnectException("no")),
                call(new SocketTimeoutException("no")),
                call(new IOException("Broken pipe")),
                call(new IOException("Connection reset by peer")),
                call(new UnknownHostException("nn")),
                call(new ClosedChannelException()),
                call(new AccessControlException("Client cannot authenticate via:[KERBEROS]")),
                bareCall(new ConnectException("no")),
                bareCall(new SocketTimeoutException("no")),
                bareCall(new IOException("Broken pipe")),
                remote(ROUTER + "NoNamenodesAvailableException"),
                remote("org.apache.hadoop.ipc.RpcServerException"),
                remote("org.apache.hadoop.ipc.StandbyException"),
                said(NO_NODE + "0 datanode(s) running and 0"),
                new IOException(NO_NODE + "0 datanode(s) running and 0")),
            of(
                Kind.NO_TARGET,
                said(NO_NODE + "3 datanode(s) running and 3 node(s) are excluded"),
                new IOException(NO_NODE + "10 datanode(s) running and 10"),
                bareCall(said("no node")),
                said("something"),
                remote(NAMENODE + "NotReplicatedYetException"),
                quotaOfSsd,
                quotaOfSsd.unwrapRemoteException(),
                new QuotaByStorageTypeExceededException(1, 2, StorageType.SSD)),
            of(
                Kind.NODE_SILENT,
                new SocketTimeoutException("65000 millis timeout while waiting for channel"),
                new ConnectException("Connection refused"),
                new NoRouteToHostException("no"),
                new TimeoutIOException(),
                new IOException("Timeout(2500ms) waiting for response")),
            of(
                Kind.NODE_REFUSED,
                new IOException("connection to 1.1.1.1 is closed"),
                noBlock,
                new IOException("All datanodes [DatanodeInfoWithStorage[..,SSD]] are bad."),
                new IOException("Failed to replace a bad datanode on the existing pipeline"),
                new IOException("write failed", new IOException("No space left on device")),
                new UncheckedIOException(noBlock),
                // What HBase made of it does not matter where HDFS has said why.
                new CorruptHFileException("trailer", noBlock),
                new IOException("something"),
                new IOException()),
            of(
                Kind.CONNECTION_LOST,
                new SocketException("Broken pipe"),
                new UnknownHostException("nn"),
                new EOFException()),
            of(Kind.PERMISSION, denied, denied.unwrapRemoteException(), bareCall(denied)),
            of(Kind.SUPERUSER_ONLY, new AccessControlException("Superuser privilege is required")),
            of(Kind.QUOTA, names, names.unwrapRemoteException(), bareCall(names)),
            of(Kind.QUOTA, space, space.unwrapRemoteException(), bareCall(space)),
            of(
                Kind.GONE,
                new FileNotFoundException("Parent directory doesn't exist"),
                remote(FileNotFoundException.class.getName()),
                new FileAlreadyExistsException("name")),
            of(
                Kind.STOPPED,
                new InterruptedIOException("Aborting compaction of store f"),
                new IOException(new InterruptedIOException("closing")),
                new ClosedByInterruptException(),
                call(new InterruptedIOException())),
            of(
                Kind.POLICIES_DISABLED,
                new IOException("since dfs.storage.policy.enabled is set to false.")),
            of(Kind.XATTRS_DISABLED, said("disabled by setting dfs.namenode.xattrs.enabled")),
            of(Kind.CLIENT_CLOSED, new IOException("Filesystem closed")),
            of(
                Kind.OTHER,
                new NotServingRegionException("closing"),
                new CorruptHFileException("Problem reading HFile Trailer from file /t"),
                new IOException("Invalid HFile block magic: \\x00\\x00"),
                new ChecksumException("Checksum error", 7),
                new BlockMissingException("/t", "Could not obtain block", 0),
                remote(NAMENODE + "LeaseExpiredException"),
                new IllegalStateException("a coprocessor's"),
                new OutOfMemoryError()))
        .flatMap(kind -> kind);
  }

  @ParameterizedTest
  @MethodSource("failures")
  void aFailureIsOfItsKind(Kind kind, Throwable failure) {
    assertEquals(kind, HdfsError.of(failure).kind);
  }

  /** What DISK would have met as well is not blamed on SSD; what cannot be told is. */
  @ParameterizedTest
  @CsvSource({
    "STOPPED, over final allFiles",
    "GONE, over final",
    "NAMENODE, nameNodes allFiles",
    "SAFE_MODE, nameNodes allFiles",
    "POLICIES_DISABLED, ''",
    "XATTRS_DISABLED, ''",
    "SUPERUSER_ONLY, forbidden final",
    "PERMISSION, forbidden final",
    "QUOTA, forbidden final",
    "NO_TARGET, refusal ssds",
    "NODE_SILENT, oneNode ssds allFiles",
    "CONNECTION_LOST, oneNode refusal ssds allFiles",
    "NODE_REFUSED, oneNode refusal ssds",
    "UNDER_REPLICATED, ''",
    "CLIENT_CLOSED, oneNode refusal allFiles",
    "OTHER, refusal"
  })
  void whatFollowsFromAKind(Kind kind, String expected) {
    String is =
        (kind.isOver() ? "over " : "")
            + (kind.isForbidden() ? "forbidden " : "")
            + (kind.isFinal() ? "final " : "")
            + (kind.isNameNodes() ? "nameNodes " : "")
            + (kind.isOfOneNode() ? "oneNode " : "")
            + (kind.isRefusal() ? "refusal " : "")
            + (kind.mayBeSsds() ? "ssds " : "")
            + (kind.isOfAllFiles() ? "allFiles " : "");
    assertEquals(expected, is.trim());
  }

  @Test
  void aNameNodeThatIsAwayOrHangsIsNotBlamedOnSsd() throws IOException {
    try (ServerSocket hangs = new ServerSocket()) {
      hangs.bind(new InetSocketAddress("127.0.0.1", 0));
      IOException failure = askNameNode(hangs.getLocalPort());
      assertTrue(failure instanceof SocketTimeoutException, String.valueOf(failure));
      assertEquals(Kind.NAMENODE, HdfsError.of(failure).kind);
      hangs.close();
      failure = askNameNode(hangs.getLocalPort());
      assertTrue(failure instanceof ConnectException, String.valueOf(failure));
      assertEquals(Kind.NAMENODE, HdfsError.of(failure).kind);
    }
  }

  private static IOException askNameNode(int port) throws IOException {
    Configuration conf = new Configuration();
    conf.setInt("ipc.client.connect.max.retries", 0);
    conf.setInt("ipc.client.rpc-timeout.ms", 200);
    conf.setBoolean("fs.hdfs.impl.disable.cache", true);
    try (FileSystem nobody = FileSystem.get(URI.create("hdfs://127.0.0.1:" + port), conf)) {
      return assertThrows(IOException.class, () -> nobody.getFileStatus(new Path("/")));
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
