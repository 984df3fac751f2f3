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
package io.github.hybridhbase.docs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.yetus.audience.InterfaceAudience;

/** A {@code prometheus} process of its own that serves given samples and scrapes nothing. */
@InterfaceAudience.Private
final class RealPrometheus implements AutoCloseable {
  private static final String LOOPBACK = "127.0.0.1";
  private static final Duration START = Duration.ofSeconds(120);

  private final HttpClient http = HttpClient.newHttpClient();
  private final Process process;
  private final Path log;
  private final int port;

  /**
   * Starts the process and waits until it answers.
   *
   * @param directory an empty one for its data
   * @param samples OpenMetrics text, a sample a line, without the end mark
   */
  RealPrometheus(Path directory, String samples) throws IOException, InterruptedException {
    Path text = Files.writeString(directory.resolve("samples"), samples + "# EOF\n");
    Path data = directory.resolve("data");
    PrometheusTools.promtool(
        directory,
        "tsdb",
        "create-blocks-from",
        "openmetrics",
        "--quiet",
        text.toString(),
        data.toString());
    Path configuration = Files.writeString(directory.resolve("prometheus.yml"), "");
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(LOOPBACK))) {
      port = socket.getLocalPort();
    }
    log = directory.resolve("prometheus.log");
    process =
        new ProcessBuilder(
                PrometheusTools.find("prometheus"),
                "--config.file=" + configuration,
                "--storage.tsdb.path=" + data,
                "--storage.tsdb.retention.time=100y",
                "--web.listen-address=" + LOOPBACK + ":" + port)
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    boolean ready = false;
    try {
      awaitReady();
      ready = true;
    } finally {
      if (!ready) {
        close();
      }
    }
  }

  private void awaitReady() throws IOException, InterruptedException {
    long end = System.nanoTime() + START.toNanos();
    while (true) {
      try {
        if (get("/-/ready").statusCode() == 200) {
          return;
        }
      } catch (IOException e) {
        // The port is not open yet.
      }
      if (!process.isAlive() || System.nanoTime() > end) {
        throw new IOException("prometheus does not start: " + PrometheusTools.read(log));
      }
      Thread.sleep(100);
    }
  }

  private HttpResponse<String> get(String path) throws IOException, InterruptedException {
    URI uri = URI.create("http://" + LOOPBACK + ":" + port + path);
    HttpRequest request = HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(60)).build();
    return http.send(request, HttpResponse.BodyHandlers.ofString());
  }

  private JsonNode data(String path) throws IOException, InterruptedException {
    JsonNode answer = new ObjectMapper().readTree(get("/api/v1/" + path).body());
    if (!answer.path("status").asText().equals("success")) {
      throw new IOException(path + ": " + answer);
    }
    return answer.path("data");
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  /**
   * Evaluates an expression that gives one value at most.
   *
   * @param seconds since 1970
   * @return NaN if there is no value
   */
  double value(String expression, long seconds) throws IOException, InterruptedException {
    JsonNode result =
        data("query?time=" + seconds + "&query=" + encoded(expression)).path("result");
    if (result.size() > 1) {
      throw new IOException(expression + " gives more than one series: " + result);
    }
    return result.isEmpty() ? Double.NaN : result.get(0).path("value").get(1).asDouble();
  }

  /** Values of a label, of the series that a selector chooses; for Grafana's variables. */
  String labelValues(String label, String selector) throws IOException, InterruptedException {
    // Without these times Prometheus answers for the last hour only.
    return data("label/"
            + label
            + "/values?start=0&end=9999999999&match[]=".replace("[]", "%5B%5D")
            + encoded(selector))
        .toString();
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(10, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
