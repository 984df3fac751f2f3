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
public final class HungSsd implements AutoCloseable {
  private final CountDownLatch end = new CountDownLatch(1);
  private final DataNode node;
  private final FaultInjectorFileIoEvents before;

  private HungSsd(DataNode node, boolean writes) {
    this.node = node;
    this.before = FileIoHook.put(node, new Parking(end, writes));
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

  private static final class Parking extends FaultInjectorFileIoEvents {
    private final CountDownLatch end;
    private final boolean writes;

    Parking(CountDownLatch end, boolean writes) {
      super(null);
      this.end = end;
      this.writes = writes;
    }

    @Override
    public void beforeMetadataOp(FsVolumeSpi volume, FileIoProvider.OPERATION op) {
      if (op == FileIoProvider.OPERATION.OPEN) {
        park(volume);
      }
    }

    @Override
    public void beforeFileIo(FsVolumeSpi volume, FileIoProvider.OPERATION op, long length) {
      if (writes && op == FileIoProvider.OPERATION.WRITE) {
        park(volume);
      }
    }

    private void park(FsVolumeSpi volume) {
      if (volume != null && volume.getStorageType() == StorageType.SSD) {
        try {
          end.await();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      }
    }
  }
}
