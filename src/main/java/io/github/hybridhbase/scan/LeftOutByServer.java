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
package io.github.hybridhbase.scan;

import io.github.hybridhbase.hdfs.HdfsError;
import io.github.hybridhbase.hdfs.LeftOutNodes;
import io.github.hybridhbase.hdfs.Namespaces;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.placement.Layout;
import io.github.hybridhbase.space.WalServers;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.security.AccessControlException;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The DataNodes that each server excludes from its WALs because they stalled, as recorded on the
 * server's WAL directory. Immutable.
 */
@InterfaceAudience.Private
public final class LeftOutByServer {
  public static final LeftOutByServer NONE = new LeftOutByServer(new TreeMap<>(), List.of());

  private static final int NAMED = 3;

  private final SortedMap<String, SortedSet<String>> servers;
  private final List<String> unread;

  private LeftOutByServer(SortedMap<String, SortedSet<String>> servers, List<String> unread) {
    this.servers = Collections.unmodifiableSortedMap(servers);
    this.unread = List.copyOf(unread);
  }

  /**
   * Reads the records: two listings and one read per live server ({@link WalServers#live}).
   *
   * @throws IOException if HDFS does not answer; denied reads are in {@link #unread}
   */
  public static LeftOutByServer now(Namespaces namespaces, Layout layout) throws IOException {
    SortedMap<String, SortedSet<String>> servers = new TreeMap<>();
    List<String> unread = new ArrayList<>();
    for (Path wals : List.of(layout.wals(), layout.masterWals())) {
      try {
        Optional<StorageNamespace> namespace = namespaces.of(wals);
        if (namespace.isPresent()) {
          add(servers, unread, namespace.get(), wals);
        }
      } catch (AccessControlException e) {
        unread.add(
            "May not see which DataNodes the servers of "
                + wals.toUri().getPath()
                + " leave out of their WALs: "
                + HdfsError.of(e).text());
      }
    }
    return new LeftOutByServer(servers, unread);
  }

  private static void add(
      Map<String, SortedSet<String>> to, List<String> unread, StorageNamespace namespace, Path wals)
      throws IOException {
    SortedSet<String> refused = new TreeSet<>();
    String why = "";
    for (String server : WalServers.live(namespace.children(wals).keySet())) {
      try {
        List<String> nodes =
            namespace
                .read(LeftOutNodes.RECORD, new Path(wals, server))
                .read()
                .map(LeftOutNodes::addresses)
                .orElse(List.of());
        nodes.forEach(node -> to.computeIfAbsent(node, none -> new TreeSet<>()).add(server));
      } catch (AccessControlException e) {
        refused.add(server);
        why = HdfsError.of(e).text();
      }
    }
    if (!refused.isEmpty()) {
      String named = refused.stream().limit(NAMED).collect(Collectors.joining(", "));
      unread.add(
          "May not see which DataNodes were left out of the WALs of "
              + named
              + (refused.size() > NAMED ? ", ... (" + refused.size() + " servers): " : ": ")
              + why);
    }
  }

  public SortedMap<String, SortedSet<String>> servers() {
    return servers;
  }

  /** What could not be read, in full sentences; may be empty. */
  public List<String> unread() {
    return unread;
  }
}
