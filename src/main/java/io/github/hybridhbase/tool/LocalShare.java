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
package io.github.hybridhbase.tool;

import io.github.hybridhbase.hdfs.FileBlocks;
import io.github.hybridhbase.runtime.Component;
import io.github.hybridhbase.runtime.Text;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The share of a component that its server reads from an SSD of its own host: for {@code WALs} the
 * server named by the directory, for catalogs the one that serves the region. A host's addresses
 * count too, since server and DataNode may have registered under different names.
 */
@InterfaceAudience.Private
final class LocalShare {
  private static final int NAMED = 3;

  private final Function<String, Optional<String>> hostOfRegion;
  private long files;
  private long bytes;
  private long localBytes;
  private long localSsdBytes;
  private final Function<String, Set<String>> addresses;

  private final Map<String, Set<String>> names = new HashMap<>();

  private final Set<String> matched = new TreeSet<>();

  private final Set<String> sought = new TreeSet<>();

  /**
   * @param hostOfRegion by encoded region name; empty if unknown
   */
  LocalShare(Function<String, Optional<String>> hostOfRegion) {
    this(hostOfRegion, LocalShare::resolve);
  }

  /**
   * @param addresses IP addresses by host name; called once for each host
   */
  LocalShare(
      Function<String, Optional<String>> hostOfRegion, Function<String, Set<String>> addresses) {
    this.addresses = addresses;
    this.hostOfRegion = hostOfRegion;
  }

  void add(Component component, FileBlocks file) {
    Optional<String> host =
        component == Component.WAL ? serverOf(file.path()) : regionOf(file.path());
    if (host.isEmpty()) {
      return;
    }
    files++;
    for (FileBlocks.Block block : file.blocks()) {
      bytes += block.length();
      Optional<StorageType> local = block.on(names.computeIfAbsent(host.get(), this::names));
      sought.add(host.get());
      if (local.isPresent()) {
        matched.add(host.get());
      }
      localBytes += local.isPresent() ? block.length() : 0;
      localSsdBytes += local.equals(Optional.of(StorageType.SSD)) ? block.length() : 0;
    }
  }

  private Set<String> names(String host) {
    Set<String> all = new HashSet<>(addresses.apply(host));
    all.add(host);
    return all;
  }

  private static Set<String> resolve(String host) {
    try {
      return Arrays.stream(InetAddress.getAllByName(host))
          .map(InetAddress::getHostAddress)
          .collect(Collectors.toSet());
    } catch (UnknownHostException e) {
      return Set.of();
    }
  }

  /**
   * Hosts of servers that match no DataNode with one of their files, so that none of their bytes
   * can be local.
   */
  Set<String> unmatched() {
    Set<String> none = new TreeSet<>(sought);
    none.removeAll(matched);
    return none;
  }

  String warning() {
    Set<String> none = unmatched();
    return none.isEmpty() ? "" : "names match no DataNode: " + Text.some(none, NAMED);
  }

  /** {@code WALs/<host>,<port>,<start>/<file>}. */
  private static Optional<String> serverOf(Path wal) {
    String server = wal.getParent().getName();
    int comma = server.indexOf(',');
    return comma > 0 ? Optional.of(server.substring(0, comma)) : Optional.empty();
  }

  /** {@code <region>/<family>/<file>}. */
  private Optional<String> regionOf(Path file) {
    Path region = file.getParent() == null ? null : file.getParent().getParent();
    return region == null ? Optional.empty() : hostOfRegion.apply(region.getName());
  }

  long files() {
    return files;
  }

  long bytes() {
    return bytes;
  }

  long localSsdBytes() {
    return localSsdBytes;
  }

  Map<String, Object> toJson() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("files", files);
    json.put("bytes", bytes);
    json.put("localBytes", localBytes);
    json.put("localSsdBytes", localSsdBytes);
    json.put("unmatchedHosts", new ArrayList<>(unmatched()));
    return json;
  }
}
