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

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.BindException;
import java.util.concurrent.TimeUnit;
import org.apache.commons.lang3.reflect.FieldUtils;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Starts DataNodes again on the port that they had, as an operator would. The port is an ephemeral
 * one: an outgoing connection of anybody may have taken it meanwhile, and is waited for.
 *
 * <p>Only the port of their IPC server is a new one. HDFS 3.4 opens that server before it has read
 * which replicas there are, and a block recovery that was started before the restart is told that
 * there is none. If the writes to the other replicas were interrupted too ("Block length
 * mismatch"), HDFS then deletes the block, acknowledged bytes and all ({@code
 * BlockRecoveryWorker.syncBlock}): a fault of stock HDFS, which no test here is about.
 */
@InterfaceAudience.Private
public final class DataNodeRestart {
  private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(90);

  private DataNodeRestart() {}

  /** Stops the DataNode at this index and starts it again; it is the last one afterwards. */
  public static void restart(MiniDFSCluster hdfs, int index)
      throws IOException, InterruptedException {
    restart(hdfs, hdfs.stopDataNode(index));
  }

  /** Starts one that was stopped. */
  public static void restart(MiniDFSCluster hdfs, DataNodeProperties stopped)
      throws IOException, InterruptedException {
    long begin = System.nanoTime();
    while (true) {
      try {
        FieldUtils.writeField(stopped, "ipcPort", 0, true);
        assertTrue(hdfs.restartDataNode(stopped, true));
        return;
      } catch (IllegalAccessException e) {
        throw new IllegalStateException("MiniDFSCluster has changed", e);
      } catch (BindException e) {
        if (System.nanoTime() - begin > PATIENCE_NS) {
          throw e;
        }
        TimeUnit.MILLISECONDS.sleep(200);
      }
    }
  }
}
