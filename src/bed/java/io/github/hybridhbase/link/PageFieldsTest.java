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
package io.github.hybridhbase.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.testing.Line;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

/**
 * The two fields and the method by which {@code WebUi} reaches HBase's web server, on every whole
 * line.
 */
@InterfaceAudience.Private
class PageFieldsTest {
  private static final String HTTP = "org/apache/hadoop/hbase/http/";
  private static final String JETTY = "org/apache/hbase/thirdparty/org/eclipse/jetty/";

  private static Optional<String> field(JarSet jars, String type, String name) {
    return jars.find(type)
        .flatMap(
            found ->
                found.fields().values().stream()
                    .filter(field -> field.name().equals(name))
                    .map(Member::descriptor)
                    .findFirst());
  }

  @Test
  void everyLineKeepsItsWebServerThere() throws IOException {
    List<String> seen = new ArrayList<>();
    for (Line line : Line.all()) {
      if (line.isWhole()) {
        try (JarSet jars = new JarSet(line.jars())) {
          assertEquals(
              Optional.of("L" + HTTP + "HttpServer;"),
              field(jars, HTTP + "InfoServer", "httpServer"),
              line::toString);
          assertEquals(
              Optional.of("L" + JETTY + "webapp/WebAppContext;"),
              field(jars, HTTP + "HttpServer", "webAppContext"),
              line::toString);
          assertTrue(
              jars.find(HTTP + "HttpServer").get().methods().values().stream()
                  .anyMatch(
                      method ->
                          method.name().equals("addFilterPathMapping")
                              && method
                                  .descriptor()
                                  .equals(
                                      "(Ljava/lang/String;L" + JETTY + "webapp/WebAppContext;)V")),
              line::toString);
          seen.add(line.version());
        }
      }
    }
    assertEquals(
        List.of("2.5.13-hadoop3", "2.6.1-hadoop3", "2.6.4-hadoop3", "3.0.0-alpha-4"),
        seen.stream().sorted().collect(Collectors.toList()));
  }

  private static boolean has(JarSet jars, String type, String method, String descriptor) {
    return jars.find(type).isPresent()
        && jars.find(type).get().methods().values().stream()
            .anyMatch(one -> one.name().equals(method) && one.descriptor().equals(descriptor));
  }

  /** HBase 3.0.0 has Jetty 12, in other packages than Jetty 9 and with the same methods. */
  @Test
  void jetty12HasWhatThePageCalls() throws IOException {
    List<Path> jar =
        Files.readAllLines(Line.base().resolve("target/lines/jetty-12.jars")).stream()
            .map(Path::of)
            .collect(Collectors.toList());
    String ee8 = JETTY + "ee8/servlet/";
    String holder = "L" + ee8 + "ServletHolder;";
    String name = "(Ljava/lang/String;)";
    try (JarSet jars = new JarSet(jar)) {
      String context = ee8 + "ServletContextHandler";
      String handler = ee8 + "ServletHandler";
      assertTrue(jars.find(JETTY + "ee8/webapp/WebAppContext").isPresent());
      assertTrue(has(jars, context, "getServletHandler", "()L" + handler + ";"));
      assertTrue(has(jars, context, "addServlet", "(" + holder + "Ljava/lang/String;)V"));
      assertTrue(has(jars, handler, "getServlet", name + holder));
      assertTrue(has(jars, handler, "getServletMapping", name + "L" + ee8 + "ServletMapping;"));
      assertTrue(
          has(
              jars,
              ee8 + "ServletHolder",
              "<init>",
              "(Ljava/lang/String;Ljavax/servlet/Servlet;)V"));
      assertTrue(
          has(jars, ee8 + "ServletHolder", "getServletInstance", "()Ljavax/servlet/Servlet;"));
    }
  }
}
