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

import io.github.hybridhbase.hdfs.WebClient.Jmx;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.http.HttpServer2;
import org.apache.hadoop.security.AuthenticationFilterInitializer;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A web server of Hadoop's own that lets nobody in without a name. */
@InterfaceAudience.Private
class WebClientTest {
  private static final String BEAN = "/jmx?qry=java.lang:type=Runtime";

  @TempDir Path directory;
  private HttpServer2 server;

  @AfterEach
  void stop() throws Exception {
    server.stop();
  }

  private String start(boolean anonymous) throws IOException {
    Path secret = Files.writeString(directory.resolve("secret"), "of the servers");
    Configuration conf = new Configuration();
    conf.set("hadoop.http.filter.initializers", AuthenticationFilterInitializer.class.getName());
    conf.set("hadoop.http.authentication.type", "simple");
    conf.setBoolean("hadoop.http.authentication.simple.anonymous.allowed", anonymous);
    conf.set("hadoop.http.authentication.signature.secret.file", secret.toString());
    conf.set("a.key", "a value & more");
    conf.set("another.key", "${a.key}");
    server =
        new HttpServer2.Builder()
            .setName("datanode")
            .addEndpoint(URI.create("http://localhost:0"))
            .setConf(conf)
            .build();
    server.start();
    return "http://localhost:" + server.getConnectorAddress(0).getPort();
  }

  @Test
  void theLoginUsersNameIsGivenToWhoAsks() throws IOException {
    String address = start(false);
    HttpURLConnection anybody = (HttpURLConnection) new URL(address + BEAN).openConnection();
    assertEquals(401, anybody.getResponseCode());
    try (WebClient web = new WebClient(new Configuration(false), 1 << 20, 10_000)) {
      for (int read = 0; read < 3; read++) {
        assertTrue(Jmx.attribute(web.read(address + BEAN), "VmName").isPresent());
      }
    }
  }

  @Test
  void whoAsksNobodyIsAskedOnce() throws IOException {
    String address = start(true);
    assertTrue(
        Jmx.attribute(WebClient.get(new Configuration(false), address + BEAN), "VmName")
            .isPresent());
  }

  @Test
  void confIsReadAsAConfiguration() throws Exception {
    for (boolean anonymous : new boolean[] {true, false}) {
      Map<String, String> settings =
          WebClient.settings(new Configuration(false), List.of(start(anonymous)));
      assertEquals("a value & more", settings.get("a.key"));
      assertEquals("a value & more", settings.get("another.key"));
      server.stop();
    }
  }

  @Test
  void whatIsNoConfigurationIsAnIOException() throws IOException {
    start(true);
    for (String text :
        new String[] {"", "<html>", "{\"properties\":[]}", "<configuration><property>"}) {
      assertThrows(IOException.class, () -> WebClient.parse(text), text);
    }
    assertEquals(Map.of(), WebClient.parse("<configuration/>"));
  }
}
