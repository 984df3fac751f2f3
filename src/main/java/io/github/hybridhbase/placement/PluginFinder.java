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

import io.github.hybridhbase.hdfs.WebClient;
import io.github.hybridhbase.hdfs.WebClient.Jmx;
import io.github.hybridhbase.runtime.DaemonThreads;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.Mode;
import io.github.hybridhbase.runtime.PluginVersion;
import io.github.hybridhbase.runtime.WriterShortfall;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hbase.thirdparty.com.google.gson.Gson;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A reader of the plugin's version from servers' web servers. A backup master does not run the
 * plugin: configuration and jar count.
 */
@InterfaceAudience.Private
public final class PluginFinder {
  private static final String MASTER_PORT = "hbase.master.info.port";
  private static final String SERVER_PORT = "hbase.regionserver.info.port";
  private static final String NOT_IN_FORCE = "NotInForce";
  private static final String DECLARED = "Declared";
  private static final String EXCLUDED = "ExcludedDataNodes";
  private static final String METRICS = "Hadoop:service=HBase,name=Hybrid,sub=Hybrid";
  private static final String ACTIVE = "active master ";

  static final String BACKUP = "backup master ";

  private static final int AT_ONCE = 8;
  private static final int PATIENCE_SECONDS = 15;
  private static final Pattern JAR =
      Pattern.compile("(?:^|[/\\\\:;])hbase-hybrid-storage-([0-9][^/\\\\:;]*?)\\.jar(?=$|[:;])");

  private static final Gson GSON = new Gson();

  private final Configuration conf;

  public PluginFinder(Configuration conf) {
    this.conf = conf;
  }

  public List<ServerPlugin> find(Connection connection) throws IOException, InterruptedException {
    try (Admin admin = connection.getAdmin()) {
      return find(
          admin.getClusterMetrics(
              EnumSet.of(
                  ClusterMetrics.Option.MASTER,
                  ClusterMetrics.Option.MASTER_INFO_PORT,
                  ClusterMetrics.Option.BACKUP_MASTERS,
                  ClusterMetrics.Option.LIVE_SERVERS)));
    }
  }

  public List<ServerPlugin> find(ClusterMetrics cluster) throws InterruptedException {
    List<Callable<ServerPlugin>> questions = new ArrayList<>();
    List<String> names = new ArrayList<>();
    if (cluster.getMasterName() != null) {
      names.add(ACTIVE + cluster.getMasterName().getServerName());
      int port = cluster.getMasterInfoPort();
      questions.add(
          () -> running(names.get(0), address(cluster.getMasterName(), port, MASTER_PORT)));
    }
    for (ServerMetrics server : cluster.getLiveServerMetrics().values()) {
      String name = server.getServerName().getServerName();
      names.add(name);
      questions.add(
          () ->
              running(
                  name, address(server.getServerName(), server.getInfoServerPort(), SERVER_PORT)));
    }
    for (ServerName backup : cluster.getBackupMasterNames()) {
      String name = BACKUP + backup.getServerName();
      names.add(name);
      questions.add(() -> backup(name, backupAddress(backup, cluster)));
    }
    return answers(names, questions);
  }

  public Observed<String> page(ClusterMetrics cluster) {
    return cluster.getMasterName() == null
        ? Observed.unknown("there is no active master")
        : address(cluster.getMasterName(), cluster.getMasterInfoPort(), MASTER_PORT)
            .then(at -> at + PluginVersion.PAGE);
  }

  private static List<ServerPlugin> answers(
      List<String> names, List<Callable<ServerPlugin>> questions) throws InterruptedException {
    List<ServerPlugin> plugins = new ArrayList<>();
    int at = 0;
    for (Optional<ServerPlugin> answer :
        DaemonThreads.askAll("hybrid-ask", AT_ONCE, questions, PATIENCE_SECONDS)) {
      String name = names.get(at++);
      plugins.add(
          answer.orElseGet(
              () ->
                  new ServerPlugin(
                      name,
                      Observed.unknown("it did not answer within " + PATIENCE_SECONDS + " s"),
                      Observed.at(true))));
    }
    return plugins;
  }

  /** A server without a bean of the plugin runs without the plugin. */
  ServerPlugin running(String name, Observed<String> address) {
    Observed<Optional<JsonObject>> bean =
        address.then(at -> Jmx.bean(conf, at + "/jmx?qry=" + PluginVersion.BEAN));
    Optional<JsonObject> seen = bean.seen().flatMap(found -> found);
    ServerPlugin plugin =
        new ServerPlugin(
            name,
            bean.then(found -> found.flatMap(one -> text(one, "Version"))),
            Observed.at(true));
    plugin.notInForce =
        seen.map(one -> list(one, NOT_IN_FORCE, WriterShortfall[].class)).orElse(List.of());
    plugin.lastEvent = seen.flatMap(one -> text(one, "LastWalEvent")).orElse("");
    if (seen.isPresent()) {
      plugin.metrics =
          address
              .then(at -> Jmx.bean(conf, at + "/jmx?qry=" + METRICS))
              .seen()
              .flatMap(found -> found);
    }
    plugin.engine = seen.flatMap(PluginFinder::engine);
    plugin.declared = seen.map(one -> map(one, DECLARED)).orElse(Map.of());
    plugin.excluded = seen.map(one -> map(one, EXCLUDED)).orElse(Map.of());
    return plugin;
  }

  /** An attribute of the plugin's bean; a map comes as its entries. */
  private static <T> List<T> list(JsonObject bean, String name, Class<T[]> type) {
    return bean.has(name) && bean.get(name).isJsonArray()
        ? List.of(GSON.fromJson(bean.get(name), type))
        : List.of();
  }

  private static Map<String, String> map(JsonObject bean, String name) {
    Map<String, String> map = new HashMap<>();
    for (JsonObject each : list(bean, name, JsonObject[].class)) {
      text(each, "value").ifPresent(value -> map.put(text(each, "key").orElse(""), value));
    }
    return map;
  }

  private static Optional<Boolean> engine(JsonObject bean) {
    boolean missing = Jmx.number(bean, "TierEngineMissing") > 0;
    return missing || Jmx.number(bean, "TierEngineStores") > 0
        ? Optional.of(!missing)
        : Optional.empty();
  }

  private static Optional<String> text(JsonObject of, String name) {
    return of.has(name) ? Optional.of(of.get(name).getAsString()) : Optional.empty();
  }

  public ServerPlugin backup(String name, Observed<String> address) {
    Observed<Optional<String>> version =
        address.then(
            at -> {
              Optional<String> bean = attribute(at + "/jmx?qry=" + PluginVersion.BEAN, "Version");
              return bean.isPresent() ? bean : Optional.of(jar(at));
            });
    Observed<Map<String, String>> site = address.then(at -> WebClient.settings(conf, List.of(at)));
    ServerPlugin plugin = new ServerPlugin(name, version, site.then(PluginFinder::configured));
    if (plugin.configured.seen().equals(Optional.of(true))) {
      Configuration of = new Configuration(false);
      site.seen().get().forEach(of::set);
      HybridSettings settings = HybridSettings.read(of);
      plugin.declared = settings.mode() == Mode.OFF ? Map.of() : settings.declared();
    }
    return plugin;
  }

  private String jar(String address) throws IOException {
    String classPath =
        attribute(address + "/jmx?get=java.lang:type=Runtime::ClassPath", "ClassPath").orElse("");
    return jarVersion(classPath)
        .orElseThrow(
            () ->
                new IOException(
                    "a backup master runs nothing of the plugin until it becomes active, and no"
                        + " hbase-hybrid-storage jar is named on its class path"));
  }

  static Optional<String> jarVersion(String classPath) {
    Matcher jar = JAR.matcher(classPath);
    return jar.find() ? Optional.of(jar.group(1)) : Optional.empty();
  }

  private static boolean configured(Map<String, String> site) {
    return SiteKeys.namesProvider(
            site.get(SiteKeys.WAL_PROVIDER), site.get(SiteKeys.WAL_GROUP_PROVIDER))
        && SiteKeys.namesPlugin(site.get(SiteKeys.MASTER_LIST));
  }

  private Optional<String> attribute(String address, String name) throws IOException {
    return Jmx.bean(conf, address).flatMap(found -> text(found, name));
  }

  /** Of a server's web pages. */
  public static String address(Configuration conf, String host, int port) {
    return (conf.getBoolean("hbase.ssl.enabled", false) ? "https://" : "http://")
        + host
        + ":"
        + port;
  }

  private Observed<String> address(ServerName server, int port, String key) {
    return port > 0
        ? Observed.at(address(conf, server.getHostname(), port))
        : Observed.unknown("its web server is off (" + key + ")");
  }

  /**
   * HBase reports no ports of backup masters: this host's site file has one, at which another
   * master of that host may answer.
   */
  private Observed<String> backupAddress(ServerName server, ClusterMetrics cluster) {
    long masters =
        Stream.concat(
                Stream.ofNullable(cluster.getMasterName()), cluster.getBackupMasterNames().stream())
            .filter(other -> other.getHostname().equals(server.getHostname()))
            .count();
    return address(
        server,
        masters > 1 ? 0 : conf.getInt(MASTER_PORT, HConstants.DEFAULT_MASTER_INFOPORT),
        "or its port is not known here, " + MASTER_PORT);
  }
}
