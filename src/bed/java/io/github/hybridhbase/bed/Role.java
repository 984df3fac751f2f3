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

import org.apache.yetus.audience.InterfaceAudience;

/** What a process of a bed is. */
@InterfaceAudience.Private
public enum Role {
  NAMENODE("nn", "org.apache.hadoop.hdfs.server.namenode.NameNode", 256),
  DATANODE("dn", "org.apache.hadoop.hdfs.server.datanode.DataNode", 192),
  ZOOKEEPER("zk", "org.apache.hadoop.hbase.zookeeper.HQuorumPeer", 128),
  MASTER("m", "org.apache.hadoop.hbase.master.HMaster", 384),
  REGIONSERVER("rs", "org.apache.hadoop.hbase.regionserver.HRegionServer", 512);

  private final String prefix;
  private final String main;
  private final int megabytes;

  Role(String prefix, String main, int megabytes) {
    this.prefix = prefix;
    this.main = main;
    this.megabytes = megabytes;
  }

  /** Name of the process of that number, from 0: {@code dn2}. */
  public String name(int number) {
    return prefix + number;
  }

  /** The role of a process by its name. */
  static Role of(String name) {
    String wanted = name.replaceAll("\\d+$", "");
    for (Role role : values()) {
      if (role.prefix.equals(wanted)) {
        return role;
      }
    }
    throw new IllegalArgumentException("no process is called " + name);
  }

  String main() {
    return main;
  }

  String[] arguments() {
    return runsPlugin() ? new String[] {"start"} : new String[0];
  }

  /** Its heap. */
  int megabytes() {
    return megabytes;
  }

  /** Whether the plugin is on its class path. */
  boolean runsPlugin() {
    return this == MASTER || this == REGIONSERVER;
  }
}
