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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * What a bed is made of. Immutable; every method answers a changed copy. By default three
 * DataNodes, each with an SSD and a DISK directory, one NameNode, ZooKeeper, master and
 * RegionServer, and stock HBase.
 */
@InterfaceAudience.Private
public final class BedSpec {
  private final Line line;
  private int dataNodes = 3;
  private int ssdDataNodes = Integer.MAX_VALUE;
  private int racks = 1;
  private List<String> media = List.of("SSD", "DISK");
  private Map<String, Path> devices = Map.of();
  private Map<Role, Long> heaps = Map.of();
  private int ssdMegabytes;
  private int masters = 1;
  private int regionServers = 1;
  private boolean twoNameNodes;
  private boolean quick;
  private boolean remoteDataNode;
  private boolean remoteRegionServers;
  private Path plugin;
  private Path site;
  private List<Path> beside = List.of();
  private Kerberos kerberos;
  private final Map<String, String> keys = new LinkedHashMap<>();

  private BedSpec(Line line) {
    this.line = Objects.requireNonNull(line);
  }

  private BedSpec(BedSpec that) {
    line = that.line;
    dataNodes = that.dataNodes;
    ssdDataNodes = that.ssdDataNodes;
    racks = that.racks;
    media = that.media;
    devices = that.devices;
    heaps = that.heaps;
    ssdMegabytes = that.ssdMegabytes;
    masters = that.masters;
    regionServers = that.regionServers;
    twoNameNodes = that.twoNameNodes;
    quick = that.quick;
    remoteDataNode = that.remoteDataNode;
    remoteRegionServers = that.remoteRegionServers;
    plugin = that.plugin;
    site = that.site;
    beside = that.beside;
    kerberos = that.kerberos;
    keys.putAll(that.keys);
  }

  public static BedSpec of(Line line) {
    return new BedSpec(line);
  }

  Line line() {
    return line;
  }

  public BedSpec dataNodes(int count) {
    BedSpec copy = new BedSpec(this);
    copy.dataNodes = atLeast(1, count);
    return copy;
  }

  int dataNodes() {
    return dataNodes;
  }

  /** One volume of each medium in every DataNode, by HDFS's names: SSD, DISK, ARCHIVE … */
  public BedSpec media(List<String> names) {
    BedSpec copy = new BedSpec(this);
    copy.media = List.copyOf(names);
    return copy;
  }

  /**
   * SSD in this many DataNodes only, the first ones; all by default. The others have no volume in
   * its place.
   */
  public BedSpec ssdDataNodes(int count) {
    BedSpec copy = new BedSpec(this);
    copy.ssdDataNodes = atLeast(0, count);
    return copy;
  }

  /** How many racks the DataNodes are in, one after the other; 1 by default. */
  public BedSpec racks(int count) {
    BedSpec copy = new BedSpec(this);
    copy.racks = atLeast(1, count);
    return copy;
  }

  int racks() {
    return racks;
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
    BedSpec copy = new BedSpec(this);
    Map<String, Path> more = new LinkedHashMap<>(devices);
    more.put(medium, directory.toAbsolutePath());
    copy.devices = Map.copyOf(more);
    return copy;
  }

  /** Where a DataNode has its volume of a medium: in its own directory, where nothing is said. */
  Path volume(Path dataNode, String medium) {
    Path device = devices.get(medium);
    Path parent = device == null ? dataNode : device.resolve(dataNode.getFileName());
    return BedSite.volume(parent, medium);
  }

  /** Gives all processes of a role this heap. */
  public BedSpec heap(Role role, long megabytes) {
    BedSpec copy = new BedSpec(this);
    Map<Role, Long> more = new HashMap<>(heaps);
    more.put(role, megabytes);
    copy.heaps = Map.copyOf(more);
    return copy;
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
    BedSpec copy = new BedSpec(this);
    copy.ssdMegabytes = atLeast(0, megabytes);
    return copy;
  }

  int ssdMegabytes() {
    return ssdMegabytes;
  }

  public BedSpec masters(int count) {
    BedSpec copy = new BedSpec(this);
    copy.masters = atLeast(0, count);
    return copy;
  }

  int masters() {
    return masters;
  }

  public BedSpec regionServers(int count) {
    BedSpec copy = new BedSpec(this);
    copy.regionServers = atLeast(0, count);
    return copy;
  }

  int regionServers() {
    return regionServers;
  }

  /** Two NameNodes with one directory of edits; the first one is made active. No ZKFC. */
  public BedSpec twoNameNodes() {
    BedSpec copy = new BedSpec(this);
    copy.twoNameNodes = true;
    return copy;
  }

  int nameNodes() {
    return twoNameNodes ? 2 : 1;
  }

  /** Has JVMs compile once only: they start within half of the processor time. */
  BedSpec quick() {
    BedSpec copy = new BedSpec(this);
    copy.quick = true;
    return copy;
  }

  /**
   * Runs the last DataNode in a {@link PrivateNetwork}, from which it can be cut off. Needs root.
   */
  public BedSpec remoteDataNode() {
    BedSpec copy = new BedSpec(this);
    copy.remoteDataNode = true;
    return copy;
  }

  boolean hasRemoteDataNode() {
    return remoteDataNode;
  }

  /**
   * Runs all RegionServers beside that DataNode, which to HDFS is the one on their machine; all
   * other DataNodes are on another.
   */
  public BedSpec regionServersBesideIt() {
    BedSpec copy = remoteDataNode();
    copy.remoteRegionServers = true;
    return copy;
  }

  boolean hasRemoteRegionServers() {
    return remoteRegionServers;
  }

  /**
   * Puts the plugin on the class path of masters and RegionServers.
   *
   * @param classes its jar, or a directory of its classes
   * @param siteFile what enables it, {@code conf/hbase-site.xml}
   */
  public BedSpec plugin(Path classes, Path siteFile) {
    BedSpec copy = new BedSpec(this);
    copy.plugin = classes.toAbsolutePath();
    copy.site = siteFile.toAbsolutePath();
    return copy;
  }

  /** Null for stock HBase. */
  Path plugin() {
    return plugin;
  }

  /** Null for stock HBase. */
  Path site() {
    return site;
  }

  /** Puts jars behind those of HBase on the class path of masters and RegionServers. */
  public BedSpec beside(List<Path> jars) {
    BedSpec copy = new BedSpec(this);
    copy.beside = List.copyOf(jars);
    return copy;
  }

  List<Path> beside() {
    return beside;
  }

  /** HDFS and HBase with Kerberos, and HDFS's web servers with TLS. */
  BedSpec kerberos(Kerberos of) {
    BedSpec copy = new BedSpec(this);
    copy.kerberos = of;
    copy.keys.putAll(of.keys());
    return copy;
  }

  /** Files for every directory of site files. */
  List<Path> files() {
    return kerberos == null ? List.of() : kerberos.files();
  }

  /** What every JVM is started with as well. */
  List<String> flags() {
    List<String> flags = new ArrayList<>(kerberos == null ? List.of() : kerberos.flags());
    if (quick) {
      flags.add("-XX:TieredStopAtLevel=1");
    }
    return flags;
  }

  /** Sets a key for all processes, over everything else. */
  public BedSpec set(String key, String value) {
    BedSpec copy = new BedSpec(this);
    copy.keys.put(key, value);
    return copy;
  }

  Map<String, String> keys() {
    return Map.copyOf(keys);
  }

  private static int atLeast(int least, int count) {
    if (count < least) {
      throw new IllegalArgumentException(count + " is less than " + least);
    }
    return count;
  }
}
