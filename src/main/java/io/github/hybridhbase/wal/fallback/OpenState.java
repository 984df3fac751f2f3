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

import io.github.hybridhbase.hdfs.HdfsErrorKind;
import java.util.List;
import org.apache.hadoop.fs.StorageType;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * How far the opening of a WAL has come, and what follows from a failure: pure. Immutable.
 *
 * <p>A refusal always leads to a further step until none is left, whatever the time: each step has
 * few tries. Only waiting for the NameNode is bounded by time, in all steps together, so that
 * whatever is left when it comes back, both media are tried.
 */
@InterfaceAudience.Private
final class OpenState {
  static final int TRIES = 4;

  /** What to do. */
  enum Step {
    /** Try as the directory says, without the DataNodes on HBase's exclude list. */
    SSD,
    /** The same, with an exclude list that holds only what this opening has met as silent. */
    SSD_AFRESH,
    /** Turn the directory to HOT and try without the silent DataNodes, by the quick client. */
    DISK_WITHOUT_SILENT,
    /** Turn the directory to HOT and try with HBase's own client and exclude list. */
    DISK,
    /** The same with an empty exclude list. */
    DISK_AFRESH,
    /** Pause, then the same step again: the NameNode cannot be asked. */
    WAIT,
    /** Tell HBase that the WAL cannot be opened. */
    GIVE_UP;

    boolean onDisk() {
      return this == DISK_WITHOUT_SILENT || this == DISK || this == DISK_AFRESH;
    }

    /** Whether it is tried by the client that gives up at once. */
    boolean isQuick() {
      return this == SSD || this == SSD_AFRESH || this == DISK_WITHOUT_SILENT;
    }
  }

  private final Step step;
  private final int tries;
  private final boolean hbaseExcludes;
  private final int silent;
  private final boolean refused;
  private final boolean diskForSsd;
  private final long ssdNanosLeft;
  private final long nameNodeNanosLeft;

  /**
   * @param step what was tried last
   * @param tries how often that was tried; the NameNode's absences do not count
   * @param hbaseExcludes whether HBase's exclude list held a DataNode when the opening began
   * @param silent DataNodes that have not answered in time so far
   * @param refused whether anything was refused so far with the exclude list that this step has
   *     ({@link HdfsErrorKind#isRefusal})
   * @param diskForSsd whether HDFS gives DISK for each replica that SSD has no space for, and no
   *     refusal stays unknown
   * @param ssdNanosLeft nanoseconds that may still be spent on SSD, negative where over
   * @param nameNodeNanosLeft nanoseconds until the deadline of the opening, negative where over
   */
  OpenState(
      Step step,
      int tries,
      boolean hbaseExcludes,
      int silent,
      boolean refused,
      boolean diskForSsd,
      long ssdNanosLeft,
      long nameNodeNanosLeft) {
    this.step = step;
    this.tries = tries;
    this.hbaseExcludes = hbaseExcludes;
    this.silent = silent;
    this.refused = refused;
    this.diskForSsd = diskForSsd;
    this.ssdNanosLeft = ssdNanosLeft;
    this.nameNodeNanosLeft = nameNodeNanosLeft;
  }

  /** What to do after the last try failed for this cause. */
  Step next(HdfsErrorKind cause) {
    if (cause.isFinal()) {
      return Step.GIVE_UP;
    }
    if (cause.isNameNodes()) {
      return nameNodeNanosLeft > 0 ? Step.WAIT : Step.GIVE_UP;
    }
    boolean ssdTime = ssdNanosLeft >= 0;
    switch (step) {
      case SSD:
        if (cause.isOfOneNode() && tries < TRIES && ssdTime) {
          return step;
        }
        // What other files met may have put every DataNode on HBase's exclude list, for hours.
        return hbaseExcludes && ssdTime ? Step.SSD_AFRESH : offSsd(silent > 0);
      case SSD_AFRESH:
        return cause.isOfOneNode() && tries < TRIES && ssdTime ? step : offSsd(silent > 0);
      case DISK_WITHOUT_SILENT:
        return Step.DISK;
      case DISK:
        return Step.DISK_AFRESH;
      default:
        return Step.GIVE_UP;
    }
  }

  /** Where to go once SSD is given up: HBase's own client waits a minute for each silent node. */
  static Step offSsd(boolean anySilent) {
    return anySilent ? Step.DISK_WITHOUT_SILENT : Step.DISK;
  }

  /**
   * Whether a file is good enough: always on DISK, and on SSD where it has as many replicas as
   * usual, or SSD refused none of those that are missing: silent DataNodes owe them, or HDFS has no
   * DataNode for them on DISK either.
   *
   * @param media of each replica; empty where that is not known
   */
  boolean keeps(List<StorageType> media, int usual) {
    int replicas = media.size();
    if (step.onDisk() || replicas == 0 || replicas >= usual) {
      return true;
    }
    return !refused && (replicas + silent >= usual || diskForSsd && isAllThereIs(media));
  }

  /** HBase's own exclude list may keep DataNodes from the block. */
  private boolean isAllThereIs(List<StorageType> media) {
    return (step == Step.SSD_AFRESH || !hbaseExcludes)
        && media.stream().allMatch(type -> type == StorageType.SSD);
  }
}
