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
package io.github.hybridhbase.hdfs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.Metric;
import java.io.IOException;
import java.io.InterruptedIOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

@InterfaceAudience.Private
class RecoveredLogTest {
  private static final Path LOG = new Path("/hbase/WALs/s,1,1/s%2C1%2C1.1");

  private static long notDurable(FileSystem fs) {
    long before = HybridMetrics.get().value(Metric.WAL_RECOVERIES_NOT_DURABLE);
    DurableEnd.ofRecovered(new Configuration(false), fs, LOG);
    return HybridMetrics.get().value(Metric.WAL_RECOVERIES_NOT_DURABLE) - before;
  }

  /** HBase's closing thread must go on to mark the log as closed. */
  @Test
  void aLogThatCannotBeEndedIsCountedAndNothingIsThrown() {
    assertEquals(1, notDurable(new DistributedFileSystem()), "a client that is not open");
  }

  /** HBase's closing thread would never mark the log as closed: it could not be archived. */
  @Test
  void anErrorIsCountedAndNotThrown() {
    DistributedFileSystem fs =
        new DistributedFileSystem() {
          @Override
          public DFSClient getClient() {
            throw new InternalError("test");
          }
        };
    assertEquals(1, notDurable(fs));
  }

  /** A server that ends interrupts whoever splits logs. */
  @Test
  void anInterruptIsNotLost() {
    DistributedFileSystem fs =
        new DistributedFileSystem() {
          @Override
          public DFSClient getClient() {
            return sneak(new InterruptedIOException("test"));
          }
        };
    notDurable(fs);
    assertTrue(Thread.interrupted());
  }

  @SuppressWarnings("unchecked") // the type of what is thrown
  private static <T, E extends Throwable> T sneak(Throwable what) throws E {
    throw (E) what;
  }

  @Test
  void thereIsNothingToEndOutsideOfHdfs() throws IOException {
    assertEquals(0, notDurable(FileSystem.getLocal(new Configuration(false))));
  }
}
