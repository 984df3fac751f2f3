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

import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.FaultInjectorFileIoEvents;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The SSD volumes of one DataNode that hang: whoever opens a file on them, or writes one where that
 * is asked for, waits until {@link #close()}. The DataNode itself goes on to report to the
 * NameNode, as with a real device that hangs.
 */
@InterfaceAudience.Private
public final class HungSsd extends FaultInjectorFileIoEvents implements AutoCloseable {
  private final CountDownLatch end = new CountDownLatch(1);
  private final DataNode node;
  private final boolean writes;
  private final FaultInjectorFileIoEvents before;

  private HungSsd(DataNode node, boolean writes) {
    super(null);
    this.node = node;
    this.writes = writes;
    this.before = FileIoHook.put(node, this);
  }

  /** No file can be opened from now on; those that are open are written on. */
  public static HungSsd forNewFiles(DataNode node) {
    return new HungSsd(node, false);
  }

  /** No file can be opened or written from now on. */
  public static HungSsd forAllFiles(DataNode node) {
    return new HungSsd(node, true);
  }

  /** Lets all go on that waited. */
  @Override
  public void close() {
    FileIoHook.put(node, before);
    end.countDown();
  }

  @Override
  public void beforeMetadataOp(FsVolumeSpi volume, FileIoProvider.OPERATION op) {
    park(op == FileIoProvider.OPERATION.OPEN, volume);
  }

  @Override
  public void beforeFileIo(FsVolumeSpi volume, FileIoProvider.OPERATION op, long length) {
    park(writes && op == FileIoProvider.OPERATION.WRITE, volume);
  }

  private void park(boolean hangs, FsVolumeSpi volume) {
    if (hangs && volume != null && volume.getStorageType() == StorageType.SSD) {
      try {
        end.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
