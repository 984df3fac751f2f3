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

import io.github.hybridhbase.hdfs.DurableEnd;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.regionserver.wal.ProtobufWALStreamReader;
import org.apache.hadoop.hbase.wal.AbstractFSWALProvider;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A reader of WALs that durably ends a dead server's log before the log is split; otherwise a power
 * cut during the split could make it unreadable. HBase has recovered the lease ({@code
 * WALSplitter.getReader}) but offers no other hook before the first entry.
 *
 * <p>A log with a trailer that is older than {@link #LONG_MILLIS} is left alone: it still has a
 * replica on the dead host, for which an append would wait and exclude healthy DataNodes, whose
 * replicas HDFS then discards. A younger one may have been recovered during its close.
 *
 * <p>The site file does not name this class, since clients without the plugin share that file.
 */
@InterfaceAudience.Private
public final class SplitReader extends ProtobufWALStreamReader {
  /** Age since the last modification, by the NameNode's and this host's clocks. */
  private static final long LONG_MILLIS = TimeUnit.MINUTES.toMillis(2);

  public SplitReader() {}

  @Override
  public void init(FileSystem fs, Path log, Configuration conf, long startPosition)
      throws IOException {
    super.init(fs, log, conf, startPosition);
    if (log.getParent().getName().endsWith(AbstractFSWALProvider.SPLITTING_EXT)
        && !(trailerPresent && isClosedForLong(fs, log))) {
      DurableEnd.ofRecovered(conf, fs, log);
    }
  }

  private static boolean isClosedForLong(FileSystem fs, Path log) {
    try {
      long age = System.currentTimeMillis() - fs.getFileStatus(log).getModificationTime();
      return age > LONG_MILLIS;
    } catch (IOException e) {
      return false;
    }
  }
}
