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
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import io.github.hybridhbase.hdfs.WebClient.Jmx;
import io.github.hybridhbase.testing.HostileText;
import io.github.hybridhbase.testing.WebAnswers;
import java.io.IOException;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.http.HttpServer2;
import org.apache.hadoop.security.AuthenticationFilterInitializer;
import org.apache.hadoop.security.ssl.KeyStoreTestUtil;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Web servers of Hadoop's own, and those that are slow, hostile or speak HTTPS only. */
@InterfaceAudience.Private
class WebClientTest {
  private static final String BEAN = "/jmx?qry=java.lang:type=Runtime";

  private static final int CASES = 1_000;
  private static final int DRIPS = 10;
  private static final int MOST = 10_000;
  private static final int MILLIS = 10_000;
  private static final String PASSWORD = "serverP"; // KeyStoreTestUtil's

  private final HostileText text = new HostileText(getClass().getSimpleName());
  private final List<AutoCloseable> servers = new ArrayList<>();

  @TempDir Path directory;

  @AfterEach
  void stop() throws Exception {
    for (AutoCloseable server : servers) {
      server.close();
    }
  }

  private static WebClient client(int mostMillis) {
    return new WebClient(new Configuration(false), MOST, mostMillis);
  }

  /** A web server of Hadoop's own that lets nobody in without a name, unless told to. */
  private String start(boolean anonymous) throws IOException {
    Path secret = Files.writeString(directory.resolve("secret"), "of the servers");
    Configuration conf = new Configuration();
    conf.set("hadoop.http.filter.initializers", AuthenticationFilterInitializer.class.getName());
    conf.set("hadoop.http.authentication.type", "simple");
    conf.setBoolean("hadoop.http.authentication.simple.anonymous.allowed", anonymous);
    conf.set("hadoop.http.authentication.signature.secret.file", secret.toString());
    conf.set("a.key", "a value & more");
    conf.set("another.key", "${a.key}");
    return start("http", new HttpServer2.Builder().setConf(conf));
  }

  private String start(String scheme, HttpServer2.Builder builder) throws IOException {
    URI endpoint = URI.create(scheme + "://localhost:0");
    HttpServer2 server = builder.setName("datanode").addEndpoint(endpoint).build();
    server.start();
    servers.add(server::stop);
    return scheme + "://localhost:" + server.getConnectorAddress(0).getPort();
  }

  @Test
  void theLoginUsersNameIsGivenToWhoAsks() throws IOException {
    String address = start(false);
    HttpURLConnection anybody = (HttpURLConnection) new URL(address + BEAN).openConnection();
    assertEquals(401, anybody.getResponseCode());
    try (WebClient web = new WebClient(new Configuration(false), 1 << 20, MILLIS)) {
      for (int read = 0; read < 3; read++) {
        assertTrue(Jmx.attribute(web.read(address + BEAN), "VmName").isPresent());
      }
    }
  }

  @Test
  void confIsReadAsAConfiguration() throws Exception {
    for (boolean anonymous : new boolean[] {true, false}) {
      Map<String, String> settings =
          WebClient.settings(new Configuration(false), List.of(start(anonymous)));
      assertEquals("a value & more", settings.get("a.key"));
      assertEquals("a value & more", settings.get("another.key"));
    }
  }

  @Test
  void whatIsNoConfigurationIsAnIOException() throws IOException {
    for (String text :
        new String[] {"", "<html>", "{\"properties\":[]}", "<configuration><property>"}) {
      assertThrows(IOException.class, () -> WebClient.parse(text), text);
    }
    assertEquals(Map.of(), WebClient.parse("<configuration/>"));
  }

  @Test
  void anAnswerThatIsTooLongIsSilentOrIsRefusedIsGivenUp() throws IOException {
    CountDownLatch never = new CountDownLatch(1);
    try (WebAnswers answers = new WebAnswers();
        WebClient get = client(MILLIS);
        WebClient impatient = client(200)) {
      String base = answers.address();
      answers.on("/ok", "x".repeat(MOST)).on("/long", "x".repeat(MOST + 1)).on("/no", () -> null);
      answers.on("/silent", () -> String.valueOf(never.await(1, TimeUnit.HOURS)));
      assertEquals("x".repeat(MOST), get.read(base + "/ok"));
      assertFails("more than " + MOST + " bytes", get, base + "/long");
      assertFails("Not let in by " + base + "/no: ", get, base + "/no");
      assertThrows(IOException.class, () -> impatient.read(base + "/silent"));
    }
  }

  private static void assertFails(String why, WebClient get, String address) {
    String message = assertThrows(IOException.class, () -> get.read(address)).getMessage();
    assertTrue(message.contains(why), message);
  }

  /** Cuts answers, lies about their length, or floods. Requests come one by one. */
  private void answer(HttpExchange exchange) throws IOException {
    Random random = text.random();
    byte[] body =
        text.next("{\"beans\":[{\"State\":\"active\"}]}").getBytes(StandardCharsets.UTF_8);
    int status = random.nextInt(4) == 0 ? 200 + random.nextInt(400) : 200;
    long length = random.nextInt(3) == 0 ? 1 + random.nextInt(3 * MOST) : body.length;
    try {
      if (random.nextInt(20) == 0) {
        return; // not a word
      }
      if (random.nextInt(4) == 0) {
        exchange.getResponseHeaders().add("Content-Type", "application/x-no");
        exchange.getResponseHeaders().add("Location", "http://127.0.0.1:1/");
      }
      exchange.sendResponseHeaders(status, random.nextInt(10) == 0 ? 0 : Math.max(1, length));
      OutputStream out = exchange.getResponseBody();
      out.write(body);
      for (long sent = body.length; random.nextBoolean() && sent < length; sent += body.length) {
        out.write(body);
      }
    } catch (IOException e) {
      return; // more was sent than was said, as was wanted
    } finally {
      exchange.close();
    }
  }

  private String hostile(String path, HttpHandler handler) throws IOException {
    HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    server.createContext(path, handler);
    server.start();
    servers.add(() -> server.stop(0));
    return "http://127.0.0.1:" + server.getAddress().getPort() + path;
  }

  /** Bytes without an end, each soon enough for a socket's own time limit. */
  @Test
  @Timeout(60)
  void anAnswerThatDripsEnds() throws IOException {
    String address =
        hostile(
            "/drip",
            exchange -> {
              exchange.sendResponseHeaders(200, 0);
              while (true) {
                exchange.getResponseBody().write('{');
                exchange.getResponseBody().flush();
                LockSupport.parkNanos(5_000_000); // the rate of the drips
              }
            });
    try (WebClient get = client(200)) {
      for (int i = 0; i < DRIPS; i++) {
        IOException error = assertThrows(IOException.class, () -> get.read(address));
        assertTrue(
            error.getMessage().endsWith("took too long to answer")
                || error instanceof SocketTimeoutException, // a busy machine drips too slowly
            error::toString);
      }
    }
  }

  @Test
  void whateverIsAnsweredIsReadOrIsAnIOException() throws IOException {
    String address = hostile("/jmx", this::answer);
    int read = 0;
    try (WebClient get = client(MILLIS)) {
      for (int i = 0; i < CASES; i++) {
        try {
          String answer = get.read(address);
          Jmx.attribute(answer, "State");
          SsdSpace.of(answer, 0);
          read++;
        } catch (IOException e) {
          continue; // that is what it may throw
        }
      }
    }
    assertTrue(read > CASES / 10 && read < CASES, "read " + read + " of " + CASES);
  }

  /** Threads that Hadoop starts to reload certificates, see {@code FileBasedKeyStoresFactory}. */
  private static Set<Thread> watchersOfTheTrustStore() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("SSL Certificates Store Monitor"))
        .collect(Collectors.toSet());
  }

  @Test
  void httpsIsReadWhereSslClientXmlTrustsIt() throws Exception {
    Configuration conf = new Configuration(false);
    String classes = KeyStoreTestUtil.getClasspathDir(WebClientTest.class);
    KeyStoreTestUtil.setupSSLConfig(directory.toString(), classes, conf, false);
    try {
      HttpServer2.Builder builder = new HttpServer2.Builder().setConf(conf).keyPassword(PASSWORD);
      Path keys = directory.resolve("serverKS.jks");
      String server = start("https", builder.keyStore(keys.toString(), PASSWORD, "jks"));
      conf.set("dfs.http.policy", "HTTPS_ONLY");
      conf.set("dfs.namenode.https-address", server.replace("https://", ""));
      URI nameNode = URI.create("hdfs://localhost:8020");
      String address = NameNodeWeb.addresses(conf, nameNode).get(0) + Jmx.BLOCK_STATS;
      Set<Thread> before = watchersOfTheTrustStore();
      for (int look = 0; look < 5; look++) {
        assertTrue(WebClient.get(conf, address).contains("\"beans\""));
      }
      for (Thread thread : watchersOfTheTrustStore()) {
        if (!before.contains(thread)) {
          thread.join(TimeUnit.SECONDS.toMillis(10)); // it was told to end
          assertFalse(thread.isAlive(), thread::getName);
        }
      }
    } finally {
      KeyStoreTestUtil.cleanupSSLConfig(directory.toString(), classes);
    }
  }
}
