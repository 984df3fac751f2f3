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
package io.github.hybridhbase.bench;

import io.github.hybridhbase.testing.FileIoHook;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.FaultInjectorFileIoEvents;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider.OPERATION;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A device whose every fsync takes at least what was asked for: parks the thread that is about to
 * fsync, which is where a slow device would hold it.
 */
@InterfaceAudience.Private
final class SlowFsync extends FaultInjectorFileIoEvents {
  private final Map<StorageType, Long> nanos = new EnumMap<>(StorageType.class);

  private SlowFsync() {
    super(null);
  }

  /** Adds so many microseconds to each fsync on a medium of all DataNodes; 0 = nothing. */
  static void of(MiniDFSCluster hdfs, long ssdMicros, long diskMicros) {
    SlowFsync slow = new SlowFsync();
    slow.add(StorageType.SSD, ssdMicros);
    slow.add(StorageType.DISK, diskMicros);
    if (!slow.nanos.isEmpty()) {
      for (DataNode dataNode : hdfs.getDataNodes()) {
        FileIoHook.put(dataNode, slow);
      }
    }
  }

  private void add(StorageType type, long micros) {
    if (micros > 0) {
      nanos.put(type, TimeUnit.MICROSECONDS.toNanos(micros));
    }
  }

  @Override
  public void beforeFileIo(FsVolumeSpi volume, OPERATION op, long length) {
    Long delay = op == OPERATION.SYNC && volume != null ? nanos.get(volume.getStorageType()) : null;
    if (delay == null) {
      return;
    }
    long end = System.nanoTime() + delay;
    for (long left = delay; left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }
}
