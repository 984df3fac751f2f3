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

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Ports of one address, loopback by default, that nobody listens on, each given once. They lie
 * below those that the kernel lends to outgoing connections, so that a server finds its port again
 * when it restarts. Another process may take one before its server does.
 */
@InterfaceAudience.Private
public final class Ports {
  static final String LOOPBACK = "127.0.0.1";

  private static final int FIRST = 11_000;
  private static final int LAST = 32_000;

  private final String host;
  private final Random random;
  private final Set<Integer> given = new HashSet<>();

  public Ports(long seed) {
    this(seed, LOOPBACK);
  }

  /** Those of another of this machine's addresses. */
  Ports(long seed, String host) {
    this.host = host;
    random = new Random(seed);
  }

  /** The next one. */
  public int free() throws IOException {
    while (given.size() < LAST - FIRST) {
      int port = FIRST + random.nextInt(LAST - FIRST);
      if (given.add(port) && isFree(port)) {
        return port;
      }
    }
    throw new IOException("no port is free on " + host);
  }

  /** The next one as {@code host:port}. */
  String address() throws IOException {
    return host + ":" + free();
  }

  private boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.bind(new InetSocketAddress(host, port));
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
