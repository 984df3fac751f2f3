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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.hybridhbase.testing.Await;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URL;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.apache.yetus.audience.InterfaceAudience;

/** A {@code prometheus} process of its own that serves given samples and scrapes nothing. */
@InterfaceAudience.Private
final class RealPrometheus implements AutoCloseable {
  private static final String LOOPBACK = "127.0.0.1";

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
    String[] create = {
      "tsdb", "create-blocks-from", "openmetrics", "--quiet", "" + text, "" + data
    };
    PrometheusTools.promtool(directory, create);
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
    try {
      Await.until("prometheus to start", this::isReady);
    } catch (AssertionError e) {
      close();
      throw e;
    }
  }

  private boolean isReady() {
    assertTrue(process.isAlive(), () -> PrometheusTools.read(log));
    try (InputStream in = url("/-/ready").openStream()) {
      return in.read() >= 0;
    } catch (IOException e) {
      return false; // the port is not open yet, or the data is not
    }
  }

  private URL url(String path) throws IOException {
    return new URL("http", LOOPBACK, port, path);
  }

  private JsonNode data(String path) throws IOException {
    JsonNode answer = new ObjectMapper().readTree(url("/api/v1/" + path));
    assertEquals("success", answer.path("status").asText(), answer::toString);
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
  double value(String expression, long seconds) throws IOException {
    JsonNode result =
        data("query?time=" + seconds + "&query=" + encoded(expression)).path("result");
    assertTrue(result.size() <= 1, () -> expression + " gives more than one series: " + result);
    return result.isEmpty() ? Double.NaN : result.get(0).path("value").get(1).asDouble();
  }

  /** Values of a label, of the series that a selector chooses; for Grafana's variables. */
  String labelValues(String label, String selector) throws IOException {
    // Without these times Prometheus answers for the last hour only.
    String query = "start=0&end=9999999999&match%5B%5D=" + encoded(selector);
    return data("label/" + label + "/values?" + query).toString();
  }

  @Override
  public void close() {
    process.destroy();
    process.onExit().completeOnTimeout(process, 10, TimeUnit.SECONDS).join();
    process.destroyForcibly();
  }
}
