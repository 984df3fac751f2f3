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

import java.lang.reflect.Field;
import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.FaultInjectorFileIoEvents;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The SSD volumes of one DataNode on which no file can be opened: whoever tries waits until {@link
 * #close()}. The DataNode itself goes on to report to the NameNode, as with a real device that
 * hangs. Blocks that are open already are written on.
 */
@InterfaceAudience.Private
public final class HungSsd implements AutoCloseable {
  private final CountDownLatch end = new CountDownLatch(1);
  private final FileIoProvider io;
  private final Object before;

  /** Hangs from now on. */
  public HungSsd(DataNode node) throws ReflectiveOperationException {
    this.io = node.getFileIoProvider();
    this.before = hook().get(io);
    hook().set(io, new Parking(end));
  }

  private static Field hook() throws NoSuchFieldException {
    Field field = FileIoProvider.class.getDeclaredField("faultInjectorEventHook");
    field.setAccessible(true);
    return field;
  }

  /** Lets all go on that waited. */
  @Override
  public void close() throws ReflectiveOperationException {
    hook().set(io, before);
    end.countDown();
  }

  private static final class Parking extends FaultInjectorFileIoEvents {
    private final CountDownLatch end;

    Parking(CountDownLatch end) {
      super(null);
      this.end = end;
    }

    @Override
    public void beforeMetadataOp(FsVolumeSpi volume, FileIoProvider.OPERATION op) {
      if (op == FileIoProvider.OPERATION.OPEN
          && volume != null
          && volume.getStorageType() == StorageType.SSD) {
        try {
          end.await();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      }
    }
  }
}
