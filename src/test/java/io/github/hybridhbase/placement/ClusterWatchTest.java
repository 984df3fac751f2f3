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
package io.github.hybridhbase.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.github.hybridhbase.hdfs.DataNodeReader;
import io.github.hybridhbase.hdfs.FakeNamespace;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.testing.LoggedLines;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.Test;

class ClusterWatchTest {
  private static final Path ROOT = new Path("/hbase");

  private IOException trouble;
  private RuntimeException bug;
  private int looked;

  private ClusterWatch watch() throws IOException {
    return new ClusterWatch(List.of(hdfs(true), hdfs(false)));
  }

  private ClusterWatch.Hdfs hdfs(boolean fails) throws IOException {
    Configuration conf = new Configuration(false);
    FakeNamespace hdfs = new FakeNamespace().with("/hbase", 0).with("/hbase/WALs", 0);
    StorageNamespace seen =
        FakeNamespace.heard(
            () -> hdfs,
            method -> {
              if (method.equals("children")) {
                if (fails && bug != null) {
                  throw bug;
                }
                looked += fails ? 0 : 1;
                if (fails && trouble != null) {
                  throw trouble;
                }
              }
            });
    DistributedFileSystem dfs = mock(DistributedFileSystem.class);
    when(dfs.getUri()).thenReturn(URI.create("hdfs://nn" + fails));
    when(dfs.isInSafeMode()).thenReturn(true);
    return new ClusterWatch.Hdfs(
        dfs.getUri(),
        seen,
        new DataNodeReader(dfs, conf),
        Optional.of(new Path("/hbase/WALs")),
        3,
        256 << 20);
  }

  @Test
  void whatBreaksOnOneOfTwoHdfsKeepsTheOtherFromNothing() throws IOException {
    ClusterWatch monitors = watch();
    bug = new IllegalStateException("planted");
    monitors.doWork();
    monitors.doWork();
    assertEquals(2, looked);
  }

  @Test
  void anHdfsThatNeverAnsweredIsAskedAndNotSeen() throws IOException {
    ClusterWatch monitors = watch();
    trouble = new IOException("no permission");
    monitors.doWork();
    assertEquals(1, monitors.last().spaces().size());
    String why = monitors.last().asked().get(0).trouble();
    assertTrue(why.startsWith("It cannot be read: ") && why.contains("no permission"), why);
    assertTrue(monitors.last().space(URI.create("hdfs://nntrue")).isEmpty());
    trouble = null;
    monitors.doWork();
    assertEquals(2, monitors.last().spaces().size());
    trouble = new IOException("no permission");
    monitors.doWork();
    assertEquals(2, monitors.last().spaces().size(), "it has answered before");
  }

  @Test
  void whatOneOfTwoHdfsRefusesIsSaidOnce() throws IOException {
    try (LoggedLines logged = LoggedLines.of(ClusterWatch.class)) {
      ClusterWatch monitors = watch();
      trouble = new IOException("no permission");
      for (int look = 0; look < 10; look++) {
        monitors.doWork();
      }
      assertEquals(1, refusals(logged), logged.lines()::toString);
      trouble = null;
      monitors.doWork();
      trouble = new IOException("no permission");
      monitors.doWork();
      assertEquals(2, refusals(logged), logged.lines()::toString);
    }
  }

  /** The other HDFS is in safe mode. */
  private static long refusals(LoggedLines logged) {
    return logged.lines().stream().filter(line -> line.contains("no permission")).count();
  }
}
