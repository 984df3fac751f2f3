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

import io.github.hybridhbase.report.Report;
import io.github.hybridhbase.runtime.Failures;
import io.github.hybridhbase.runtime.PluginVersion;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;
import javax.servlet.Servlet;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.apache.commons.lang3.reflect.FieldUtils;
import org.apache.commons.lang3.reflect.MethodUtils;
import org.apache.hadoop.hbase.http.InfoServer;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * An extension of HBase's web UI by the page, for whoever may see {@code /master-status}.
 *
 * <p>{@code InfoServer.addServlet} fails after the UI's start, since Jetty allows session cookie
 * properties only before. Jetty's context, reached through the fields {@value #SERVER} and {@value
 * #CONTEXT}, accepts servlets at any time; {@value #FILTERS} registers the path for {@code
 * hbase.http.filter.initializers}.
 *
 * <p>INVARIANT: this class names no class of Jetty: HBase 2 has Jetty 9, HBase 3 Jetty 12 with
 * other packages.
 */
@InterfaceAudience.Private
public final class WebUi {
  public static final String PATH = PluginVersion.PAGE;

  static final String SERVER = "httpServer";
  static final String CONTEXT = "webAppContext";
  static final String FILTERS = "addFilterPathMapping";

  private static final String NAME = "hybrid";

  private WebUi() {}

  /**
   * Replaces earlier snapshots.
   *
   * @throws ReflectiveOperationException on another web server or filter registration
   * @throws IllegalStateException if another servlet has the path
   */
  public static void show(InfoServer ui, Supplier<Report> snapshots)
      throws ReflectiveOperationException {
    Object server = FieldUtils.readField(ui, SERVER, true);
    Object context = FieldUtils.readField(server, CONTEXT, true);
    Object handler = MethodUtils.invokeMethod(context, "getServletHandler");
    Object before = MethodUtils.invokeMethod(handler, "getServlet", NAME);
    if (before == null) {
      if (MethodUtils.invokeMethod(handler, "getServletMapping", PATH) != null) {
        // A second servlet would break every page.
        throw new IllegalStateException("another servlet is there");
      }
      Constructor<?> holder = holderOf(handler);
      // No request may bypass the filters.
      MethodUtils.invokeMethod(server, true, FILTERS, PATH, context);
      Object page = holder.newInstance(NAME, new MasterPage(snapshots));
      MethodUtils.invokeMethod(context, "addServlet", page, PATH);
      return;
    }
    Object servlet = MethodUtils.invokeMethod(before, "getServletInstance");
    if (servlet instanceof MasterPage) {
      ((MasterPage) servlet).show(snapshots);
    }
  }

  private static Constructor<?> holderOf(Object handler) throws ReflectiveOperationException {
    Class<?> type = handler.getClass();
    while (!type.getSimpleName().equals("ServletHandler")) {
      type = type.getSuperclass();
      if (type == null) {
        throw new ClassNotFoundException("no ServletHandler above " + handler.getClass());
      }
    }
    return Class.forName(
            type.getPackageName() + ".ServletHolder", true, handler.getClass().getClassLoader())
        .getConstructor(String.class, Servlet.class);
  }

  /**
   * A servlet for {@code GET /hybrid} of the active master, without a call to HDFS. Any failure is
   * a one-line 500. Any thread.
   */
  public static final class MasterPage extends HttpServlet {
    private static final long serialVersionUID = 1;

    private transient volatile Supplier<Report> snapshots;

    public MasterPage(Supplier<Report> snapshots) {
      this.snapshots = snapshots;
    }

    void show(Supplier<Report> next) {
      snapshots = next;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      byte[] page;
      int status = HttpServletResponse.SC_OK;
      try {
        page = PageRenderer.render(snapshots.get()).getBytes(StandardCharsets.UTF_8);
        response.setContentType("text/html; charset=utf-8");
      } catch (RuntimeException | LinkageError | StackOverflowError e) {
        Failures.swallowed(
            "The page /hybrid could not be drawn; the master is not touched by it.", e);
        status = HttpServletResponse.SC_INTERNAL_SERVER_ERROR;
        page =
            "The page could not be drawn; the master's log says why. 'hbase-hybrid check'"
                .concat(" finds the same.\n")
                .getBytes(StandardCharsets.UTF_8);
        response.setContentType("text/plain; charset=utf-8");
      }
      response.setStatus(status);
      response.setHeader("Cache-Control", "no-store");
      response.setContentLength(page.length);
      response.getOutputStream().write(page);
    }
  }
}
