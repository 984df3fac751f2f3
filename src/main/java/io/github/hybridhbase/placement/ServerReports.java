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

import io.github.hybridhbase.hdfs.ExcludedNodes;
import io.github.hybridhbase.hdfs.HdfsError;
import io.github.hybridhbase.hdfs.Namespaces;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.report.Finding;
import io.github.hybridhbase.report.FindingId;
import io.github.hybridhbase.runtime.Layout;
import io.github.hybridhbase.runtime.Text;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.security.AccessControlException;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The records on live servers' WAL directories of DataNodes that their WALs exclude because they
 * stalled. Immutable.
 */
@InterfaceAudience.Private
public final class ServerReports {
  public static final ServerReports NONE = new ServerReports(0, "", 0, new TreeMap<>(), List.of());

  private static final int LOOKS = 5;

  private static final int NAMED = 3;

  private final long at;
  private final String trouble;
  private final int looks;
  private final SortedMap<String, Report> reports;
  private final List<String> unread;

  private ServerReports(
      long at, String trouble, int looks, SortedMap<String, Report> reports, List<String> unread) {
    this.at = at;
    this.trouble = trouble;
    this.looks = looks;
    this.reports = Collections.unmodifiableSortedMap(reports);
    this.unread = List.copyOf(unread);
  }

  /**
   * Takes two listings, and one read per live server ({@link WalServers#live}).
   *
   * @param at milliseconds since 1970, above 0
   * @throws IOException if HDFS does not answer; denied reads are in {@link #unread}
   */
  public static ServerReports read(Namespaces namespaces, Layout layout, long at)
      throws IOException {
    return NONE.next(namespaces, layout, at);
  }

  /** Like {@link #read}, but four times of five skips servers with an unchanged stamp. */
  public ServerReports next(Namespaces namespaces, Layout layout, long at) throws IOException {
    SortedMap<String, Report> next = new TreeMap<>();
    List<String> unread = new ArrayList<>();
    for (Path wals : List.of(layout.wals(), layout.masterWals())) {
      try {
        Optional<StorageNamespace> namespace = namespaces.of(wals);
        if (namespace.isPresent()) {
          add(namespace.get(), wals, next, unread);
        }
      } catch (AccessControlException e) {
        unread.add(
            "May not see which DataNodes the servers of "
                + wals.toUri().getPath()
                + " leave out of their WALs: "
                + HdfsError.of(e).text());
      }
    }
    return new ServerReports(at, "", looks + 1, next, unread);
  }

  private void add(
      StorageNamespace namespace, Path wals, SortedMap<String, Report> next, List<String> unread)
      throws IOException {
    Map<String, Long> stamps = namespace.stamps(wals);
    SortedSet<String> refused = new TreeSet<>();
    String why = "";
    for (String server : WalServers.live(stamps.keySet())) {
      try {
        long stamp = stamps.get(server);
        Report before = reports.get(server);
        boolean due = Math.floorMod(server.hashCode() + looks, LOOKS) == 0;
        next.put(
            server,
            before == null || due || before.mayDiffer(stamp)
                ? new Report(stamp, before, namespace.records(new Path(wals, server)))
                : before);
      } catch (AccessControlException e) {
        refused.add(server);
        why = HdfsError.of(e).text();
      }
    }
    if (!refused.isEmpty()) {
      unread.add(
          "May not see which DataNodes were left out of the WALs of "
              + Text.few(refused)
              + (refused.size() > NAMED ? " (" + refused.size() + " servers): " : ": ")
              + why);
    }
  }

  public ServerReports failed(String why) {
    return new ServerReports(at, why, looks, reports, unread);
  }

  /** Servers by DataNode. */
  public SortedMap<String, SortedSet<String>> excluded() {
    SortedMap<String, SortedSet<String>> excluded = new TreeMap<>();
    reports.forEach(
        (server, report) ->
            report.excluded.forEach(
                node -> excluded.computeIfAbsent(node, none -> new TreeSet<>()).add(server)));
    return excluded;
  }

  public List<String> unread() {
    return unread;
  }

  /**
   * The age in full sentences; empty before the first look.
   *
   * @param now milliseconds since 1970
   */
  public String age(long now) {
    String tail = trouble.isEmpty() ? "" : " The last look failed: " + trouble;
    if (at == 0) {
      return trouble.isEmpty()
          ? ""
          : "Which DataNodes servers leave out of their WALs is not known." + tail;
    }
    long seconds = TimeUnit.MILLISECONDS.toSeconds(Math.max(0, now - at));
    return what() + " (seen " + seconds + " s ago)." + tail;
  }

  private String what() {
    int nodes = excluded().size();
    if (nodes == 0) {
      return unread.isEmpty()
          ? "No server leaves a DataNode out of its WALs"
          : "No server that could be asked leaves a DataNode out of its WALs";
    }
    return nodes + (nodes == 1 ? " DataNode is" : " DataNodes are") + " left out of servers' WALs";
  }

  /**
   * @param withoutSsd DataNodes known to have none
   */
  public List<Finding> findings(Collection<String> withoutSsd) {
    return excluded().entrySet().stream()
        .map(
            node ->
                Finding.of(
                        FindingId.STALLED_DATANODE,
                        node.getKey(),
                        withoutSsd.contains(node.getKey()) ? " and has no SSD now" : "",
                        Text.count(node.getValue().size(), "server")
                            + ": "
                            + Text.few(node.getValue()))
                    .withWeight(node.getValue().size()))
        .collect(Collectors.toList());
  }

  private static final class Report {
    private final long stamp;
    private final boolean stamps;
    private final boolean empty;
    private final List<String> excluded;

    /**
     * @param before null if none
     */
    Report(long stamp, Report before, Map<String, byte[]> records) {
      this.stamp = stamp;
      this.stamps = stamp != 0 || before != null && before.stamps;
      this.empty = records.isEmpty();
      this.excluded =
          ExcludedNodes.RECORD.in(records).read().map(ExcludedNodes::addresses).orElse(List.of());
    }

    boolean mayDiffer(long now) {
      return stamp != now || !stamps && !empty;
    }
  }
}
