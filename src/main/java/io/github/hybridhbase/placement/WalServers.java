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
import io.github.hybridhbase.hdfs.PolicyProvenance;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.report.Finding;
import io.github.hybridhbase.report.FindingId;
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.runtime.Text;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.net.Address;
import org.apache.yetus.audience.InterfaceAudience;

/** The servers that write WALs, and those of them that fell back to DISK. Immutable. */
@InterfaceAudience.Private
public final class WalServers {
  public static final WalServers NONE = new WalServers(List.of(), List.of());

  private final List<String> live;
  private final List<String> fellBack;
  private final List<String> canaries;

  public WalServers(List<String> live, List<String> fellBack) {
    this(live, fellBack, List.of());
  }

  private WalServers(List<String> live, List<String> fellBack, List<String> canaries) {
    this.live = List.copyOf(live);
    this.fellBack = List.copyOf(fellBack);
    this.canaries = List.copyOf(canaries);
  }

  /** As {@link #of}; none if the WALs are not on HDFS. */
  public static WalServers now(Namespaces namespaces, Path wals) throws IOException {
    Optional<StorageNamespace> namespace = namespaces.of(wals);
    if (namespace.isEmpty()) {
      return NONE;
    }
    Map<String, Byte> children = namespace.get().children(wals);
    WalServers seen = of(namespace.get(), wals, children, NONE);
    return new WalServers(seen.live, seen.fellBack, canaries(namespace.get(), wals, children));
  }

  /**
   * Reads HDFS: a server that falls back sets its own WAL directory to HOT, with a record. Reads
   * the record of each directory that is HOT and that {@code before} has not as fallen back.
   *
   * @param wals parent of the servers' directories
   */
  public static WalServers of(StorageNamespace namespace, Path wals, WalServers before)
      throws IOException {
    return of(namespace, wals, namespace.children(wals), before);
  }

  private static WalServers of(
      StorageNamespace namespace, Path wals, Map<String, Byte> children, WalServers before)
      throws IOException {
    byte hot = StoragePolicy.HOT.id();
    List<String> live = live(children.keySet());
    List<String> hotOnes =
        live.stream().filter(name -> children.get(name) == hot).collect(Collectors.toList());
    if (hotOnes.isEmpty() || namespace.effective(wals).equals(Optional.of(hot))) {
      return new WalServers(live, List.of());
    }
    List<String> fellBack = new ArrayList<>();
    for (String name : hotOnes) {
      if (before.fellBack.contains(name) || hasRecord(namespace, new Path(wals, name))) {
        fellBack.add(name);
      }
    }
    return new WalServers(live, fellBack);
  }

  private static boolean hasRecord(StorageNamespace namespace, Path directory) throws IOException {
    // Empty also if the directory was just renamed for splitting, or HDFS stores no xattrs.
    return PolicyProvenance.RECORD.in(namespace.records(directory)).read().isPresent();
  }

  /** The servers whose directory is for SSD although {@code WALs} is not; one call if any is. */
  private static List<String> canaries(
      StorageNamespace namespace, Path wals, Map<String, Byte> children) throws IOException {
    List<String> onSsd =
        live(children.keySet()).stream()
            .filter(name -> StoragePolicy.isForSsd(children.get(name)))
            .collect(Collectors.toList());
    boolean all =
        !onSsd.isEmpty() && namespace.effective(wals).filter(StoragePolicy::isForSsd).isPresent();
    return all ? List.of() : onSsd;
  }

  public int shadowing() {
    return fellBack.size() + canaries.size();
  }

  public Optional<Finding> canary(Path wals) {
    return canaries.isEmpty()
        ? Optional.empty()
        : Optional.of(Finding.of(FindingId.CANARY, wals.toUri().getPath(), Text.some(canaries)));
  }

  /**
   * The servers that may open another WAL, sorted, by directory names below {@code WALs}. A dead
   * server opens none: HBase renames its directory to {@code <server>-splitting} before it recovers
   * leases, and until then a successor at the same address has a later start code. The DataNode's
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

  /** The same servers, none of which fell back, since their WALs are not placed. */
  WalServers notPlaced() {
    return new WalServers(live, List.of());
  }

  public Optional<Finding> finding(Path wals) {
    return fellBack.isEmpty()
        ? Optional.empty()
        : Optional.of(
            Finding.of(
                FindingId.WALS_ON_DISK,
                wals.toUri().getPath(),
                fellBack.size(),
                live.size(),
                Text.some(fellBack)));
  }

  public List<String> live() {
    return live;
  }

  /** Names of directories, sorted. */
  public List<String> fellBack() {
    return fellBack;
  }
}
