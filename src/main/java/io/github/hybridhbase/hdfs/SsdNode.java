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

import org.apache.yetus.audience.InterfaceAudience;

/** A DataNode with SSD, as input of {@link FavouredNodes}. Immutable. */
@InterfaceAudience.Private
final class SsdNode {
  private final String address;
  private final String rack;
  private final boolean local;
  private final boolean doubtful;
  private final long lastUse;

  /**
   * @param address IP address and port, the NameNode's key
   * @param rack network location, such as {@code /rack1}
   * @param local whether it runs on this host
   * @param doubtful whether it recently took no replica, or lacks space
   * @param lastUse ordinal of its last choice; below all others if never chosen
   */
  SsdNode(String address, String rack, boolean local, boolean doubtful, long lastUse) {
    this.address = address;
    this.rack = rack;
    this.local = local;
    this.doubtful = doubtful;
    this.lastUse = lastUse;
  }

  String address() {
    return address;
  }

  String rack() {
    return rack;
  }

  boolean isLocal() {
    return local;
  }

  boolean isDoubtful() {
    return doubtful;
  }

  long lastUse() {
    return lastUse;
  }

  @Override
  public String toString() {
    return address + rack;
  }
}
