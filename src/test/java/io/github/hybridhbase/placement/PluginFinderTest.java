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
package io.github.hybridhbase.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.PluginVersion;
import io.github.hybridhbase.runtime.WriterShortfall;
import io.github.hybridhbase.testing.WebAnswers;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.management.ObjectName;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ClusterMetricsBuilder;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.util.JSONBean;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a server's web server says of the plugin, as HBase's servlets word it. */
@InterfaceAudience.Private
class PluginFinderTest {
  private static final String BEAN = "/jmx?qry=" + PluginVersion.BEAN;
  private static final String CLASS_PATH = "/jmx?get=java.lang:type=Runtime::ClassPath";
  private static final String CONF = "/conf";
  private static final String NO_BEAN = "{\"beans\": []}";

  private static final String JAR = "/lib/hbase-hybrid-storage-";

  private final PluginFinder finder = new PluginFinder(new Configuration(false));
  private final WebAnswers web = new WebAnswers();

  PluginFinderTest() throws IOException {}

  @AfterEach
  void stop() {
    web.close();
  }

  private Observed<String> address() {
    return Observed.at(web.address());
  }

  private static String bean(String attribute, String value) {
    return "{\"beans\": [{\"name\": \"x\", \"" + attribute + "\": \"" + value + "\"}]}";
  }

  private static String site(String provider, String master) {
    return "<configuration><property><name>hbase.wal.provider</name><value>"
        + provider
        + "</value></property><property><name>hbase.coprocessor.master.classes</name><value>"
        + master
        + "</value></property></configuration>";
  }

  /** As HBase's own servlet words the bean. */
  @Test
  void theBeanHasWhatIsNotInForce() throws Exception {
    PluginVersion.announce(Map.of("hbase.hybrid.wal.policy", "ONE_SSD"));
    WriterShortfall lacking = new WriterShortfall("all", "\"A\" stands in the way.", "Remove it.");
    HybridMetrics.get().writers("here", lacking);
    HybridMetrics.get().excluding("here", () -> Map.of("dn:9866", "2026-11-29T09:00:00Z"));
    try {
      StringWriter json = new StringWriter();
      try (JSONBean.Writer writer = new JSONBean().open(new PrintWriter(json))) {
        writer.write(
            ManagementFactory.getPlatformMBeanServer(),
            new ObjectName(PluginVersion.BEAN),
            null,
            false);
      }
      web.on(BEAN, json.toString());
      ServerPlugin plugin = finder.running("a", address());
      assertEquals(Optional.of(Optional.of(PluginVersion.NOT_PACKAGED)), plugin.version.seen());
      assertEquals(List.of(lacking), plugin.notInForce);
      assertEquals(Map.of("dn:9866", "2026-11-29T09:00:00Z"), plugin.excluded);
      assertTrue(
          plugin.declared.containsKey("hbase.hybrid.wal.policy"),
          "by whoever was first in this process");
    } finally {
      HybridMetrics.get().writersEnded("here");
      HybridMetrics.get().excluding("here", Map::of);
    }
  }

  /** The active one answers at the port that the backup's is taken for. */
  @Test
  void ofTwoMastersOnAHostNoneAnswersForTheOther() throws Exception {
    web.on(BEAN, bean("Version", "1.2.3"));
    web.on(CONF, site("io.github.hybridhbase.wal.P", "X,io.github.hybridhbase.M"));
    int port = web.port();
    Configuration conf = new Configuration(false);
    conf.setInt("hbase.master.info.port", port);
    ClusterMetricsBuilder masters =
        ClusterMetricsBuilder.newBuilder()
            .setMasterName(ServerName.valueOf("127.0.0.1,16000,1"))
            .setMasterInfoPort(port)
            .setBackerMasterNames(List.of(ServerName.valueOf("127.0.0.1,16001,2")));
    List<ServerPlugin> found = new PluginFinder(conf).find(masters.build());
    assertEquals(Optional.of(Optional.of("1.2.3")), found.get(0).version.seen());
    assertEquals(Optional.empty(), found.get(1).version.seen());
    assertTrue(found.get(1).version.why().contains("hbase.master.info.port"));
    masters.setMasterName(ServerName.valueOf("other,16000,1")).setMasterInfoPort(-1);
    found = new PluginFinder(conf).find(masters.build());
    assertEquals(Optional.of(Optional.of("1.2.3")), found.get(1).version.seen());
  }

  @Test
  void aServerRunsThePluginIfItHasTheBeanAndIsUnknownIfItDoesNotAnswer() {
    Observed<Optional<String>> version = finder.running("a", address()).version;
    assertEquals(Optional.empty(), version.seen());
    assertTrue(version.why().contains("404"), version.why());
    web.on(BEAN, "<html>not for you</html>");
    assertTrue(finder.running("a", address()).version.why().contains("not a bean"));
    assertEquals("off", finder.running("a", Observed.unknown("off")).version.why());
    web.on(BEAN, NO_BEAN);
    assertEquals(Optional.of(Optional.empty()), finder.running("a", address()).version.seen());
    web.on(BEAN, bean("Version", "1.2.3"));
    assertEquals(Optional.of(Optional.of("1.2.3")), finder.running("a", address()).version.seen());
  }

  /** What it runs is known by the jar on its class path, and what it declares by its site file. */
  @Test
  void aBackupMasterHasNoBeanYet() {
    web.on(BEAN, NO_BEAN).on(CLASS_PATH, bean("ClassPath", "/lib/a.jar:" + JAR + "1.2.3.jar"));
    web.on(CONF, site("io.github.hybridhbase.wal.P", "X,io.github.hybridhbase.M"));
    ServerPlugin plugin = finder.backup("b", address());
    assertEquals(Optional.of(Optional.of("1.2.3")), plugin.version.seen());
    assertEquals(Optional.of(true), plugin.configured.seen());
    assertEquals("ALL_SSD", plugin.declared.get("hbase.hybrid.wal.policy"));
    web.on(CLASS_PATH, bean("ClassPath", "/lib/a.jar")).on(CONF, site("filesystem", "X"));
    plugin = finder.backup("b", address());
    assertEquals(Optional.empty(), plugin.version.seen());
    assertTrue(plugin.version.why().contains("until it becomes active"), plugin.version.why());
    assertEquals(Optional.of(false), plugin.configured.seen());
    assertEquals(Map.of(), plugin.declared);
  }

  @ParameterizedTest
  @CsvSource({
    "hbase-hybrid-storage-0.1.0-SNAPSHOT.jar, 0.1.0-SNAPSHOT",
    "C:\\lib\\hbase-hybrid-storage-2.jar;b.jar, 2",
    "/x/my-hbase-hybrid-storage-2.jar,",
    "/hbase-hybrid-storage-2.jar.old,",
    "'',",
  })
  void theJarsNameHoldsItsVersion(String classPath, String version) {
    assertEquals(Optional.ofNullable(version), PluginFinder.jarVersion(classPath));
  }

  @Test
  void thePageIsTheActiveMasters() {
    ClusterMetricsBuilder up =
        ClusterMetricsBuilder.newBuilder().setMasterName(ServerName.valueOf("m1,16000,1"));
    assertEquals(
        Optional.of("http://m1:16010/hybrid"),
        finder.page(up.setMasterInfoPort(16010).build()).seen());
    assertEquals(Optional.empty(), finder.page(up.setMasterInfoPort(-1).build()).seen());
    assertEquals(Optional.empty(), finder.page(ClusterMetricsBuilder.newBuilder().build()).seen());
  }
}
