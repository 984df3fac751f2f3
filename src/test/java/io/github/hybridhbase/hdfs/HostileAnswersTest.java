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

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.github.hybridhbase.hdfs.WebClient.Jmx;
import io.github.hybridhbase.testing.HostileText;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A web server that cuts its answers, lies about their length, or floods: each GET ends. */
@InterfaceAudience.Private
class HostileAnswersTest {
  private static final int CASES = 1_000;
  private static final int DRIPS = 10;
  private static final int MOST = 10_000;
  private static final int MILLIS = 10_000;

  private final HostileText text = new HostileText(getClass().getSimpleName());
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
  }

  @AfterEach
  void end() {
    server.stop(0);
  }

  /** On the server's one thread; requests come one by one. */
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

  /** Bytes without an end, each soon enough for a socket's own time limit. */
  @Test
  @Timeout(60)
  void anAnswerThatDripsEnds() {
    server.createContext(
        "/drip",
        exchange -> {
          try {
            exchange.sendResponseHeaders(200, 0);
            while (true) {
              exchange.getResponseBody().write('{');
              exchange.getResponseBody().flush();
              Thread.sleep(5);
            }
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          } finally {
            exchange.close();
          }
        });
    String address = "http://127.0.0.1:" + server.getAddress().getPort() + "/drip";
    try (WebClient get = new WebClient(new Configuration(false), MOST, 200)) {
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
  void eachIsReadOrIsAnIOException() {
    String address = "http://127.0.0.1:" + server.getAddress().getPort() + "/jmx";
    int read = 0;
    try (WebClient get = new WebClient(new Configuration(false), MOST, MILLIS)) {
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
}
