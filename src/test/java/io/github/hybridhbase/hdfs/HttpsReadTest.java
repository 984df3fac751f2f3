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

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.github.hybridhbase.hdfs.WebClient.Jmx;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.ssl.KeyStoreTestUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A NameNode that speaks HTTPS only, with a certificate that only ssl-client.xml vouches for. */
class HttpsReadTest {
  private static final String PASSWORD = "serverP"; // KeyStoreTestUtil's

  private static HttpsServer server(Path keyStore) throws Exception {
    KeyStore keys = KeyStore.getInstance("JKS");
    try (InputStream in = Files.newInputStream(keyStore)) {
      keys.load(in, PASSWORD.toCharArray());
    }
    KeyManagerFactory managers =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(keys, PASSWORD.toCharArray());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(managers.getKeyManagers(), null, null);
    HttpsServer server = HttpsServer.create(new InetSocketAddress("localhost", 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(context));
    server.createContext(
        "/jmx",
        exchange -> {
          byte[] answer = "{\"beans\":[]}".getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, answer.length);
          try (OutputStream out = exchange.getResponseBody()) {
            out.write(answer);
          }
        });
    return server;
  }

  /** Threads that Hadoop starts to reload certificates, see {@code FileBasedKeyStoresFactory}. */
  private static Set<Thread> watchersOfTheTrustStore() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("SSL Certificates Store Monitor"))
        .collect(Collectors.toSet());
  }

  @Test
  void isReadWhereSslClientXmlTrustsIt(@TempDir Path directory) throws Exception {
    Configuration conf = new Configuration(false);
    String classes = KeyStoreTestUtil.getClasspathDir(HttpsReadTest.class);
    KeyStoreTestUtil.setupSSLConfig(directory.toString(), classes, conf, false);
    try {
      HttpsServer server = server(directory.resolve("serverKS.jks"));
      server.start();
      try {
        conf.set("dfs.http.policy", "HTTPS_ONLY");
        conf.set("dfs.namenode.https-address", "localhost:" + server.getAddress().getPort());
        List<String> addresses = NameNodeWeb.addresses(conf, URI.create("hdfs://localhost:8020"));
        assertEquals(1, addresses.size());
        String address = addresses.get(0) + Jmx.BLOCK_STATS;
        Set<Thread> before = watchersOfTheTrustStore();
        for (int look = 0; look < 5; look++) {
          assertEquals("{\"beans\":[]}", WebClient.get(conf, address));
        }
        for (Thread thread : watchersOfTheTrustStore()) {
          if (!before.contains(thread)) {
            thread.join(TimeUnit.SECONDS.toMillis(10)); // it was told to end
            assertFalse(thread.isAlive(), thread::getName);
          }
        }
      } finally {
        server.stop(0);
      }
    } finally {
      KeyStoreTestUtil.cleanupSSLConfig(directory.toString(), classes);
    }
  }
}
