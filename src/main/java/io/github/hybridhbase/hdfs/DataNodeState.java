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

import java.util.EnumSet;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.AdminStates;
import org.apache.yetus.audience.InterfaceAudience;

/** A live DataNode in the NameNode's view. Immutable. */
@InterfaceAudience.Private
public final class DataNodeState {
  private final String name;
  private final String rack;
  private final String state;
  private final Set<StorageType> types;
  private final OptionalInt load;
  private final String address;
  private final OptionalLong ssdRemaining;

  /**
   * @param rack network location, as {@code /rack1}
   * @param state as HDFS prints it, as {@code In Service}
   * @param types media of its volumes; empty if unknown
   * @param load transfer threads; empty if unknown
   */
  public DataNodeState(
      String name, String rack, String state, Set<StorageType> types, OptionalInt load) {
    this(name, rack, state, types, load, "", OptionalLong.empty());
  }

  private DataNodeState(
      String name,
      String rack,
      String state,
      Set<StorageType> types,
      OptionalInt load,
      String address,
      OptionalLong ssdRemaining) {
    this.name = name;
    this.rack = rack;
    this.state = state;
    this.types = types.isEmpty() ? Set.of() : Set.copyOf(EnumSet.copyOf(types));
    this.load = load;
    this.address = address;
    this.ssdRemaining = ssdRemaining;
  }

  /**
   * @param ipAndPort of its transfer port, as the NameNode has it
   * @param remaining free bytes of its emptiest SSD volume; empty if unknown
   */
  DataNodeState at(String ipAndPort, OptionalLong remaining) {
    return new DataNodeState(name, rack, state, types, load, ipAndPort, remaining);
  }

  public String name() {
    return name;
  }

  public String rack() {
    return rack;
  }

  public String state() {
    return state;
  }

  public boolean inService() {
    return state.equals(AdminStates.NORMAL.toString());
  }

  public Set<StorageType> types() {
    return types;
  }

  public boolean hasSsd() {
    return types.contains(StorageType.SSD);
  }

  public OptionalInt load() {
    return load;
  }

  /** The NameNode's key; "" if unknown. */
  String address() {
    return address;
  }

  /** Bytes of the SSD volume with most free space; empty if unknown. */
  OptionalLong ssdRemaining() {
    return ssdRemaining;
  }

  @Override
  public String toString() {
    return name + " (" + rack + ", " + state + ", " + types + ", load " + load + ")";
  }
}
