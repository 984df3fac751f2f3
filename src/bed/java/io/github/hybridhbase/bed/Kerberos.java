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
package io.github.hybridhbase.bed;

import io.github.hybridhbase.testing.Line;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.AccessController;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import javax.security.auth.Subject;
import javax.security.auth.kerberos.KerberosTicket;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.minikdc.MiniKdc;
import org.apache.hadoop.security.AuthenticationFilterInitializer;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A KDC in this JVM, one keytab with everybody's keys, a certificate, and what makes a bed's HDFS
 * and HBase use them: Kerberos for every call and every block, SPNEGO before every web page, TLS
 * for HDFS's. HDFS's superuser is {@code hdfs}; HBase runs as {@code hbase}, which is none. From
 * {@link #login} until {@link #close} this JVM is {@code hbase} as well. One at a time.
 */
@InterfaceAudience.Private
final class Kerberos implements AutoCloseable {
  /** Of this project's own, in the site files: who a tool logs in as. */
  private static final String REALM = "bed.kerberos.realm";

  private static final String KEYTAB = "bed.kerberos.keytab";
  private static final String PASSWORD = "no-secret";
  private static final String PLUGIN = "io.github.hybridhbase.";

  private final MiniKdc kdc;
  private final Path directory;
  private final Path keytab;
  private final ClassLoader before = Thread.currentThread().getContextClassLoader();

  private Kerberos(MiniKdc kdc, Path directory) {
    this.kdc = kdc;
    this.directory = directory;
    this.keytab = directory.resolve("keytab");
  }

  /**
   * Starts a KDC.
   *
   * @param ticketSeconds how long each ticket lasts, of a login and for a server
   */
  static Kerberos start(Path directory, int ticketSeconds) throws Exception {
    Properties conf = MiniKdc.createConf();
    conf.setProperty(MiniKdc.KDC_BIND_ADDRESS, Ports.LOOPBACK);
    // In spite of MiniKdc's own default the KDC takes seconds.
    conf.setProperty(MiniKdc.MAX_TICKET_LIFETIME, Integer.toString(ticketSeconds));
    MiniKdc kdc = new MiniKdc(conf, directory.resolve("kdc").toFile());
    kdc.start();
    try {
      Kerberos made = new Kerberos(kdc, directory);
      made.fill();
      return made;
    } catch (Exception | Error e) {
      kdc.stop();
      throw e;
    }
  }

  private void fill() throws Exception {
    kdc.createPrincipal(
        keytab.toFile(), "hdfs/localhost", "hbase/localhost", "HTTP/localhost", "HTTP/127.0.0.1");
    certificate(directory);
  }

  /** Makes a certificate of this machine, and what has servers and clients use and trust it. */
  static List<Path> certificate(Path directory) throws IOException, InterruptedException {
    Path store = directory.resolve("keystore.jks");
    String keytool =
        System.getProperty("java.home")
            + "/bin/keytool -genkeypair -alias bed -keyalg RSA -dname CN=localhost"
            + " -ext SAN=ip:127.0.0.1,ip:127.0.0.2,dns:localhost -storetype JKS -storepass PASSWORD"
            + " -keypass PASSWORD -keystore "
            + store;
    Command.run(keytool.replace("PASSWORD", PASSWORD).split(" "));
    for (String side : new String[] {"server", "client"}) {
      Configuration ssl = new Configuration(false);
      for (String kind : new String[] {"truststore", "keystore"}) {
        ssl.set("ssl." + side + "." + kind + ".location", store.toString());
        ssl.set("ssl." + side + "." + kind + ".password", PASSWORD);
        ssl.set("ssl." + side + "." + kind + ".type", "jks");
      }
      ssl.set("ssl." + side + ".keystore.keypassword", PASSWORD);
      try (OutputStream out = Files.newOutputStream(directory.resolve("ssl-" + side + ".xml"))) {
        ssl.writeXml(out);
      }
    }
    return ssl(directory);
  }

  private static String principal(String user, String realm) {
    return user + "/localhost@" + realm;
  }

  /** For all processes. */
  Map<String, String> keys() {
    String realm = kdc.getRealm();
    Map<String, String> keys = new LinkedHashMap<>();
    keys.put(REALM, realm);
    keys.put(KEYTAB, keytab.toString());
    keys.put("hadoop.security.authentication", "kerberos");
    keys.put("hadoop.security.authorization", "true");
    keys.put("hadoop.security.group.mapping", "org.apache.hadoop.security.NullGroupsMapping");
    // By default a minute, for which a ticket here may not last.
    keys.put("hadoop.kerberos.min.seconds.before.relogin", "10");
    // Whoever has not called for a second needs a ticket again.
    keys.put("ipc.client.connection.maxidletime", "1000");
    keys.put("dfs.block.access.token.enable", "true");
    keys.put("dfs.data.transfer.protection", "authentication");
    keys.put("dfs.http.policy", "HTTPS_ONLY");
    for (String server : new String[] {"namenode", "datanode"}) {
      keys.put("dfs." + server + ".keytab.file", keytab.toString());
      keys.put("dfs." + server + ".kerberos.principal", principal("hdfs", realm));
    }
    String web = principal("HTTP", realm);
    keys.put("dfs.web.authentication.kerberos.principal", web);
    keys.put("dfs.web.authentication.kerberos.keytab", keytab.toString());
    keys.put("hadoop.http.filter.initializers", AuthenticationFilterInitializer.class.getName());
    keys.put("hadoop.http.authentication.type", "kerberos");
    keys.put("hadoop.http.authentication.kerberos.keytab", keytab.toString());
    keys.put("hadoop.http.authentication.kerberos.principal", "*");
    keys.put("hbase.security.authentication", "kerberos");
    for (String server : new String[] {"master", "regionserver"}) {
      keys.put("hbase." + server + ".keytab.file", keytab.toString());
      keys.put("hbase." + server + ".kerberos.principal", principal("hbase", realm));
    }
    keys.put("hbase.security.authentication.ui", "kerberos");
    keys.put("hbase.security.authentication.spnego.kerberos.principal", "*");
    keys.put("hbase.security.authentication.spnego.kerberos.keytab", keytab.toString());
    return keys;
  }

  /** For every directory of site files. */
  List<Path> files() {
    return ssl(directory);
  }

  private static List<Path> ssl(Path directory) {
    return List.of(directory.resolve("ssl-server.xml"), directory.resolve("ssl-client.xml"));
  }

  /** For every JVM. */
  List<String> flags() {
    return List.of("-Djava.security.krb5.conf=" + kdc.getKrb5conf());
  }

  /** What runs a tool: its class, on a bed with Kerberos as {@code hdfs}, or {@code hbase}. */
  static List<String> login(Map<String, String> keys, String main) {
    List<String> words = new ArrayList<>();
    if (keys.get(REALM) != null) {
      words.add(Line.base().resolve("src/bed/programs/AsLogin.java").toString());
      words.add(principal(main.startsWith(PLUGIN) ? "hbase" : "hdfs", keys.get(REALM)));
      words.add(keys.get(KEYTAB));
    }
    words.add(main);
    return words;
  }

  /** Makes this JVM {@code hbase}, to whom the bed's web pages are open. */
  void login() throws IOException {
    URL[] found = {directory.toUri().toURL()};
    Thread.currentThread().setContextClassLoader(new URLClassLoader(found, before));
    Configuration conf = new Configuration();
    keys().forEach(conf::set);
    UserGroupInformation.setConfiguration(conf);
    UserGroupInformation.loginUserFromKeytab(principal("hbase", kdc.getRealm()), keytab.toString());
  }

  /** How long the tickets of this JVM that it has by now last, of its login and for servers. */
  static List<Long> ticketSeconds() throws IOException, InterruptedException {
    return UserGroupInformation.getLoginUser()
        .doAs(
            (PrivilegedExceptionAction<List<Long>>)
                () ->
                    Subject.getSubject(AccessController.getContext())
                        .getPrivateCredentials(KerberosTicket.class)
                        .stream()
                        .map(one -> one.getEndTime().getTime() - one.getAuthTime().getTime())
                        .map(TimeUnit.MILLISECONDS::toSeconds)
                        .collect(Collectors.toList()));
  }

  /** Does something in this JVM as HDFS's superuser. */
  <T> T asSuperuser(PrivilegedExceptionAction<T> action) throws IOException, InterruptedException {
    return UserGroupInformation.loginUserFromKeytabAndReturnUGI(
            principal("hdfs", kdc.getRealm()), keytab.toString())
        .doAs(action);
  }

  @Override
  public void close() {
    Thread.currentThread().setContextClassLoader(before);
    kdc.stop();
    UserGroupInformation.reset();
    UserGroupInformation.setConfiguration(new Configuration());
  }
}
