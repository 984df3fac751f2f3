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

import io.github.hybridhbase.placement.HybridSettings;
import java.io.IOException;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FilterFileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A second client of an HDFS that gives up on a refused file at once, and soon on a DataNode that
 * does not answer ({@link BriefConf}), so that whoever opens it decides what to do next.
 *
 * <p>HBase's fan-out output tries eleven times with pauses of up to ten seconds, and reads that
 * number from its file system's own configuration ({@code
 * FanOutOneBlockAsyncDFSOutputHelper.createOutput}), which no copy of the server's reaches. One
 * client a process and HDFS; the last WAL provider that closes closes it.
 */
@InterfaceAudience.Private
public final class QuickClient {
  private static final Logger LOG = LoggerFactory.getLogger(QuickClient.class);

  /** {@code FanOutOneBlockAsyncDFSOutputHelper.ASYNC_DFS_OUTPUT_CREATE_MAX_RETRIES}. */
  static final String RETRIES = "hbase.fs.async.create.retries";

  private static final Map<URI, DistributedFileSystem> CLIENTS = new ConcurrentHashMap<>();

  private static int users;

  private QuickClient() {}

  /** The HDFS itself behind HBase's wrappers, empty where there is none. */
  public static Optional<DistributedFileSystem> unwrap(FileSystem fs) {
    FileSystem inner = fs;
    while (inner instanceof FilterFileSystem) {
      inner = ((FilterFileSystem) inner).getRawFileSystem();
    }
    return inner instanceof DistributedFileSystem
        ? Optional.of((DistributedFileSystem) inner)
        : Optional.empty();
  }

  /** The quick client beside {@code fs}; {@code fs} itself where none can be made. Thread-safe. */
  public static FileSystem beside(FileSystem fs) {
    try {
      Optional<DistributedFileSystem> inner = unwrap(fs);
      if (inner.isEmpty()) {
        return fs;
      }
      DistributedFileSystem known = CLIENTS.get(inner.get().getUri());
      return known == null ? make(inner.get()) : known;
    } catch (IOException | RuntimeException e) {
      LOG.warn("No second client of {}: a refused WAL falls back later than it could", fs, e);
      return fs;
    }
  }

  private static synchronized DistributedFileSystem make(DistributedFileSystem fs)
      throws IOException {
    DistributedFileSystem known = CLIENTS.get(fs.getUri());
    if (known != null) {
      return known;
    }
    int millis = HybridSettings.read(fs.getConf()).fallbackMillis();
    // Two DataNodes that do not answer are waited for, one after the other.
    Configuration conf = new BriefConf(fs.getConf(), Math.max(1, millis / 2));
    conf.setInt(RETRIES, 0);
    DistributedFileSystem made = (DistributedFileSystem) FileSystem.newInstance(fs.getUri(), conf);
    CLIENTS.put(fs.getUri(), made);
    return made;
  }

  /** Says that somebody in this process opens WALs. */
  public static synchronized void acquire() {
    users++;
  }

  /** Takes {@link #acquire} back; the last one out closes the clients. Never throws. */
  public static synchronized void release() {
    users--;
    if (users <= 0) {
      for (DistributedFileSystem client : CLIENTS.values()) {
        try {
          client.close();
        } catch (IOException | RuntimeException e) {
          LOG.debug("{} did not close well", client, e);
        }
      }
      CLIENTS.clear();
    }
  }

  /** Forgets a client that somebody closed, which is what it said, so that the next one is new. */
  public static void forget(FileSystem client, IOException said) {
    if (String.valueOf(said.getMessage()).contains("Filesystem closed")) {
      CLIENTS.values().remove(client);
    }
  }
}
