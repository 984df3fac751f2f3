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

import static java.net.http.HttpRequest.BodyPublishers.noBody;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import javax.servlet.Filter;
import javax.servlet.FilterChain;
import javax.servlet.FilterConfig;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;
import javax.servlet.http.HttpServletResponse;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.http.FilterContainer;
import org.apache.hadoop.hbase.http.FilterInitializer;
import org.apache.hadoop.hbase.http.InfoServer;
import org.apache.hadoop.hbase.http.jmx.JMXJsonServlet;
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

  private HttpResponse<String> ask(String method, String path) throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + ui.getPort() + path);
    HttpRequest request = HttpRequest.newBuilder(uri).method(method, noBody()).build();
    return HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
  }

  private HttpResponse<String> get() throws Exception {
    return ask("GET", WebUi.PATH);
  }

  private int status(String path) throws Exception {
    return ask("GET", path).statusCode();
  }

  private static String header(HttpResponse<String> page, String name) {
    return page.headers().firstValue(name).orElse("");
  }

  private void show(String text) throws ReflectiveOperationException {
    WebUi.show(ui, () -> PlacementReport.of(Pictures.unscanned(text)));
  }

  @Test
  void answersAfterTheUiIsUpAndNothingElseIsTouched() throws Exception {
    start(new Configuration());
    assertEquals(404, get().statusCode());
    show("<first>");
    HttpResponse<String> page = get();
    assertEquals(200, page.statusCode());
    assertEquals(
        "text/html;charset=utf-8", header(page, "Content-Type").toLowerCase().replace(" ", ""));
    assertEquals("no-store", header(page, "Cache-Control"));
    assertTrue(page.body().contains("&lt;first&gt;"));
    assertEquals(405, ask("POST", WebUi.PATH).statusCode());
    assertEquals(404, status("/hybrid/x"));
    assertEquals(200, status("/jmx"));
    // Coprocessors that are loaded anew.
    show("second");
    assertTrue(get().body().contains("second"));
    assertFalse(get().body().contains("first"));
  }

  @Test
  void aPictureThatFailsIsALineAndNoMore() throws Exception {
    start(new Configuration());
    WebUi.show(
        ui,
        () -> {
          throw new IllegalStateException("secret");
        });
    assertEquals(500, get().statusCode());
    String text = get().body();
    assertTrue(text.contains("'hbase-hybrid check'"), text);
    assertFalse(text.contains("secret"), text);
  }

  /** Lets nobody see what HBase puts it before. */
  @InterfaceAudience.Private
  public static final class Forbids extends FilterInitializer implements Filter {
    @Override
    public void initFilter(FilterContainer container, Configuration conf) {
      container.addFilter("forbids", Forbids.class.getName(), Map.of());
    }

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
    show("secret");
    assertEquals(403, status(WebUi.PATH));
  }

  @Test
  void anotherServletAtThePathStays() throws Exception {
    ui = new InfoServer("master", "127.0.0.1", 0, false, new Configuration());
    ui.addUnprivilegedServlet("other", WebUi.PATH, JMXJsonServlet.class);
    ui.start();
    assertThrows(IllegalStateException.class, () -> show("ours"));
    assertTrue(get().body().contains("\"beans\""));
    assertEquals(200, status("/jmx"));
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
    show("secret");
    HttpResponse<String> page = get();
    assertEquals(401, page.statusCode());
    assertEquals("Negotiate", header(page, "WWW-Authenticate"));
    assertFalse(page.body().contains("Hybrid storage"));
    assertEquals("", header(page, "Location"));
  }
}
