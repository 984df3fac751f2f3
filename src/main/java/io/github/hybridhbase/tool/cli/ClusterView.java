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
package io.github.hybridhbase.tool.cli;

import io.github.hybridhbase.hdfs.WebClient.Jmx;
import io.github.hybridhbase.runtime.DaemonThreads;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.yetus.audience.InterfaceAudience;

/** A reader of the running HBase, with short timeouts. */
@InterfaceAudience.Private
public final class ClusterView {
  private static final int AT_ONCE = 8;
  private static final int PATIENCE_SECONDS = 15;

  private ClusterView() {}

  /** Calls fail if HBase does not respond within some seconds. */
  public static Connection connect(Configuration conf) throws IOException {
    return ConnectionFactory.createConnection(impatient(conf));
  }

  static Configuration impatient(Configuration conf) {
    Configuration impatient = HBaseConfiguration.create(conf);
    impatient.setInt("hbase.client.retries.number", 2);
    impatient.setInt("hbase.rpc.timeout", 5_000);
    impatient.setInt("hbase.client.operation.timeout", 10_000);
    impatient.setInt("hbase.client.meta.operation.timeout", 10_000);
    // Each try of the client asks ZooKeeper again, and waits a second if nothing listens.
    impatient.setInt("zookeeper.recovery.retry", 0);
    impatient.setInt("zookeeper.session.timeout", 10_000);
    return impatient;
  }

  /** Empty for a question that failed or took too long. */
  public static <T> List<Optional<T>> askAll(List<Callable<T>> questions, int seconds)
      throws InterruptedException {
    return DaemonThreads.askAll("hybrid-ask", AT_ONCE, questions, seconds);
  }

  public static String address(Configuration conf, String host, int port) {
    return (conf.getBoolean("hbase.ssl.enabled", false) ? "https://" : "http://")
        + host
        + ":"
        + port;
  }

  public static List<JsonObject> beans(Configuration conf, ClusterMetrics cluster, String bean)
      throws InterruptedException {
    List<Callable<JsonObject>> questions = new ArrayList<>();
    for (ServerMetrics server : cluster.getLiveServerMetrics().values()) {
      String address =
          address(conf, server.getServerName().getHostname(), server.getInfoServerPort());
      questions.add(() -> Jmx.bean(conf, address + "/jmx?qry=" + bean).orElseThrow());
    }
    return askAll(questions, PATIENCE_SECONDS).stream()
        .flatMap(Optional::stream)
        .collect(Collectors.toList());
  }

  /** 0 if it lacks the attribute. */
  public static double number(JsonObject bean, String attribute) {
    return bean.has(attribute) ? bean.get(attribute).getAsDouble() : 0;
  }
}
