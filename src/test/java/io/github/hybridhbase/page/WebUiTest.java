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
package io.github.hybridhbase.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.report.Report;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Supplier;
import javax.servlet.Filter;
import javax.servlet.FilterChain;
import javax.servlet.FilterConfig;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.http.FilterContainer;
import org.apache.hadoop.hbase.http.FilterInitializer;
import org.apache.hadoop.hbase.http.InfoServer;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page in a real InfoServer of HBase that is up already, as a master's is. */
@InterfaceAudience.Private
class WebUiTest {
  private InfoServer ui;

  private void start(Configuration conf) throws IOException {
    ui = new InfoServer("master", "127.0.0.1", 0, false, conf);
    ui.start();
  }

  @AfterEach
  void stop() throws Exception {
    ui.stop();
  }

  private HttpURLConnection get(String method) throws IOException {
    URL url = new URL("http://127.0.0.1:" + ui.getPort() + WebUi.PATH);
    HttpURLConnection connection = (HttpURLConnection) url.openConnection();
    connection.setRequestMethod(method);
    connection.setConnectTimeout(30_000);
    connection.setReadTimeout(30_000);
    return connection;
  }

  private String body() throws IOException {
    try (InputStream in = get("GET").getInputStream()) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static Supplier<Report> named(String name) {
    return () -> PlacementReport.of(Pictures.unscanned(name, ""));
  }

  @Test
  void answersAfterTheUiIsUpAndNothingElseIsTouched() throws Exception {
    start(new Configuration());
    assertEquals(404, get("GET").getResponseCode());
    WebUi.show(ui, named("/<first>"));
    HttpURLConnection page = get("GET");
    assertEquals(200, page.getResponseCode());
    assertEquals("text/html;charset=utf-8", page.getContentType().toLowerCase().replace(" ", ""));
    assertEquals("no-store", page.getHeaderField("Cache-Control"));
    assertTrue(body().contains("/&lt;first&gt;"));
    assertEquals(405, get("POST").getResponseCode());
    assertEquals(404, status("/hybrid/x"));
    assertEquals(200, status("/jmx"));
  }

  private int status(String path) throws IOException {
    URL url = new URL("http://127.0.0.1:" + ui.getPort() + path);
    return ((HttpURLConnection) url.openConnection()).getResponseCode();
  }

  @Test
  void coprocessorsThatAreLoadedAnewShowTheirOwn() throws Exception {
    start(new Configuration());
    WebUi.show(ui, named("first"));
    assertTrue(body().contains("first"));
    WebUi.show(ui, named("second"));
    assertTrue(body().contains("second"));
    assertFalse(body().contains("first"));
  }

  @Test
  void aPictureThatFailsIsALineAndNoMore() throws Exception {
    start(new Configuration());
    WebUi.show(
        ui,
        () -> {
          throw new IllegalStateException("secret");
        });
    HttpURLConnection page = get("GET");
    assertEquals(500, page.getResponseCode());
    String text = new String(page.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    assertTrue(text.contains("'hbase-hybrid check'"), text);
    assertFalse(text.contains("secret"), text);
  }

  /** Lets nobody see what HBase puts it before. */
  @InterfaceAudience.Private
  public static final class Forbids extends FilterInitializer {
    @Override
    public void initFilter(FilterContainer container, Configuration conf) {
      container.addFilter("forbids", ForbidsFilter.class.getName(), Map.of());
    }
  }

  /** Answers 403. */
  @InterfaceAudience.Private
  public static final class ForbidsFilter implements Filter {
    @Override
    public void init(FilterConfig config) {}

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
        throws IOException {
      ((HttpServletResponse) response).sendError(403);
    }

    @Override
    public void destroy() {}
  }

  @Test
  void anAdminsFilterStandsBeforeItAsBeforeHBasesOwn() throws Exception {
    Configuration conf = new Configuration();
    conf.set("hbase.http.filter.initializers", Forbids.class.getName());
    start(conf);
    assertEquals(403, status("/jmx"));
    WebUi.show(ui, named("secret"));
    assertEquals(403, status(WebUi.PATH));
  }

  @Test
  void anotherServletAtThePathStays() throws Exception {
    ui = new InfoServer("master", "127.0.0.1", 0, false, new Configuration());
    ui.addUnprivilegedServlet("other", WebUi.PATH, Other.class);
    ui.start();
    assertThrows(IllegalStateException.class, () -> WebUi.show(ui, named("ours")));
    assertEquals(204, status(WebUi.PATH));
    assertEquals(200, status("/jmx"));
  }

  /** Of another plugin. */
  @InterfaceAudience.Private
  public static final class Other extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) {
      response.setStatus(204);
    }
  }

  /** No KDC: whoever brings no ticket never comes to one. */
  @Test
  void whereTheUiWantsKerberosNobodySeesItWithoutATicket(@TempDir Path directory) throws Exception {
    Configuration conf = new Configuration();
    Path keytab = Files.write(directory.resolve("keytab"), new byte[] {5, 2});
    Path secret = Files.writeString(directory.resolve("secret"), "of the test");
    conf.set("hbase.security.authentication.ui", "kerberos");
    conf.set("hbase.security.authentication.spnego.kerberos.principal", "HTTP/localhost@EXAMPLE");
    conf.set("hbase.security.authentication.spnego.kerberos.keytab", keytab.toString());
    conf.set("hbase.security.authentication.signature.secret.file", secret.toString());
    start(conf);
    WebUi.show(ui, named("secret"));
    HttpURLConnection page = get("GET");
    assertEquals(401, page.getResponseCode());
    assertEquals("Negotiate", page.getHeaderField("WWW-Authenticate"));
    InputStream body = page.getErrorStream();
    assertFalse(
        body != null
            && new String(body.readAllBytes(), StandardCharsets.UTF_8).contains("Hybrid storage"));
    assertNull(page.getHeaderField("Location"));
  }
}
