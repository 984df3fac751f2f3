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

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.http.HttpServer;
import org.apache.hadoop.hbase.http.InfoServer;
import org.apache.hbase.thirdparty.org.eclipse.jetty.servlet.ServletHolder;
import org.apache.hbase.thirdparty.org.eclipse.jetty.webapp.WebAppContext;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Puts a page into HBase's web UI, behind the filters that HBase has put there: who may see {@code
 * /master-status} may see it.
 *
 * <p>The UI is up before a master loads its coprocessors, and {@code InfoServer.addServlet} then
 * fails, since it sets properties of the session's cookie, which Jetty allows before its start
 * only. The servlet is therefore given to Jetty's own context, which takes one at any time, and
 * that context is reached through two fields ({@value #SERVER}, {@value #CONTEXT}). A filter of
 * {@code hbase.http.filter.initializers} stands before {@code *.html}, {@code *.jsp} and the paths
 * that HBase names to it, which it does for its own servlets only; {@value #FILTERS} names ours.
 */
@InterfaceAudience.Private
public final class WebUi {
  /** Where the page is. */
  public static final String PATH = "/hybrid";

  static final String SERVER = "httpServer";
  static final String CONTEXT = "webAppContext";
  static final String FILTERS = "addFilterPathMapping";

  private static final String NAME = "hybrid";

  private WebUi() {}

  /**
   * Shows these pictures at {@link #PATH}, in place of those that were shown there before.
   *
   * @throws ReflectiveOperationException where this line of HBase keeps its web server elsewhere,
   *     or does not let the filters be put before the page; the page is not shown then
   * @throws IllegalStateException where another servlet is at that path; it stays
   */
  public static void show(InfoServer ui, Supplier<Picture> pictures)
      throws ReflectiveOperationException {
    Object server = get(InfoServer.class, SERVER, ui);
    WebAppContext context = (WebAppContext) get(HttpServer.class, CONTEXT, server);
    ServletHolder before = context.getServletHandler().getServlet(NAME);
    if (before == null) {
      if (context.getServletHandler().getServletMapping(PATH) != null) {
        // A second one at the same path would break every page of the UI.
        throw new IllegalStateException("another servlet is there");
      }
      Method filters =
          HttpServer.class.getDeclaredMethod(FILTERS, String.class, WebAppContext.class);
      filters.setAccessible(true);
      // First, so that nobody reaches the page before the filters stand.
      filters.invoke(server, PATH, context);
      context.addServlet(new ServletHolder(NAME, new MasterPage(pictures)), PATH);
    } else if (before.getServletInstance() instanceof MasterPage) {
      ((MasterPage) before.getServletInstance()).show(pictures);
    }
  }

  private static Object get(Class<?> type, String field, Object of)
      throws ReflectiveOperationException {
    Field found = type.getDeclaredField(field);
    found.setAccessible(true);
    return found.get(of);
  }
}
