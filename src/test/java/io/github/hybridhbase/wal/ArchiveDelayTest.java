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
package io.github.hybridhbase.wal;

import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.runtime.TestClock;
import io.github.hybridhbase.wal.HybridWALProvider.ArchiveDelay;
import java.io.IOException;
import java.net.ConnectException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Test;

class ArchiveDelayTest {
  private static final Path FROM = new Path("/hbase/WALs/server/server.1");
  private static final Path TO = new Path("/hbase/oldWALs/server.1");

  private final StorageNamespace hdfs = mock(StorageNamespace.class);
  private long now;

  private ArchiveDelay delay() {
    TestClock clock = new TestClock(() -> now, nanos -> now += TimeUnit.MINUTES.toNanos(1));
    return new ArchiveDelay(new Configuration(false), clock) {
      @Override
      boolean takesWrites(Path wal) throws IOException {
        return hdfs.takesWrites();
      }
    };
  }

  @Test
  void asksOnceWhereNothingIsWrong() throws Exception {
    when(hdfs.takesWrites()).thenReturn(true);
    delay().preLogArchive(FROM, TO);
    verify(hdfs, times(1)).takesWrites();
  }

  @Test
  void waitsForANameNodeThatIsAwayAndThenInSafeMode() throws Exception {
    when(hdfs.takesWrites()).thenThrow(new ConnectException()).thenReturn(false).thenReturn(true);
    delay().preLogArchive(FROM, TO);
    verify(hdfs, times(3)).takesWrites();
  }

  @Test
  void givesUpAfterTenMinutes() throws Exception {
    when(hdfs.takesWrites()).thenReturn(false);
    delay().preLogArchive(FROM, TO);
    verify(hdfs, times(ArchiveDelay.MOST_MINUTES)).takesWrites();
  }

  @Test
  void doesNotKeepAServerFromStopping() throws Exception {
    when(hdfs.takesWrites()).thenReturn(false);
    ArchiveDelay delay = delay();
    delay.logCloseRequested();
    delay.preLogArchive(FROM, TO);
    verify(hdfs, times(0)).takesWrites();
  }
}
