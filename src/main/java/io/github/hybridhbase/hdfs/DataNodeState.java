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

import io.github.hybridhbase.hdfs.WebClient.Jmx;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.AdminStates;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorageReport;
import org.apache.hadoop.hdfs.server.protocol.StorageReport;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import org.apache.yetus.audience.InterfaceAudience;

/** A live DataNode as the NameNode or its own {@code /jmx} reports it. Immutable. */
@InterfaceAudience.Private
public final class DataNodeState {
  /** A volume in use. Bytes, 0 if unknown. Immutable. */
  static final class Volume {
    final StorageType type;
    final long capacity;
    final long used;
    final long free;

    Volume(StorageType type, long capacity, long used, long free) {
      this.type = type;
      this.capacity = capacity;
      this.used = used;
      this.free = free;
    }
  }

  /** Host and transfer port. */
  public final String name;

  /** As {@code /rack1}. */
  public final String rack;

  /** As {@code In Service}. */
  public final String state;

  /** Transfer threads at its last heartbeat; empty if unknown. */
  public final OptionalInt load;

  /** IP address and transfer port, the NameNode's key; "" if unknown. */
  final String address;

  /** {@code http(s)://host:port}; "" if unknown. */
  final String web;

  /** Empty if unknown. */
  final List<Volume> volumes;

  /** Milliseconds of its last heartbeat by the NameNode's clock, comparable within one reading. */
  final long heard;

  private DataNodeState(
      String name,
      String rack,
      String state,
      OptionalInt load,
      String address,
      String web,
      List<Volume> volumes,
      long heard) {
    this.name = name;
    this.rack = rack;
    this.state = state;
    this.load = load;
    this.address = address;
    this.web = web;
    this.volumes = List.copyOf(volumes);
    this.heard = heard;
  }

  /**
   * @param types empty if unknown
   */
  public DataNodeState(
      String name, String rack, String state, Collection<StorageType> types, OptionalInt load) {
    this(
        name,
        rack,
        state,
        load,
        "",
        "",
        types.stream().map(type -> new Volume(type, 0, 0, 0)).collect(Collectors.toList()),
        0);
  }

  DataNodeState at(String ipAndPort) {
    return new DataNodeState(name, rack, state, load, ipAndPort, web, volumes, heard);
  }

  /**
   * @param before null if there was none
   */
  DataNodeState orVolumesOf(DataNodeState before) {
    return volumes.isEmpty() && before != null
        ? new DataNodeState(name, rack, state, load, address, web, before.volumes, heard)
        : this;
  }

  static DataNodeState of(DatanodeStorageReport report) {
    DatanodeInfo info = report.getDatanodeInfo();
    List<Volume> volumes = new ArrayList<>();
    for (StorageReport storage : report.getStorageReports()) {
      if (!storage.isFailed()) {
        volumes.add(
            new Volume(
                storage.getStorage().getStorageType(),
                storage.getCapacity(),
                storage.getDfsUsed(),
                storage.getRemaining()));
      }
    }
    return new DataNodeState(
        info.getXferAddrWithHostname(),
        info.getNetworkLocation(),
        info.getAdminState().toString(),
        OptionalInt.of(info.getXceiverCount()),
        info.getXferAddr(),
        web(info.getInfoPort(), info.getInfoAddr(), info.getInfoSecureAddr()),
        volumes,
        info.getLastUpdate());
  }

  private static String web(int plainPort, String plain, String secure) {
    return plainPort > 0 ? "http://" + plain : "https://" + secure;
  }

  /**
   * @param listed its entry in the NameNode's {@code LiveNodes}
   */
  static DataNodeState of(String name, JsonObject listed) {
    String plain = listed.get("infoAddr").getAsString();
    return new DataNodeState(
        name,
        listed.get("location").getAsString(),
        listed.get("adminState").getAsString(),
        OptionalInt.empty(),
        listed.get("xferaddr").getAsString(),
        web(plain.endsWith(":0") ? 0 : 1, plain, listed.get("infoSecureAddr").getAsString()),
        List.of(),
        -1_000 * (listed.has("lastContact") ? listed.get("lastContact").getAsLong() : 0));
  }

  /** A copy with load and volumes of its own {@code DataNodeInfo}, if valid. */
  DataNodeState with(String jmx) {
    // Several DataNodes in one JVM share its beans.
    if (Jmx.attribute(jmx, "DataPort").filter(name::endsWith).isEmpty()) {
      return this;
    }
    try {
      // Older Hadoop uses the other name.
      OptionalInt threads =
          Stream.of("ActiveTransferThreadCount", "XceiverCount")
              .flatMap(attribute -> Jmx.attribute(jmx, attribute).stream())
              .mapToInt(Integer::parseInt)
              .findFirst();
      List<Volume> found = new ArrayList<>();
      String info = Jmx.attribute(jmx, "VolumeInfo").orElse("{}");
      for (Map.Entry<String, JsonElement> entry :
          JsonParser.parseString(info).getAsJsonObject().entrySet()) {
        JsonObject volume = entry.getValue().getAsJsonObject();
        long used = bytes(volume, "usedSpace");
        long free = bytes(volume, "freeSpace");
        found.add(
            new Volume(
                StorageType.valueOf(volume.get("storageType").getAsString()),
                used + free,
                used,
                free));
      }
      return new DataNodeState(name, rack, state, threads, address, web, found, heard);
    } catch (RuntimeException e) {
      return this;
    }
  }

  private static long bytes(JsonObject volume, String key) {
    return volume.has(key) ? volume.get(key).getAsLong() : 0;
  }

  public boolean inService() {
    return state.equals(AdminStates.NORMAL.toString());
  }

  boolean inMaintenance() {
    return state.equals(AdminStates.IN_MAINTENANCE.toString());
  }

  /** Empty if unknown. */
  public Set<StorageType> types() {
    Set<StorageType> types = EnumSet.noneOf(StorageType.class);
    volumes.forEach(volume -> types.add(volume.type));
    return types;
  }

  public boolean hasSsd() {
    return of(StorageType.SSD).findAny().isPresent();
  }

  boolean hasDisk() {
    return of(StorageType.DISK).anyMatch(volume -> volume.capacity > 0);
  }

  long ssd(ToLongFunction<Volume> bytes) {
    return of(StorageType.SSD).mapToLong(bytes).sum();
  }

  /** Of its emptiest SSD volume, since a block needs one. */
  OptionalLong ssdRemaining() {
    return of(StorageType.SSD).mapToLong(volume -> volume.free).max();
  }

  private Stream<Volume> of(StorageType type) {
    return volumes.stream().filter(volume -> volume.type == type);
  }

  @Override
  public String toString() {
    return name + " (" + rack + ", " + state + ", " + types() + ", load " + load + ")";
  }
}
