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
package io.github.hybridhbase.config;

import java.util.Collection;
import java.util.Optional;
import org.apache.hadoop.fs.StorageType;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The HDFS storage policies that a component may be declared to have, with the ids HDFS gives them
 * ({@code org.apache.hadoop.hdfs.protocol.HdfsConstants.StoragePolicy}).
 */
@InterfaceAudience.Public
public enum StoragePolicy {
  /** Every replica on SSD. */
  ALL_SSD(12),
  /** One replica on SSD, the others on DISK. */
  ONE_SSD(10),
  /** Every replica on DISK. */
  HOT(7),
  /** One replica on DISK, the others on ARCHIVE. */
  WARM(5),
  /** Every replica on ARCHIVE. */
  COLD(2),
  /** The plugin leaves the component alone. Not an HDFS policy. */
  NONE(-1);

  /** What HDFS reports for a path that has no policy of its own and inherits none. */
  public static final byte UNSPECIFIED = 0;

  private final byte id;

  StoragePolicy(int id) {
    this.id = (byte) id;
  }

  /** The id HDFS keeps for this policy. {@link #NONE} has none and must not be asked. */
  public byte id() {
    if (this == NONE) {
      throw new IllegalStateException("NONE is not an HDFS storage policy");
    }
    return id;
  }

  /** Whether blocks written under this policy are meant for SSD. */
  public boolean wantsSsd() {
    return this == ALL_SSD || this == ONE_SSD;
  }

  /** Whether blocks written under the policy with this HDFS id are meant for SSD. */
  public static boolean isForSsd(byte id) {
    return ofId(id).map(StoragePolicy::wantsSsd).orElse(false);
  }

  /** The policy with this HDFS id, empty where it is none of those named here. */
  public static Optional<StoragePolicy> ofId(byte id) {
    for (StoragePolicy policy : values()) {
      if (policy != NONE && policy.id == id) {
        return Optional.of(policy);
      }
    }
    return Optional.empty();
  }

  /** A name for people: the policy's name, {@code unspecified}, or {@code policy#ID}. */
  public static String describe(byte id) {
    if (id == UNSPECIFIED) {
      return "unspecified";
    }
    return ofId(id).map(Enum::name).orElse("policy#" + id);
  }

  /**
   * How many of these replicas are on a medium this policy does not want there.
   *
   * @param replicas the storage types of one block's replicas, in any order
   */
  public int misplaced(Collection<StorageType> replicas) {
    int ssd = 0;
    int disk = 0;
    int archive = 0;
    for (StorageType type : replicas) {
      if (type == StorageType.SSD) {
        ssd++;
      } else if (type == StorageType.DISK) {
        disk++;
      } else if (type == StorageType.ARCHIVE) {
        archive++;
      }
    }
    int all = replicas.size();
    switch (this) {
      case ALL_SSD:
        return all - ssd;
      case HOT:
        return all - disk;
      case COLD:
        return all - archive;
      case ONE_SSD:
        return all - Math.min(ssd, 1) - Math.min(disk, all - 1);
      case WARM:
        return all - Math.min(disk, 1) - Math.min(archive, all - 1);
      default:
        return 0;
    }
  }
}
