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
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.security.PrivilegedExceptionAction;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.web.URLConnectionFactory;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authentication.client.AuthenticationException;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * An HTTP(S) GET with limits on bytes and time. With Kerberos it authenticates by SPNEGO as the
 * login user; HTTPS follows {@code ssl-client.xml}. Thread-safe.
 */
@InterfaceAudience.Private
final class BoundedGet {
  private static final int CHUNK = 8_192;

  private final URLConnectionFactory factory;
  private final int mostBytes;
  private final long mostNanos;

  /**
   * @param mostBytes longest answer
   * @param mostMillis longest time, also for an idle connection
   */
  BoundedGet(Configuration conf, int mostBytes, int mostMillis) {
    this.factory =
        URLConnectionFactory.newDefaultURLConnectionFactory(mostMillis, mostMillis, conf);
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

  private String get(String address) throws IOException {
    long start = System.nanoTime();
    HttpURLConnection connection;
    try {
      connection =
          (HttpURLConnection)
              factory.openConnection(new URL(address), UserGroupInformation.isSecurityEnabled());
    } catch (AuthenticationException e) {
      throw new IOException("Not let in by " + address, e);
    }
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
