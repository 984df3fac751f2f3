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
package io.github.hybridhbase.testing;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.FaultInjectorFileIoEvents;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider.OPERATION;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Counts what DataNodes write to their volumes, by medium: blocks, checksums and moves. Each
 * DataNode is to have SSD and DISK, one of each: a move within one tells its hook the volume that
 * it reads from, never the one it writes to.
 */
@InterfaceAudience.Private
public final class VolumeMeter extends FaultInjectorFileIoEvents {
  private final Map<StorageType, LongAdder> written = new EnumMap<>(StorageType.class);
  private final LongAdder moved = new LongAdder();

  private VolumeMeter() {
    super(null);
    for (StorageType type : StorageType.values()) {
      written.put(type, new LongAdder());
    }
  }

  /** Puts one meter on all DataNodes. */
  public static VolumeMeter of(MiniDFSCluster hdfs) {
    VolumeMeter meter = new VolumeMeter();
    for (DataNode node : hdfs.getDataNodes()) {
      FileIoHook.put(node, meter);
    }
    return meter;
  }

  @Override
  public void beforeFileIo(FsVolumeSpi volume, OPERATION op, long length) {
    if (volume != null && op == OPERATION.WRITE) {
      written.get(volume.getStorageType()).add(length);
    } else if (volume != null && op == OPERATION.NATIVE_COPY) {
      boolean leaves = volume.getStorageType() == StorageType.SSD;
      written.get(leaves ? StorageType.DISK : StorageType.SSD).add(length);
      moved.add(leaves ? length : 0);
    }
  }

  /** Bytes written to a medium since the meter was put on. */
  public long written(StorageType type) {
    return written.get(type).sum();
  }

  /**
   * Bytes of replicas, and their checksums, whose copy from SSD to DISK began within a DataNode;
   * part of those written. A move to another DataNode is written there like any block.
   */
  public long moved() {
    return moved.sum();
  }
}
