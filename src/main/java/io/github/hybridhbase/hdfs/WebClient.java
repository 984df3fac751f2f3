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

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PrivilegedExceptionAction;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import javax.net.ssl.HttpsURLConnection;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.web.KerberosUgiAuthenticator;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authentication.client.AuthenticatedURL;
import org.apache.hadoop.security.authentication.client.AuthenticationException;
import org.apache.hadoop.security.ssl.SSLFactory;
import org.apache.hbase.thirdparty.com.google.gson.JsonArray;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * An HTTP(S) client with limits on bytes and time. It sends the login user's name if asked, by
 * SPNEGO or {@code user.name}. HTTPS follows {@code ssl-client.xml}. Thread-safe.
 *
 * <p>Close it: Hadoop's HTTPS factory may have a thread that watches the truststore.
 */
@InterfaceAudience.Private
public final class WebClient implements AutoCloseable {
  private static final int CHUNK = 8_192;
  private static final int BRIEF_MILLIS = 2_000;
  private static final int MOST_CONF_BYTES = 8 << 20;
  private static final int MOST_CONF_MILLIS = 5_000;

  private final Configuration conf;
  private final int mostBytes;
  private final int mostMillis;

  /** By authority. */
  private final Map<String, AuthenticatedURL.Token> tokens = new ConcurrentHashMap<>();

  /** Null until needed, and after a close. */
  private SSLFactory ssl;

  /**
   * @param mostMillis longest time of an answer, also of an idle connection
   */
  WebClient(Configuration conf, int mostBytes, int mostMillis) {
    this.conf = conf;
    this.mostBytes = mostBytes;
    this.mostMillis = mostMillis;
  }

  /**
   * @return at most 1 MiB
   * @throws IOException also if the server does not respond within some seconds
   */
  public static String get(Configuration conf, String address) throws IOException {
    try (WebClient web = new WebClient(conf, 1 << 20, BRIEF_MILLIS)) {
      return web.read(address);
    }
  }

  /**
   * @throws IOException also if a limit is exceeded
   */
  String read(String address) throws IOException {
    UserGroupInformation user = UserGroupInformation.getLoginUser();
    if (UserGroupInformation.isSecurityEnabled()) {
      user.checkTGTAndReloginFromKeytab();
    }
    try {
      return user.doAs((PrivilegedExceptionAction<String>) () -> get(new URL(address)));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted while reading " + address, e);
    }
  }

  /**
   * From {@code /conf} of the first server that answers within seconds.
   *
   * @param servers scheme, host and port
   */
  public static Map<String, String> settings(Configuration conf, List<String> servers)
      throws IOException {
    IOException last = new IOException("no web address is known");
    try (WebClient web = new WebClient(conf, MOST_CONF_BYTES, MOST_CONF_MILLIS)) {
      for (String server : servers) {
        try {
          return parse(web.read(server + "/conf"));
        } catch (IOException e) {
          last = e;
        }
      }
    }
    throw last;
  }

  static Map<String, String> parse(String xml) throws IOException {
    Configuration read = new Configuration(false);
    read.addResource(new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_8)), "/conf", true);
    try {
      Map<String, String> settings = new HashMap<>();
      for (Map.Entry<String, String> setting : read) {
        settings.put(setting.getKey(), read.get(setting.getKey()));
      }
      return settings;
    } catch (RuntimeException e) {
      throw new IOException("/conf answered something that is not a configuration", e);
    }
  }

  @Override
  public synchronized void close() {
    if (ssl != null) {
      ssl.destroy();
      ssl = null;
    }
  }

  private String get(URL url) throws IOException {
    long start = System.nanoTime();
    AuthenticatedURL.Token token = tokens.get(url.getAuthority());
    HttpURLConnection connection =
        token == null ? configured((HttpURLConnection) url.openConnection()) : named(url, token);
    try {
      int status = status(connection);
      if (status == HttpURLConnection.HTTP_UNAUTHORIZED
          || status == HttpURLConnection.HTTP_FORBIDDEN) {
        // First request to this server, or the token has expired.
        connection.disconnect();
        token = new AuthenticatedURL.Token();
        connection = named(url, token);
        status = status(connection);
        tokens.put(url.getAuthority(), token);
      }
      if (status != HttpURLConnection.HTTP_OK) {
        throw new IOException(url + " answered " + status);
      }
      try (InputStream in = connection.getInputStream()) {
        return text(in, url, start);
      }
    } finally {
      connection.disconnect();
    }
  }

  private static int status(HttpURLConnection connection) throws IOException {
    connection.setInstanceFollowRedirects(false);
    return connection.getResponseCode();
  }

  private HttpURLConnection named(URL url, AuthenticatedURL.Token token) throws IOException {
    try {
      return new AuthenticatedURL(new KerberosUgiAuthenticator(), this::configured)
          .openConnection(url, token);
    } catch (AuthenticationException e) {
      throw new IOException("Not let in by " + url + ": " + e.getMessage(), e);
    }
  }

  private HttpURLConnection configured(HttpURLConnection connection) throws IOException {
    connection.setConnectTimeout(mostMillis);
    connection.setReadTimeout(mostMillis);
    return connection instanceof HttpsURLConnection ? ssl().configure(connection) : connection;
  }

  private synchronized SSLFactory ssl() throws IOException {
    if (ssl == null) {
      SSLFactory made = new SSLFactory(SSLFactory.Mode.CLIENT, conf);
      try {
        made.init();
      } catch (GeneralSecurityException e) {
        throw new IOException("ssl-client.xml cannot be followed", e);
      }
      ssl = made;
    }
    return ssl;
  }

  private String text(InputStream in, URL url, long start) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    byte[] chunk = new byte[CHUNK];
    for (int read = in.read(chunk); read >= 0; read = in.read(chunk)) {
      out.write(chunk, 0, read);
      if (out.size() > mostBytes) {
        throw new IOException(url + " answered more than " + mostBytes + " bytes");
      }
      if (System.nanoTime() - start > TimeUnit.MILLISECONDS.toNanos(mostMillis)) {
        throw new IOException(url + " took too long to answer");
      }
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  /** A parser of {@code /jmx}. */
  @InterfaceAudience.Private
  public static final class Jmx {
    /** Sums over the DataNodes in service. */
    static final String BLOCK_STATS = nameNode("BlockStats");

    private Jmx() {}

    static String nameNode(String bean) {
      return "/jmx?qry=Hadoop:service=NameNode,name=" + bean;
    }

    static String nameNode(String bean, String attribute) {
      return "/jmx?get=Hadoop:service=NameNode,name=" + bean + "::" + attribute;
    }

    /**
     * Empty if there is none.
     *
     * @param address with the query
     */
    public static Optional<JsonObject> bean(Configuration conf, String address) throws IOException {
      String json = WebClient.get(conf, address);
      if (!json.contains("\"beans\"")) {
        throw new IOException("/jmx answered something that is not a bean");
      }
      return bean(json);
    }

    /** The first; empty if none or invalid. */
    static Optional<JsonObject> bean(String json) {
      return tolerant(
          () -> {
            JsonArray beans =
                JsonParser.parseString(json).getAsJsonObject().getAsJsonArray("beans");
            return beans == null || beans.size() == 0
                ? Optional.empty()
                : Optional.of(beans.get(0).getAsJsonObject());
          });
    }

    /** Empty if missing, or no single value. */
    static Optional<String> attribute(String json, String attribute) {
      return bean(json)
          .map(bean -> bean.get(attribute))
          .filter(JsonElement::isJsonPrimitive)
          .map(JsonElement::getAsString);
    }

    /** 0 if missing. */
    public static double number(JsonObject bean, String attribute) {
      return bean.has(attribute) ? bean.get(attribute).getAsDouble() : 0;
    }

    static int number(String json, String attribute) {
      return attribute(json, attribute)
          .flatMap(text -> tolerant(() -> Optional.of(Integer.valueOf(text))))
          .orElse(0);
    }

    static <T> Optional<T> tolerant(Supplier<Optional<T>> parse) {
      try {
        return parse.get();
      } catch (RuntimeException e) {
        return Optional.empty();
      }
    }
  }
}
