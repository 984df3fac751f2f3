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
package io.github.hybridhbase.wal.fallback;

import io.github.hybridhbase.hdfs.HdfsError;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The state of opening a WAL, and the next step after a failure. Pure; not thread-safe.
 *
 * <p>Only waiting for the NameNode is limited by time over all steps, so that both media are tried
 * whenever it returns.
 */
@InterfaceAudience.Private
final class OpenState {
  static final int TRIES = 4;

  /** On DISK by HBase's own client: one too many costs seconds, one too few the server. */
  private static final int LAST_TRIES = 2;

  enum Step {
    SSD,
    /** Without silent DataNodes. */
    DISK,
    /** By HBase's own client with an empty exclude list. */
    DISK_AFRESH
  }

  Step step;

  /** Of the step, without those that failed because of the NameNode. */
  int tries;

  /** DataNodes that did not respond in time, or stalled lately. */
  final Set<DatanodeInfo> silent = new HashSet<>();

  /** Failures that named DataNodes that did not respond. */
  int named;

  /** This step's exclude list has met a refusal. */
  boolean refused;

  boolean onDisk() {
    return step != Step.SSD;
  }

  /**
   * Null if none is left. The NameNode was waited for.
   *
   * @param ssdNanosLeft negative once over
   */
  Step next(HdfsError.Kind cause, long ssdNanosLeft) {
    if (cause.isNameNodes() || cause.isFinal()) {
      return null;
    }
    if (step == Step.SSD) {
      // Without the first ones that are silent SSD is tried again, however long that took.
      boolean time = ssdNanosLeft >= 0 || named == 1 && cause == HdfsError.Kind.NODE_SILENT;
      return cause.isOfOneNode() && tries < TRIES && time ? Step.SSD : Step.DISK;
    }
    // HBase's own client has tried in DISK if nothing is silent.
    boolean last = silent.isEmpty() || !cause.isOfOneNode() || tries >= LAST_TRIES;
    return step == Step.DISK || !last ? Step.DISK_AFRESH : null;
  }

  /**
   * Whether an opened file is good enough: on SSD it needs the usual replicas, unless silent
   * DataNodes owe the missing ones, or HDFS has no DataNode for them on DISK either.
   *
   * @param media empty if unknown
   * @param diskForSsd whether HDFS uses DISK for replicas without space on SSD, and every refusal
   *     is visible
   */
  boolean keeps(List<StorageType> media, int usual, boolean diskForSsd) {
    int replicas = media.size();
    return onDisk()
        || replicas == 0
        || replicas >= usual
        || !refused
            && (replicas + silent.size() >= usual
                || diskForSsd && media.stream().allMatch(type -> type == StorageType.SSD));
  }
}
