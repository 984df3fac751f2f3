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

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLConnection;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.PrivilegedExceptionAction;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.web.URLConnectionFactory;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.yetus.audience.InterfaceAudience;

/** What a server says of itself at {@code /jmx}. */
@InterfaceAudience.Private
public final class Jmx {
  private static final int PATIENCE_MILLIS = 5_000;
  private static final ObjectMapper JSON = new ObjectMapper();

  private Jmx() {}

  /**
   * Reads one bean, by SPNEGO where this JVM has Kerberos, else with a name for who asks for one.
   *
   * @param address of the web server, with its scheme
   * @return a missing node where the server has no such bean
   * @throws IOException where it does not answer
   */
  public static JsonNode read(String address, String bean) throws IOException {
    String query = URLEncoder.encode(bean, StandardCharsets.UTF_8);
    URLConnection connection = open(new URL(address + "/jmx?user.name=bed&qry=" + query));
    connection.setConnectTimeout(PATIENCE_MILLIS);
    connection.setReadTimeout(PATIENCE_MILLIS);
    try (InputStream in = connection.getInputStream()) {
      return JSON.readTree(in).path("beans").path(0);
    }
  }

  private static URLConnection open(URL url) throws IOException {
    boolean spnego = UserGroupInformation.isSecurityEnabled();
    if (!spnego && url.getProtocol().equals("http")) {
      return url.openConnection();
    }
    UserGroupInformation user = UserGroupInformation.getLoginUser();
    user.checkTGTAndReloginFromKeytab();
    URLConnectionFactory secure =
        URLConnectionFactory.newDefaultURLConnectionFactory(
            PATIENCE_MILLIS, PATIENCE_MILLIS, new Configuration());
    try {
      return user.doAs(
          (PrivilegedExceptionAction<URLConnection>) () -> secure.openConnection(url, spnego));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    } finally {
      secure.destroy();
    }
  }

  /** Reads JSON that stands in a value. */
  static JsonNode parse(String text) throws IOException {
    return JSON.readTree(text);
  }
}
