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
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.RETURNS_DEEP_STUBS;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.github.hybridhbase.hdfs.WebClient.Jmx;
import io.github.hybridhbase.testing.TypedHdfs;
import java.io.File;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URL;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.minikdc.MiniKdc;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.AuthenticationFilterInitializer;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** SSD space as a NameNode with Kerberos tells it, whose web pages let in by SPNEGO only. */
@Tag("long")
class SpnegoReadIT {
  private static final long GIB = 1L << 30;

  @Test
  void theSumIsReadWithTheKeytabAndNotWithoutATicket(@TempDir Path directory) throws Exception {
    MiniKdc kdc = new MiniKdc(MiniKdc.createConf(), directory.resolve("kdc").toFile());
    kdc.start();
    try {
      File keytab = directory.resolve("keytab").toFile();
      kdc.createPrincipal(
          keytab, "hdfs/localhost", "HTTP/localhost", "HTTP/127.0.0.1", "hbase/localhost");
      Configuration conf = secure(kdc.getRealm(), keytab);
      UserGroupInformation.setConfiguration(conf);
      try (TypedHdfs hdfs =
          TypedHdfs.start(
              conf,
              directory.resolve("dfs"),
              1,
              TypedHdfs.SSD_AND_DISK.ssdCapacity(GIB).otherCapacity(GIB))) {
        assertEquals(401, answerToAnybody("http://" + conf.get("dfs.namenode.http-address")));

        UserGroupInformation.loginUserFromKeytab(
            "hbase/localhost@" + kdc.getRealm(), keytab.toString());
        DataNodeReader reader = new DataNodeReader(noSuperusers(hdfs.cluster().getURI()), conf);
        SsdSpace space = reader.space();
        assertEquals(GIB, space.capacity);
        assertEquals(1, space.nodes);
        assertEquals(List.of(), space.perNode);

        UserGroupInformation.setLoginUser(UserGroupInformation.createRemoteUser("hbase"));
        assertEquals(GIB, reader.space().capacity, "its token is still valid");
        DataNodeReader his = new DataNodeReader(noSuperusers(hdfs.cluster().getURI()), conf);
        String why = assertThrows(IOException.class, his::space).getMessage();
        assertTrue(why.startsWith("Not let in by http://"), why);
      }
    } finally {
      kdc.stop();
      // What other test classes in this JVM start from.
      UserGroupInformation.reset();
      UserGroupInformation.setConfiguration(new Configuration());
    }
  }

  /** An HDFS with Kerberos whose web pages ask for it as well. */
  private static Configuration secure(String realm, File keytab) {
    Configuration conf = new Configuration();
    conf.set("hadoop.security.authentication", "kerberos");
    conf.setBoolean("hadoop.security.authorization", true);
    conf.setBoolean("dfs.block.access.token.enable", true);
    // DataNodes on ports above 1023 without TLS.
    conf.setBoolean("ignore.secure.ports.for.testing", true);
    for (String server : new String[] {"namenode", "datanode"}) {
      conf.set("dfs." + server + ".keytab.file", keytab.toString());
      conf.set("dfs." + server + ".kerberos.principal", "hdfs/localhost@" + realm);
    }
    conf.set("dfs.web.authentication.kerberos.principal", "HTTP/localhost@" + realm);
    conf.set("dfs.web.authentication.kerberos.keytab", keytab.toString());
    conf.set("hadoop.http.filter.initializers", AuthenticationFilterInitializer.class.getName());
    conf.set("hadoop.http.authentication.type", "kerberos");
    conf.set("hadoop.http.authentication.kerberos.keytab", keytab.toString());
    conf.set("hadoop.http.authentication.kerberos.principal", "*");
    return conf;
  }

  /**
   * A client that may not ask for the DataNodes, so that the web page alone can tell. Mocked: a
   * NameNode takes calls as the login user of its JVM, which the reader needs to be here.
   */
  private static DistributedFileSystem noSuperusers(URI uri) throws IOException {
    DistributedFileSystem fs = mock(DistributedFileSystem.class, RETURNS_DEEP_STUBS);
    when(fs.getUri()).thenReturn(uri);
    when(fs.getClient().getDatanodeStorageReport(any()))
        .thenThrow(new RemoteException(AccessControlException.class.getName(), "no superuser"));
    return fs;
  }

  private static int answerToAnybody(String server) throws IOException {
    HttpURLConnection connection =
        (HttpURLConnection) new URL(server + Jmx.BLOCK_STATS).openConnection();
    try {
      return connection.getResponseCode();
    } finally {
      connection.disconnect();
    }
  }
}
