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
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.MetricDeclaration;
import io.github.hybridhbase.testing.MetricNames;
import io.prometheus.jmx.JmxCollector;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.UnknownSnapshot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.management.Attribute;
import javax.management.AttributeList;
import javax.management.DynamicMBean;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanInfo;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;
import javax.management.remote.JMXConnectorServer;
import javax.management.remote.JMXConnectorServerFactory;
import javax.management.remote.JMXServiceURL;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

/**
 * {@code conf/jmx-exporter-2.5.yml}, read by Prometheus's JMX exporter itself, on the bean as a
 * master and a RegionServer of HBase 2.6.4 published it; {@code MetricsIT} finds the same
 * attributes on 2.5.13.
 */
@InterfaceAudience.Private
class JmxExporterTest {
  private static final Path RULES = Path.of("conf/jmx-exporter-2.5.yml");
  private static final Path BEAN = RecordedScrape.DIRECTORY.resolve("jmx-2.5.13.txt");

  /** Value by attribute of one server, as {@code MetricsIT} recorded it. */
  private static Map<String, Double> recorded(String instance) throws IOException {
    Map<String, Double> values = new TreeMap<>();
    for (String line : Files.readAllLines(BEAN)) {
      String[] words = line.split(" ");
      if (words[0].equals(instance)) {
        values.put(words[1], Double.valueOf(words[2]));
      }
    }
    return values;
  }

  /** Value by name, as Prometheus would scrape it. */
  private static Map<String, Double> exported(Map<String, Double> attributes) throws Exception {
    // Not the one of this JVM, where other tests have the plugin's own bean.
    MBeanServer server = MBeanServerFactory.newMBeanServer();
    server.registerMBean(
        bean(attributes), new ObjectName("Hadoop:service=HBase,name=Hybrid,sub=Hybrid"));
    server.registerMBean(
        bean(Map.of("storeCount", 1.0)),
        new ObjectName("Hadoop:service=HBase,name=RegionServer,sub=Server"));
    JMXConnectorServer connector =
        JMXConnectorServerFactory.newJMXConnectorServer(
            new JMXServiceURL("rmi", "127.0.0.1", 0), null, server);
    connector.start();
    try {
      PrometheusRegistry registry = new PrometheusRegistry();
      String where = "\njmxUrl: " + connector.getAddress() + "\n";
      new JmxCollector(Files.readString(RULES) + where).register(registry);
      Map<String, Double> samples = new TreeMap<>();
      for (MetricSnapshot metric : registry.scrape()) {
        if (metric instanceof UnknownSnapshot) {
          UnknownSnapshot values = (UnknownSnapshot) metric;
          assertEquals(1, values.getDataPoints().size(), metric::toString);
          samples.put(
              metric.getMetadata().getPrometheusName(), values.getDataPoints().get(0).getValue());
        }
      }
      return samples;
    } finally {
      connector.stop();
    }
  }

  @Test
  void theExporterGivesEveryMetricTheNameThatPrometheusGetsFrom26On() throws Exception {
    for (String instance : List.of(RecordedScrape.MASTER, RecordedScrape.SERVER)) {
      Map<String, Double> bean = recorded(instance);
      Map<String, Double> wanted = new TreeMap<>();
      Set<String> declared = new TreeSet<>();
      for (MetricDeclaration metric : HybridMetrics.get().declared()) {
        List<String> names = MetricNames.jmx(metric);
        declared.addAll(names);
        for (String name : names) {
          if (bean.containsKey(name)) {
            wanted.put(MetricNames.prometheus(metric).get(names.indexOf(name)), bean.get(name));
          }
        }
      }
      assertTrue(wanted.size() > 150, wanted::toString);
      bean.keySet().retainAll(declared);
      assertEquals(wanted, exported(bean));
    }
  }

  @Test
  void whatAlertsAndDashboardAskForIsExported() throws Exception {
    Set<String> asked = new TreeSet<>();
    for (String file : List.of("prometheus-rules.yml", "grafana-dashboard.json")) {
      asked.addAll(Expressions.metrics(Files.readString(Path.of("conf", file))));
    }
    asked.removeAll(exported(recorded(RecordedScrape.SERVER)).keySet());
    assertEquals(Set.of(), asked);
  }

  /** Read-only attributes of given values. */
  private static DynamicMBean bean(Map<String, Double> values) throws Exception {
    DynamicMBean bean = mock(DynamicMBean.class);
    MBeanAttributeInfo[] attributes =
        values.keySet().stream()
            .map(name -> new MBeanAttributeInfo(name, "java.lang.Double", "", true, false, false))
            .toArray(MBeanAttributeInfo[]::new);
    when(bean.getMBeanInfo()).thenReturn(new MBeanInfo("Bean", "", attributes, null, null, null));
    when(bean.getAttribute(any())).thenAnswer(call -> values.get(call.<String>getArgument(0)));
    when(bean.getAttributes(any()))
        .thenAnswer(
            call ->
                new AttributeList(
                    Stream.of(call.<String[]>getArgument(0))
                        .map(name -> new Attribute(name, values.get(name)))
                        .collect(Collectors.toList())));
    return bean;
  }
}
