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
package io.github.hybridhbase.runtime;

import java.util.Collection;
import java.util.Collections;
import java.util.Optional;
import org.apache.hadoop.fs.StorageType;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * An HDFS storage policy that may be declared, with HDFS's id ({@code
 * org.apache.hadoop.hdfs.protocol.HdfsConstants.StoragePolicy}).
 */
@InterfaceAudience.Public
public enum StoragePolicy {
  ALL_SSD(12),
  ONE_SSD(10),
  HOT(7),
  WARM(5),
  COLD(2),
  /** Leaves the component alone; not an HDFS policy. */
  NONE(-1);

  /** HDFS's id for a path without a policy. */
  public static final byte UNSPECIFIED = 0;

  private final byte id;

  StoragePolicy(int id) {
    this.id = (byte) id;
  }

  /**
   * @throws IllegalStateException for {@link #NONE}
   */
  public byte id() {
    if (this == NONE) {
      throw new IllegalStateException("NONE is not an HDFS storage policy");
    }
    return id;
  }

  public boolean wantsSsd() {
    return this == ALL_SSD || this == ONE_SSD;
  }

  public static boolean isForSsd(byte id) {
    return ofId(id).map(StoragePolicy::wantsSsd).orElse(false);
  }

  public static Optional<StoragePolicy> ofId(byte id) {
    for (StoragePolicy policy : values()) {
      if (policy != NONE && policy.id == id) {
        return Optional.of(policy);
      }
    }
    return Optional.empty();
  }

  public static String describe(byte id) {
    if (id == UNSPECIFIED) {
      return "unspecified";
    }
    return ofId(id).map(Enum::name).orElse("policy#" + id);
  }

  /**
   * Replicas on a medium that this policy excludes there.
   *
   * @param replicas of one block, in any order
   */
  public int misplaced(Collection<StorageType> replicas) {
    int ssd = Collections.frequency(replicas, StorageType.SSD);
    int disk = Collections.frequency(replicas, StorageType.DISK);
    int archive = Collections.frequency(replicas, StorageType.ARCHIVE);
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
