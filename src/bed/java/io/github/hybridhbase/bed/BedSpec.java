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
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * What a bed is made of. Immutable; every method answers a changed copy. By default three
 * DataNodes, each with an SSD and a DISK directory, one NameNode, ZooKeeper, master and
 * RegionServer, and stock HBase.
 */
@InterfaceAudience.Private
public final class BedSpec implements Cloneable {
  final Line line;
  int dataNodes = 3;
  int racks = 1;
  int ssdMegabytes;
  int masters = 1;
  int regionServers = 1;
  int nameNodes = 1;
  Web web = Web.LOOPBACK;
  boolean remoteDataNode;

  /** Null for stock HBase, as is {@link #site}. */
  Path plugin;

  Path site;
  Map<String, String> keys = Map.of();

  /** Files for every directory of site files. */
  List<Path> files = List.of();

  /** What every JVM is started with as well. */
  List<String> flags = List.of();

  private int ssdDataNodes = Integer.MAX_VALUE;
  private List<String> media = List.of("SSD", "DISK");
  private Map<String, Path> devices = Map.of();
  private Map<Role, Long> heaps = Map.of();

  private BedSpec(Line line) {
    this.line = Objects.requireNonNull(line);
  }

  public static BedSpec of(Line line) {
    return new BedSpec(line);
  }

  private BedSpec with(Consumer<BedSpec> change) {
    try {
      BedSpec copy = (BedSpec) clone();
      change.accept(copy);
      return copy;
    } catch (CloneNotSupportedException e) {
      throw new AssertionError(e);
    }
  }

  static <K, V> Map<K, V> with(Map<K, V> some, Map<K, V> more) {
    Map<K, V> all = new LinkedHashMap<>(some);
    all.putAll(more);
    return all;
  }

  public BedSpec dataNodes(int count) {
    return with(copy -> copy.dataNodes = atLeast(1, count));
  }

  /** One volume of each medium in every DataNode, by HDFS's names: SSD, DISK, ARCHIVE … */
  public BedSpec media(List<String> names) {
    return with(copy -> copy.media = List.copyOf(names));
  }

  /**
   * SSD in this many DataNodes only, the first ones; all by default. The others have no volume in
   * its place.
   */
  public BedSpec ssdDataNodes(int count) {
    return with(copy -> copy.ssdDataNodes = atLeast(0, count));
  }

  /** How many racks the DataNodes are in, one after the other; 1 by default. */
  public BedSpec racks(int count) {
    return with(copy -> copy.racks = atLeast(1, count));
  }

  /** The media of a DataNode, by its process's name. */
  List<String> media(String dataNode) {
    int number = Integer.parseInt(dataNode.substring(Role.DATANODE.name(0).length() - 1));
    return number < ssdDataNodes
        ? media
        : media.stream().filter(medium -> !medium.equals("SSD")).collect(Collectors.toList());
  }

  /**
   * Puts the volumes of a medium below a directory of somebody else's, each below its DataNode's
   * name; nobody but the caller removes them.
   */
  public BedSpec device(String medium, Path directory) {
    return with(copy -> copy.devices = with(devices, Map.of(medium, directory.toAbsolutePath())));
  }

  /** Where a DataNode has its volume of a medium: in its own directory, where nothing is said. */
  Path volume(Path dataNode, String medium) {
    Path device = devices.get(medium);
    Path parent = device == null ? dataNode : device.resolve(dataNode.getFileName());
    return BedSite.volume(parent, medium);
  }

  /** Gives all processes of a role this heap. */
  public BedSpec heap(Role role, long megabytes) {
    return with(copy -> copy.heaps = with(heaps, Map.of(role, megabytes)));
  }

  long heap(Role role) {
    return heaps.getOrDefault(role, (long) role.megabytes());
  }

  /**
   * Makes each SSD a file system of its own, in memory, which needs root.
   *
   * @param megabytes its size; 0, as by default, for a plain directory
   */
  public BedSpec ssdMegabytes(int megabytes) {
    return with(copy -> copy.ssdMegabytes = atLeast(0, megabytes));
  }

  public BedSpec masters(int count) {
    return with(copy -> copy.masters = atLeast(0, count));
  }

  public BedSpec regionServers(int count) {
    return with(copy -> copy.regionServers = atLeast(0, count));
  }

  /** Two NameNodes with one directory of edits; the first one is made active. No ZKFC. */
  public BedSpec twoNameNodes() {
    return with(copy -> copy.nameNodes = 2);
  }

  /** Two of them, whose web servers listen where it says. */
  BedSpec twoNameNodes(Web web) {
    return twoNameNodes().with(copy -> copy.web = web);
  }

  /** What the site files have as web addresses of two NameNodes. */
  enum Web {
    LOOPBACK,

    /** The wildcard address. */
    ANYWHERE,

    /** Nothing, so that HDFS's ports count; each NameNode has an address of its own. */
    DEFAULT
  }

  /** Has JVMs compile once only: they start within half of the processor time. */
  BedSpec quick() {
    return with(copy -> copy.flags = List.of("-XX:TieredStopAtLevel=1"));
  }

  /**
   * Runs the last DataNode in a {@link PrivateNetwork}, from which it can be cut off. Needs root.
   */
  public BedSpec remoteDataNode() {
    return with(copy -> copy.remoteDataNode = true);
  }

  /**
   * Puts the plugin on the class path of masters and RegionServers.
   *
   * @param classes its jar, or a directory of its classes
   * @param siteFile what enables it, {@code conf/hbase-site.xml}
   */
  public BedSpec plugin(Path classes, Path siteFile) {
    return with(
        copy -> {
          copy.plugin = classes.toAbsolutePath();
          copy.site = siteFile.toAbsolutePath();
        });
  }

  /** HDFS and HBase with Kerberos, and HDFS's web servers with TLS. */
  BedSpec kerberos(Kerberos of) {
    return with(
        copy -> {
          copy.keys = with(keys, of.keys());
          copy.files = of.files();
          copy.flags = of.flags();
        });
  }

  /** Sets a key for all processes, over everything else. */
  public BedSpec set(String key, String value) {
    return with(copy -> copy.keys = with(keys, Map.of(key, value)));
  }

  /** Files for every directory of site files. */
  BedSpec files(List<Path> some) {
    return with(copy -> copy.files = List.copyOf(some));
  }

  private static int atLeast(int least, int count) {
    if (count < least) {
      throw new IllegalArgumentException(count + " is less than " + least);
    }
    return count;
  }
}
