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
package io.github.hybridhbase.landing;

import io.github.hybridhbase.testing.FileIoHook;
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

/** Counts what DataNodes write to their volumes, by medium: blocks, checksums and moves. */
@InterfaceAudience.Private
final class VolumeMeter extends FaultInjectorFileIoEvents {
  private final Map<StorageType, LongAdder> written = new EnumMap<>(StorageType.class);

  private VolumeMeter() {
    super(null);
    for (StorageType type : StorageType.values()) {
      written.put(type, new LongAdder());
    }
  }

  /** Puts one meter on all DataNodes. */
  static VolumeMeter of(MiniDFSCluster hdfs) {
    VolumeMeter meter = new VolumeMeter();
    for (DataNode node : hdfs.getDataNodes()) {
      FileIoHook.put(node, meter);
    }
    return meter;
  }

  @Override
  public void beforeFileIo(FsVolumeSpi volume, OPERATION op, long length) {
    if (volume != null && (op == OPERATION.WRITE || op == OPERATION.NATIVE_COPY)) {
      written.get(volume.getStorageType()).add(length);
    }
  }

  /** Bytes written to a medium since the meter was put on. */
  long written(StorageType type) {
    return written.get(type).sum();
  }
}
