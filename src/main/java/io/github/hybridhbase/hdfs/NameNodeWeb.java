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

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.web.URLConnectionFactory;
import org.apache.hadoop.hdfs.web.WebHdfsConstants;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authentication.client.AuthenticationException;
import org.apache.hbase.thirdparty.com.google.gson.JsonArray;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import org.apache.yetus.audience.InterfaceAudience;

/** The web addresses of a file system's NameNodes: HTTP or HTTPS, HA or federated. */
@InterfaceAudience.Private
final class NameNodeWeb {
  private NameNodeWeb() {}

  /** {@code http(s)://host:port}, in the order to try; empty if none is configured. */
  static List<String> addresses(Configuration conf, URI fs) {
    boolean https = conf.getTrimmed("dfs.http.policy", "HTTP_ONLY").equalsIgnoreCase("HTTPS_ONLY");
    String scheme = https ? WebHdfsConstants.SWEBHDFS_SCHEME : WebHdfsConstants.WEBHDFS_SCHEME;
    Map<String, Map<String, InetSocketAddress>> all =
        DFSUtilClient.getHaNnWebHdfsAddresses(conf, scheme);
    Map<String, InetSocketAddress> mine = all.get(fs.getHost());
    if (mine == null) {
      mine = ofService(conf, fs, all);
    }
    if (mine == null && all.size() == 1) {
      Map<String, InetSocketAddress> only = all.values().iterator().next();
      mine = isOf(conf, fs, all.containsKey(null), only.values()) ? only : null;
    }
    List<String> addresses = new ArrayList<>();
    if (mine != null) {
      for (InetSocketAddress address : mine.values()) {
        String host = address.getHostString();
        // A NameNode that listens everywhere is reachable at the file system's host.
        addresses.add(
            (https ? "https://" : "http://")
                + (isEverywhere(host) ? fs.getHost() : host)
                + ":"
                + address.getPort());
      }
    }
    return addresses;
  }

  private static boolean isEverywhere(String host) {
    return host.equals("0.0.0.0") || host.equals("::") || host.isEmpty();
  }

  /**
   * Whether the only web addresses of NameNodes are of this file system, though no RPC address says
   * so. Those of the default file system must not pass for another's, such as that of {@code
   * hbase.wal.dir}.
   *
   * @param unnamed whether they belong to no name service
   */
  private static boolean isOf(
      Configuration conf, URI fs, boolean unnamed, Collection<InetSocketAddress> only) {
    URI standard = FileSystem.getDefaultUri(conf);
    return isSame(fs, standard)
        || unnamed && standard.getAuthority() == null
        || only.stream()
            .map(InetSocketAddress::getHostString)
            .anyMatch(host -> isEverywhere(host) || host.equals(fs.getHost()));
  }

  /** Whether both name one NameNode or name service; an alias or an address is looked up. */
  private static boolean isSame(URI one, URI other) {
    return one.getAuthority().equals(other.getAuthority())
        || other.getAuthority() != null && rpc(one).equals(rpc(other));
  }

  private static InetSocketAddress rpc(URI fs) {
    return new InetSocketAddress(fs.getHost(), port(fs));
  }

  private static int port(URI fs) {
    return fs.getPort() < 0 ? HdfsClientConfigKeys.DFS_NAMENODE_RPC_PORT_DEFAULT : fs.getPort();
  }

  /** Those of the name service that has the file system's RPC address, or null. */
  private static Map<String, InetSocketAddress> ofService(
      Configuration conf, URI fs, Map<String, Map<String, InetSocketAddress>> all) {
    Map<String, Map<String, InetSocketAddress>> rpc =
        DFSUtilClient.getAddresses(conf, null, HdfsClientConfigKeys.DFS_NAMENODE_RPC_ADDRESS_KEY);
    int port = port(fs);
    for (Map.Entry<String, Map<String, InetSocketAddress>> service : rpc.entrySet()) {
      for (InetSocketAddress address : service.getValue().values()) {
        if (address.getHostString().equals(fs.getHost()) && address.getPort() == port) {
          return all.get(service.getKey());
        }
      }
    }
    return null;
  }

  /**
   * An HTTP(S) GET with limits on bytes and time. With Kerberos it authenticates by SPNEGO as the
   * login user; HTTPS follows {@code ssl-client.xml}. Thread-safe.
   *
   * <p>Close it, or keep it: Hadoop's factory has a thread of its own, which watches the truststore
   * for ever if {@code ssl-client.xml} names one, and ends with garbage collection otherwise. HTTP
   * without Kerberos needs no factory.
   */
  static final class BoundedGet implements AutoCloseable {
    private static final int CHUNK = 8_192;

    private final Configuration conf;
    private final int mostBytes;
    private final int mostMillis;
    private final long mostNanos;

    /** Null until it is needed, and after a close. */
    private URLConnectionFactory factory;

    /**
     * @param mostMillis longest time, also for an idle connection
     */
    BoundedGet(Configuration conf, int mostBytes, int mostMillis) {
      this.conf = conf;
      this.mostMillis = mostMillis;
      this.mostBytes = mostBytes;
      this.mostNanos = TimeUnit.MILLISECONDS.toNanos(mostMillis);
    }

    /**
     * @throws IOException if the address cannot be read, or a limit is exceeded
     */
    String read(String address) throws IOException {
      UserGroupInformation user = UserGroupInformation.getLoginUser();
      if (UserGroupInformation.isSecurityEnabled()) {
        user.checkTGTAndReloginFromKeytab();
      }
      try {
        return user.doAs((PrivilegedExceptionAction<String>) () -> get(address));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("Interrupted while reading " + address, e);
      }
    }

    @Override
    public synchronized void close() {
      if (factory != null) {
        factory.destroy();
        factory = null;
      }
    }

    private synchronized URLConnectionFactory factory() {
      if (factory == null) {
        factory = URLConnectionFactory.newDefaultURLConnectionFactory(mostMillis, mostMillis, conf);
      }
      return factory;
    }

    private HttpURLConnection open(URL url) throws IOException {
      boolean kerberos = UserGroupInformation.isSecurityEnabled();
      if (kerberos || !url.getProtocol().equals("http")) {
        try {
          return (HttpURLConnection) factory().openConnection(url, kerberos);
        } catch (AuthenticationException e) {
          throw new IOException("Not let in by " + url, e);
        }
      }
      HttpURLConnection connection = (HttpURLConnection) url.openConnection();
      connection.setConnectTimeout(mostMillis);
      connection.setReadTimeout(mostMillis);
      return connection;
    }

    private String get(String address) throws IOException {
      long start = System.nanoTime();
      HttpURLConnection connection = open(new URL(address));
      try {
        connection.setInstanceFollowRedirects(false);
        // Only this header makes Hadoop's /conf return JSON instead of XML.
        connection.setRequestProperty("Accept", "application/json");
        int status = connection.getResponseCode();
        if (status != HttpURLConnection.HTTP_OK) {
          throw new IOException(address + " answered " + status);
        }
        try (InputStream in = connection.getInputStream()) {
          return text(in, address, start);
        }
      } finally {
        connection.disconnect();
      }
    }

    private String text(InputStream in, String address, long start) throws IOException {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      byte[] chunk = new byte[CHUNK];
      for (int read = in.read(chunk); read >= 0; read = in.read(chunk)) {
        out.write(chunk, 0, read);
        if (out.size() > mostBytes) {
          throw new IOException(address + " answered more than " + mostBytes + " bytes");
        }
        if (System.nanoTime() - start > mostNanos) {
          throw new IOException(address + " took too long to answer");
        }
      }
      return out.toString(StandardCharsets.UTF_8);
    }
  }

  /**
   * A parser of the NameNode's JMX bean {@code Hadoop:service=NameNode,name=BlockStats}, which adds
   * up each storage type over the DataNodes in service. Pure.
   */
  static final class BlockStats {
    static final String QUERY = "/jmx?qry=Hadoop:service=NameNode,name=BlockStats";

    private BlockStats() {}

    static String query(String bean, String attribute) {
      return "/jmx?get=Hadoop:service=NameNode,name=" + bean + "::" + attribute;
    }

    /** Empty if it is missing. */
    static Optional<String> attribute(String json, String attribute) {
      return first(json, attribute).flatMap(BlockStats::text);
    }

    private static Optional<String> text(JsonElement value) {
      return value.isJsonPrimitive() ? Optional.of(value.getAsString()) : Optional.empty();
    }

    /** Empty if the answer is invalid. An HDFS without SSD has capacity 0. */
    static Optional<SsdSpace> parse(String json) {
      return first(json, "StorageTypeStats").flatMap(BlockStats::space);
    }

    private static Optional<SsdSpace> space(JsonElement stats) {
      return tolerant(() -> Optional.of(ssd(stats.getAsJsonArray())));
    }

    private static Optional<JsonElement> first(String json, String attribute) {
      return tolerant(
          () -> {
            JsonArray beans =
                JsonParser.parseString(json).getAsJsonObject().getAsJsonArray("beans");
            if (beans != null) {
              for (JsonElement bean : beans) {
                JsonElement value = bean.getAsJsonObject().get(attribute);
                if (value != null) {
                  return Optional.of(value);
                }
              }
            }
            return Optional.empty();
          });
    }

    private static <T> Optional<T> tolerant(Supplier<Optional<T>> parse) {
      try {
        return parse.get();
      } catch (RuntimeException e) {
        return Optional.empty();
      }
    }

    private static SsdSpace ssd(JsonArray types) {
      SsdSpace ssd = new SsdSpace(0, 0, 0, 0, List.of());
      boolean disk = false;
      for (JsonElement type : types) {
        JsonObject entry = type.getAsJsonObject();
        JsonObject value = entry.getAsJsonObject("value");
        String key = entry.get("key").getAsString();
        if (key.equals("SSD")) {
          ssd =
              new SsdSpace(
                  value.get("capacityTotal").getAsLong(),
                  value.get("capacityUsed").getAsLong(),
                  value.get("capacityRemaining").getAsLong(),
                  value.get("nodesInService").getAsInt(),
                  List.of());
        }
        disk |= key.equals("DISK") && value.get("capacityTotal").getAsLong() > 0;
      }
      return disk ? ssd : ssd.withoutDisk();
    }
  }
}
