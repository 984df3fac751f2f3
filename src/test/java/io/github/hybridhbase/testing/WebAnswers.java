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
package io.github.hybridhbase.testing;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.yetus.audience.InterfaceAudience;

/** A web server that answers what a test gives it, by path and query, or by path. */
@InterfaceAudience.Private
public final class WebAnswers implements AutoCloseable {
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Map<String, Callable<String>> answers = new ConcurrentHashMap<>();
  private final HttpServer server;

  /** Starts it. */
  public WebAnswers() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::answer);
    server.start();
  }

  private void answer(HttpExchange exchange) throws IOException {
    URI asked = exchange.getRequestURI();
    Callable<String> answer = answers.getOrDefault(asked.toString(), answers.get(asked.getPath()));
    try {
      String text = answer == null ? null : answer.call();
      if (text == null) {
        exchange.sendResponseHeaders(answer == null ? 404 : 403, -1);
      } else {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(200, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
      }
    } catch (Exception e) { // the client is gone, or the server stops
      exchange.close();
      throw new IOException(e);
    }
  }

  /** Answers this from now on. */
  public WebAnswers on(String path, String text) {
    return on(path, () -> text);
  }

  /** Answers what is computed, once it is; 403 if that is null. */
  public WebAnswers on(String path, Callable<String> text) {
    answers.put(path, text);
    return this;
  }

  public int port() {
    return server.getAddress().getPort();
  }

  /** Scheme, host and port. */
  public String address() {
    return "http://127.0.0.1:" + port();
  }

  @Override
  public void close() {
    threads.shutdownNow();
    server.stop(0);
  }
}
