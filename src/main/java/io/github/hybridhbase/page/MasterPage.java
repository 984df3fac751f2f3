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

import io.github.hybridhbase.page.PageRenderer.Place;
import io.github.hybridhbase.runtime.Failures;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A servlet for {@code GET /hybrid} of the active master's web UI that renders what the master's
 * threads already know, without a call to HDFS. Any failure is a one-line 500. Any thread.
 */
@InterfaceAudience.Private
public final class MasterPage extends HttpServlet {
  private static final long serialVersionUID = 1;

  private transient volatile Supplier<Picture> pictures;

  public MasterPage(Supplier<Picture> pictures) {
    this.pictures = pictures;
  }

  /** Replaces the pictures after HBase has reloaded its coprocessors. */
  void show(Supplier<Picture> next) {
    pictures = next;
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    byte[] page;
    int status = HttpServletResponse.SC_OK;
    try {
      page = PageRenderer.render(pictures.get(), Place.WEB_UI).getBytes(StandardCharsets.UTF_8);
      response.setContentType("text/html; charset=utf-8");
    } catch (RuntimeException | LinkageError | StackOverflowError e) {
      Failures.swallowed(
          "The page /hybrid could not be drawn; the master is not touched by it.", e);
      status = HttpServletResponse.SC_INTERNAL_SERVER_ERROR;
      page =
          "The page could not be drawn; the master's log says why. 'hbase-hybrid audit --html FILE'"
              .concat(" writes the same page.\n")
              .getBytes(StandardCharsets.UTF_8);
      response.setContentType("text/plain; charset=utf-8");
    }
    response.setStatus(status);
    response.setHeader("Cache-Control", "no-store");
    response.setContentLength(page.length);
    response.getOutputStream().write(page);
  }
}
