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

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.io.hfile.CorruptHFileException;
import org.apache.hadoop.hdfs.BlockMissingException;
import org.apache.hadoop.hdfs.protocol.DSQuotaExceededException;
import org.apache.hadoop.hdfs.protocol.QuotaByStorageTypeExceededException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@InterfaceAudience.Private
class HdfsErrorBlameTest {
  private static RemoteException remote(String className, String message) {
    return new RemoteException(className, message);
  }

  private static boolean blamed(Throwable failure) {
    return HdfsError.of(failure).kind.mayBeSsds();
  }

  static Stream<Throwable> ssd() {
    return Stream.of(
        remote(
            "java.io.IOException",
            "File /t could only be written to 0 of the 1 minReplication nodes. There are 3"
                + " datanode(s) running and 3 node(s) are excluded in this operation."),
        new IOException("Unable to create new block."),
        new IOException("All datanodes [DatanodeInfoWithStorage[..,SSD]] are bad. Aborting..."),
        new IOException("Failed to replace a bad datanode on the existing pipeline"),
        new IOException("write failed", new IOException("No space left on device")),
        remote(
            "org.apache.hadoop.hdfs.server.namenode.NotReplicatedYetException", "Not replicated"),
        new QuotaByStorageTypeExceededException(1, 2, StorageType.SSD),
        remote(QuotaByStorageTypeExceededException.class.getName(), "quota exceeded"),
        new SocketTimeoutException("65000 millis timeout while waiting for channel"),
        new ConnectException("Connection refused"),
        new UncheckedIOException(new IOException("Unable to create new block.")),
        // What HBase made of it does not matter where HDFS has said why.
        new CorruptHFileException("trailer", new IOException("Unable to create new block.")));
  }

  @ParameterizedTest
  @MethodSource("ssd")
  void whatHdfsRefusedIsBlamedOnSsd(Throwable failure) {
    assertTrue(blamed(failure));
  }

  @Test
  void whatCannotBeToldIsBlamedOnSsd() {
    assertTrue(blamed(new IOException("something")));
    assertTrue(blamed(new IOException()));
  }

  static Stream<Throwable> others() {
    return Stream.of(
        new InterruptedIOException("Aborting compaction of store f because it was interrupted."),
        new IOException(new InterruptedIOException("closing")),
        new java.nio.channels.ClosedByInterruptException(),
        new NotServingRegionException("closing"),
        new CorruptHFileException("Problem reading HFile Trailer from file /t"),
        new IOException("Invalid HFile block magic: \\x00\\x00"),
        new ChecksumException("Checksum error", 7),
        new BlockMissingException("/t", "Could not obtain block", 0),
        new FileNotFoundException("File does not exist: /t"),
        remote("org.apache.hadoop.hdfs.server.namenode.LeaseExpiredException", "No lease on /t"),
        remote("org.apache.hadoop.hdfs.server.namenode.SafeModeException", "in safe mode"),
        remote("org.apache.hadoop.ipc.StandbyException", "standby"),
        remote("org.apache.hadoop.security.AccessControlException", "denied"),
        new DSQuotaExceededException(1, 2),
        new IOException("Filesystem closed"),
        new IllegalStateException("a coprocessor's"),
        new OutOfMemoryError());
  }

  @ParameterizedTest
  @MethodSource("others")
  void whatDiskWouldHaveMetAsWellIsNotBlamedOnSsd(Throwable failure) {
    assertFalse(blamed(failure));
  }

  @Test
  void aNameNodeThatIsAwayIsNotBlamedOnSsd() throws IOException {
    int port;
    try (ServerSocket free = silent()) {
      port = free.getLocalPort();
    }
    IOException failure = askNameNode(port);
    assertTrue(failure instanceof ConnectException, String.valueOf(failure));
    assertFalse(blamed(failure));
  }

  @Test
  void aNameNodeThatHangsIsNotBlamedOnSsd() throws IOException {
    try (ServerSocket hangs = silent()) {
      IOException failure = askNameNode(hangs.getLocalPort());
      assertTrue(failure instanceof SocketTimeoutException, String.valueOf(failure));
      assertFalse(blamed(failure));
    }
  }

  private static ServerSocket silent() throws IOException {
    ServerSocket socket = new ServerSocket();
    socket.bind(new InetSocketAddress("127.0.0.1", 0));
    return socket;
  }

  private static IOException askNameNode(int port) throws IOException {
    Configuration conf = new Configuration();
    conf.setInt("ipc.client.connect.max.retries", 0);
    conf.setInt("ipc.client.rpc-timeout.ms", 200);
    conf.setBoolean("fs.hdfs.impl.disable.cache", true);
    try (FileSystem nobody =
        FileSystem.get(java.net.URI.create("hdfs://127.0.0.1:" + port), conf)) {
      return assertThrows(IOException.class, () -> nobody.getFileStatus(new Path("/")));
    }
  }
}
