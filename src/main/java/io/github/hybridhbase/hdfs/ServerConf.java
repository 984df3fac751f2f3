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
package io.github.hybridhbase.hdfs;

import io.github.hybridhbase.hdfs.NameNodeWeb.BoundedGet;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorageReport;
import org.apache.hbase.thirdparty.com.google.gson.JsonArray;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A reader of the effective settings of HDFS's servers from their {@code /conf}. Blocks for at most
 * some seconds per server.
 */
@InterfaceAudience.Private
public final class ServerConf {
  private static final int MOST_BYTES = 8 << 20;
  private static final int MOST_MILLIS = 5_000;
  private static final int MOST_DATA_NODES = 3;

  /** HBase requires the parameter for JSON, Hadoop the header. */
  private static final String QUERY = "/conf?format=json";

  private final DistributedFileSystem dfs;
  private final Configuration conf;

  public ServerConf(FileSystem fs, Configuration conf) throws IOException {
    this.dfs = FailFastClient.unwrap(fs).orElseThrow(() -> new IOException(fs + " is no HDFS"));
    this.conf = conf;
  }

  public Map<String, String> nameNode() throws IOException {
    return first(NameNodeWeb.addresses(conf, dfs.getUri()), "NameNode");
  }

  /**
   * Of one live DataNode: of one with SSD if there is any, since the others may have other
   * settings. Only a superuser may list DataNodes.
   */
  public Map<String, String> dataNode() throws IOException {
    List<String> all = new ArrayList<>();
    List<String> withSsd = new ArrayList<>();
    for (DatanodeStorageReport report :
        dfs.getClient().getDatanodeStorageReport(DatanodeReportType.LIVE)) {
      String address = address(report.getDatanodeInfo());
      all.add(address);
      if (hasSsd(report)) {
        withSsd.add(address);
      }
    }
    List<String> asked = withSsd.isEmpty() ? all : withSsd;
    return first(asked.subList(0, Math.min(MOST_DATA_NODES, asked.size())), "DataNode");
  }

  private static String address(DatanodeInfo node) {
    return node.getInfoPort() > 0
        ? "http://" + node.getInfoAddr()
        : "https://" + node.getInfoSecureAddr();
  }

  /** A failed volume counts: it is in the DataNode's configuration. */
  private static boolean hasSsd(DatanodeStorageReport report) {
    return Arrays.stream(report.getStorageReports())
        .anyMatch(one -> one.getStorage().getStorageType() == StorageType.SSD);
  }

  private Map<String, String> first(List<String> addresses, String what) throws IOException {
    IOException last = new IOException("no web address of a " + what + " is known");
    try (BoundedGet web = new BoundedGet(conf, MOST_BYTES, MOST_MILLIS)) {
      for (String address : addresses) {
        try {
          return parse(web.read(address + QUERY));
        } catch (IOException e) {
          last = e;
        }
      }
    }
    throw last;
  }

  public static Map<String, String> parse(String json) throws IOException {
    try {
      Map<String, String> settings = new HashMap<>();
      for (JsonElement property :
          JsonParser.parseString(json).getAsJsonObject().getAsJsonArray("properties")) {
        JsonObject one = property.getAsJsonObject();
        JsonElement value = one.get("value");
        if (value != null && !value.isJsonNull()) {
          settings.put(one.get("key").getAsString(), value.getAsString());
        }
      }
      return settings;
    } catch (RuntimeException e) {
      throw new IOException("/conf answered something that is not a configuration", e);
    }
  }

  /** The web server of an HBase server. */
  public static String address(Configuration conf, String host, int port) {
    return (conf.getBoolean("hbase.ssl.enabled", false) ? "https://" : "http://")
        + host
        + ":"
        + port;
  }

  /**
   * The first bean of what a {@code /jmx} answers; empty if there is none.
   *
   * @param address with the query
   */
  public static Optional<JsonObject> bean(Configuration conf, String address) throws IOException {
    try {
      JsonArray beans =
          JsonParser.parseString(get(conf, address)).getAsJsonObject().getAsJsonArray("beans");
      return beans == null || beans.size() == 0
          ? Optional.empty()
          : Optional.of(beans.get(0).getAsJsonObject());
    } catch (RuntimeException e) {
      throw new IOException("/jmx answered something that is not a bean", e);
    }
  }

  /**
   * At most 1 MiB.
   *
   * @throws IOException if the server does not respond within some seconds
   */
  public static String get(Configuration conf, String address) throws IOException {
    try (BoundedGet web = new BoundedGet(conf, 1 << 20, 2_000)) {
      return web.read(address);
    }
  }
}
