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

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.http.HttpServer2;
import org.apache.hadoop.minikdc.MiniKdc;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.AuthenticationFilterInitializer;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The web server of a NameNode on a secure cluster, which lets in by SPNEGO only. */
@Tag("long")
class SpnegoReadIT {
  private static final String HTTP = "hadoop.http.authentication.";

  private static HttpServer2 server(Configuration conf) throws Exception {
    HttpServer2 server =
        new HttpServer2.Builder()
            .setName("hdfs")
            .addEndpoint(URI.create("http://localhost:0"))
            .setFindPort(true)
            .setConf(conf)
            .build();
    server.start();
    return server;
  }

  @Test
  void isReadAsTheLoginUserAndRefusedWithoutATicket(@TempDir Path directory) throws Exception {
    MiniKdc kdc = new MiniKdc(MiniKdc.createConf(), directory.toFile());
    kdc.start();
    try {
      File keytab = directory.resolve("keytab").toFile();
      kdc.createPrincipal(keytab, "hbase/localhost", "HTTP/localhost");
      Configuration conf = new Configuration(false);
      conf.set("hadoop.security.authentication", "kerberos");
      conf.setBoolean("hadoop.security.authorization", true);
      // As conf/core-site.xml of a NameNode whose web pages ask for Kerberos.
      conf.set("hadoop.http.filter.initializers", AuthenticationFilterInitializer.class.getName());
      conf.set(HTTP + "type", "kerberos");
      conf.set(HTTP + "kerberos.keytab", keytab.toString());
      conf.set(HTTP + "kerberos.principal", "HTTP/localhost@" + kdc.getRealm());
      UserGroupInformation.setConfiguration(conf);
      UserGroupInformation.loginUserFromKeytab(
          "hbase/localhost@" + kdc.getRealm(), keytab.toString());
      HttpServer2 server = server(conf);
      try {
        String address =
            "http://"
                + NetUtils.getHostPortString(server.getConnectorAddress(0))
                + "/jmx?qry=java.lang:type=Runtime";
        String answer = new BoundedGet(conf, 1 << 20, 20_000).read(address);
        assertTrue(answer.contains("\"beans\""), answer);

        UserGroupInformation.reset();
        Configuration simple = new Configuration(false);
        UserGroupInformation.setConfiguration(simple);
        IOException e =
            assertThrows(
                IOException.class, () -> new BoundedGet(simple, 1 << 20, 20_000).read(address));
        assertTrue(e.getMessage().contains("401"), e.getMessage());
      } finally {
        server.stop();
      }
    } finally {
      kdc.stop();
      // What other test classes in this JVM start from.
      UserGroupInformation.reset();
      UserGroupInformation.setConfiguration(new Configuration());
    }
  }
}
