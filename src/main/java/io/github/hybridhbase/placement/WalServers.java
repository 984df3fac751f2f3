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

import io.github.hybridhbase.hdfs.Namespaces;
import io.github.hybridhbase.hdfs.StorageNamespace;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.net.Address;
import org.apache.yetus.audience.InterfaceAudience;

/** The servers that write WALs. Immutable. */
@InterfaceAudience.Private
public final class WalServers {
  public static final WalServers NONE = new WalServers(List.of());

  private final List<String> live;

  public WalServers(List<String> live) {
    this.live = List.copyOf(live);
  }

  /** None if the WALs are not on HDFS. */
  public static WalServers now(Namespaces namespaces, Path wals) throws IOException {
    Optional<StorageNamespace> namespace = namespaces.of(wals);
    return namespace.isEmpty() ? NONE : of(namespace.get(), wals);
  }

  /**
   * Takes one NameNode call per thousand servers.
   *
   * @param wals parent of the servers' directories
   */
  public static WalServers of(StorageNamespace namespace, Path wals) throws IOException {
    return new WalServers(live(namespace.children(wals)));
  }

  /**
   * The sorted servers that may open another WAL. HBase renames a dead server's directory to {@code
   * <server>-splitting} before it recovers leases; a successor has a later start code. DataNodes'
   * free space already excludes a dead server's open block.
   */
  public static List<String> live(Collection<String> names) {
    SortedMap<Address, ServerName> newest = new TreeMap<>();
    for (String name : names) {
      if (ServerName.isFullServerName(name)) {
        ServerName server = ServerName.valueOf(name);
        newest.merge(
            server.getAddress(),
            server,
            (one, other) -> one.getStartCode() < other.getStartCode() ? other : one);
      }
    }
    return newest.values().stream()
        .map(ServerName::getServerName)
        .sorted()
        .collect(Collectors.toList());
  }

  public List<String> live() {
    return live;
  }
}
