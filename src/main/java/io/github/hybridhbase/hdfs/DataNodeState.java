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
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.AdminStates;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorageReport;
import org.apache.hadoop.hdfs.server.protocol.StorageReport;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A live DataNode as the NameNode or its own {@code /jmx} reports it. Bytes are of its SSDs and 0
 * if unknown. Immutable.
 */
@InterfaceAudience.Private
public final class DataNodeState {
  /** Host and transfer port. */
  public final String name;

  /** As {@code /rack1}. */
  public final String rack;

  /** As {@code In Service}. */
  public final String state;

  /** Since its last heartbeat. */
  public final long silentSeconds;

  /** Empty if unknown. */
  public final Set<StorageType> types;

  public final long capacity;
  public final long used;
  public final long free;

  /** Free on its emptiest SSD, since a block needs one. */
  public final long remaining;

  /** IP address and transfer port, the NameNode's key; "" if unknown. */
  final String address;

  /** {@code http(s)://host:port}; "" if unknown. */
  final String web;

  private final List<StorageReport> volumes;

  /**
   * @param volumes in use; empty if unknown
   */
  public DataNodeState(
      String name,
      String rack,
      String state,
      long silentSeconds,
      String address,
      String web,
      List<StorageReport> volumes) {
    this.name = name;
    this.rack = rack;
    this.state = state;
    this.silentSeconds = silentSeconds;
    this.address = address;
    this.web = web;
    this.volumes = volumes;
    this.types =
        volumes.stream()
            .map(volume -> volume.getStorage().getStorageType())
            .collect(Collectors.toUnmodifiableSet());
    this.capacity = ssd(StorageReport::getCapacity).sum();
    this.used = ssd(StorageReport::getDfsUsed).sum();
    this.free = ssd(StorageReport::getRemaining).sum();
    this.remaining = ssd(StorageReport::getRemaining).max().orElse(0);
  }

  private LongStream ssd(ToLongFunction<StorageReport> bytes) {
    return volumes.stream()
        .filter(volume -> volume.getStorage().getStorageType() == StorageType.SSD)
        .mapToLong(bytes);
  }

  /**
   * @param now milliseconds by the NameNode's clock
   */
  static DataNodeState of(DatanodeStorageReport report, long now) {
    DatanodeInfo info = report.getDatanodeInfo();
    return new DataNodeState(
        info.getXferAddrWithHostname(),
        info.getNetworkLocation(),
        info.getAdminState().toString(),
        (now - info.getLastUpdate()) / 1_000,
        info.getXferAddr(),
        web(info.getInfoPort(), info.getInfoAddr(), info.getInfoSecureAddr()),
        Arrays.stream(report.getStorageReports())
            .filter(storage -> !storage.isFailed())
            .collect(Collectors.toList()));
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
        number(listed, "lastContact"),
        listed.get("xferaddr").getAsString(),
        web(plain.endsWith(":0") ? 0 : 1, plain, listed.get("infoSecureAddr").getAsString()),
        List.of());
  }

  private DataNodeState with(List<StorageReport> found) {
    return new DataNodeState(name, rack, state, silentSeconds, address, web, found);
  }

  /**
   * @param before null if there was none
   */
  DataNodeState orVolumesOf(DataNodeState before) {
    return volumes.isEmpty() && before != null ? with(before.volumes) : this;
  }

  /** A copy with the volumes of its own {@code DataNodeInfo}, if valid. */
  DataNodeState with(String jmx) {
    // Several DataNodes in one JVM share its beans.
    if (Jmx.attribute(jmx, "DataPort").filter(name::endsWith).isEmpty()) {
      return this;
    }
    try {
      List<StorageReport> found = new ArrayList<>();
      String info = Jmx.attribute(jmx, "VolumeInfo").orElse("{}");
      for (Map.Entry<String, JsonElement> entry :
          JsonParser.parseString(info).getAsJsonObject().entrySet()) {
        JsonObject volume = entry.getValue().getAsJsonObject();
        found.add(
            volume(
                StorageType.valueOf(volume.get("storageType").getAsString()),
                number(volume, "usedSpace"),
                number(volume, "freeSpace")));
      }
      return with(found);
    } catch (RuntimeException e) {
      return this;
    }
  }

  public static StorageReport volume(StorageType type, long used, long free) {
    DatanodeStorage storage = new DatanodeStorage("", DatanodeStorage.State.NORMAL, type);
    return new StorageReport(storage, false, used + free, used, free, used, 0);
  }

  private static long number(JsonObject object, String key) {
    return object.has(key) ? object.get(key).getAsLong() : 0;
  }

  public boolean inService() {
    return state.equals(AdminStates.NORMAL.toString());
  }

  boolean inMaintenance() {
    return state.equals(AdminStates.IN_MAINTENANCE.toString());
  }

  /** In maintenance or decommissioned, not on the way there. */
  boolean isOut() {
    return inMaintenance() || state.equals(AdminStates.DECOMMISSIONED.toString());
  }

  public boolean hasSsd() {
    return types.contains(StorageType.SSD);
  }

  @Override
  public String toString() {
    return name + " (" + rack + ", " + state + ", " + types + ")";
  }
}
