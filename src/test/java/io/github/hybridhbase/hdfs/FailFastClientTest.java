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
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** On an HDFS that nobody asks. */
class FailFastClientTest {
  private final FailFastClient clients = new FailFastClient();
  private FileSystem fs;

  @BeforeEach
  void connectToNothing() throws IOException {
    Configuration conf = new Configuration();
    conf.setInt(CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_MAX_RETRIES_KEY, 0);
    fs = FileSystem.newInstance(URI.create("hdfs://127.0.0.1:1"), conf);
  }

  @AfterEach
  void close() throws IOException {
    fs.close();
  }

  private static boolean isOpen(FailFastClient.Use use) {
    return ((DistributedFileSystem) use.fs()).getClient().isClientRunning();
  }

  @Test
  void aFileThatTakesLongerToCloseThanItsProviderKeepsItsClient() {
    clients.acquire();
    FailFastClient.Use closer = clients.use(fs);
    FailFastClient.Use other = clients.use(fs);
    assertSame(closer.fs(), other.fs());
    clients.release();
    assertTrue(isOpen(closer), "cut off by the provider");
    other.close();
    other.close();
    assertTrue(isOpen(closer), "cut off by a file that was closed twice");
    closer.close();
    assertFalse(isOpen(closer), "the last one out closes");
  }

  @Test
  void aProviderKeepsTheClientBetweenFiles() {
    clients.acquire();
    FailFastClient.Use first = clients.use(fs);
    first.close();
    assertTrue(isOpen(first));
    clients.release();
    assertFalse(isOpen(first));
  }

  @Test
  void aClientThatSomebodyElseClosedIsNotHandedOutAgain() throws IOException {
    clients.acquire();
    FailFastClient.Use first = clients.use(fs);
    first.fs().close();
    first.failed(new IOException("Filesystem closed"));
    first.close();
    FailFastClient.Use second = clients.use(fs);
    assertNotSame(first.fs(), second.fs());
    assertTrue(isOpen(second));
    second.close();
    clients.release();
    assertFalse(isOpen(second));
  }

  /** HBase asks for fifteen minutes; wal.TestWALFactory.testAppendClose lost a WAL by it. */
  @Test
  void noLeaseIsRecoveredOnceHBasesClientIsClosed() throws IOException {
    FailFastClient.Use use = clients.use(fs);
    DistributedFileSystem client = (DistributedFileSystem) use.fs();
    Path file = new Path("/hbase/WALs/a");
    assertThrows(ConnectException.class, () -> client.recoverLease(file), "nobody was asked");
    fs.close();
    IOException said = assertThrows(IOException.class, () -> client.recoverLease(file));
    assertEquals("Filesystem closed", said.getMessage());
    use.close();
  }

  /** Probes through it must have as many replicas as WALs, to show that these would be better. */
  @Test
  void itsFilesHaveTheReplicasOfWals() throws IOException {
    fs.getConf().setInt("dfs.replication", 2);
    fs.getConf().setInt("hbase.regionserver.hlog.replication", 3);
    try (FailFastClient.Use use = clients.use(fs)) {
      assertEquals(3, use.fs().getDefaultReplication(new Path("/")));
    }
  }
}
