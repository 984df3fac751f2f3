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

import io.github.hybridhbase.config.HybridSettings;
import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FilterFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A second client of an HDFS that gives up on a refused file at once, and soon on a DataNode that
 * does not answer ({@link ShortTimeoutConf}), so that whoever opens it decides what to do next.
 *
 * <p>HBase's fan-out output tries eleven times with pauses of up to ten seconds, and reads that
 * number from its file system's own configuration ({@code
 * FanOutOneBlockAsyncDFSOutputHelper.createOutput}), which no copy of the server's reaches. One for
 * each HDFS, while the server that it belongs to opens WALs or a file that was opened with it is
 * not closed. Thread-safe.
 */
@InterfaceAudience.Private
public final class FailFastClient {
  private static final Logger LOG = LoggerFactory.getLogger(FailFastClient.class);

  /** {@code FanOutOneBlockAsyncDFSOutputHelper.ASYNC_DFS_OUTPUT_CREATE_MAX_RETRIES}. */
  static final String RETRIES = "hbase.fs.async.create.retries";

  /** All below is guarded by this object. */
  private final Map<URI, DistributedFileSystem> clients = new HashMap<>();

  /** The server, and files that are written through a client. */
  private int users;

  /**
   * The client in use for one file, which keeps it open until {@link #close}. Any thread, but for
   * {@link #withoutLeaseRecovery}.
   */
  public final class Use implements AutoCloseable {
    private final FileSystem fs;
    private final AtomicBoolean closed = new AtomicBoolean();

    /** Null unless it is to be on SSD. */
    private Path file;

    private Use(FileSystem fs) {
      this.fs = fs;
    }

    /**
     * Blocks of this file are to be on SSD: the client names DataNodes with SSD for them. Does
     * nothing where no quick client could be made.
     *
     * @param path with or without a scheme
     * @param onSsd replicas that the declared policy puts on SSD
     * @param blockSize bytes
     * @param noLocal whether this host's DataNode is not to be named
     * @return this
     */
    public Use onSsd(Path path, int replicas, int onSsd, long blockSize, boolean noLocal) {
      if (fs instanceof FailFastFileSystem) {
        file = path;
        ((FailFastFileSystem) fs).want(path, replicas, onSsd, blockSize, noLocal);
      }
      return this;
    }

    /** The quick client; HBase's own where none could be made. */
    public FileSystem fs() {
      return fs;
    }

    /** Why too few replicas of the file's last block are on SSD; "" if enough are, or unknown. */
    public String shortfall() {
      return file == null ? "" : ((FailFastFileSystem) fs).shortfall(file);
    }

    /** What the client knows of DataNodes with SSD; empty where no quick client could be made. */
    public Optional<KnownSsdNodes> ssdNodes() {
      return fs instanceof FailFastFileSystem
          ? Optional.of(((FailFastFileSystem) fs).ssdNodes())
          : Optional.empty();
    }

    /**
     * Closes a file that broke and whose name somebody else writes next: frees all that it holds,
     * and leaves the lease of its name alone. Does nothing where no quick client could be made. On
     * the calling thread.
     */
    public void withoutLeaseRecovery(Closeable closing) throws IOException {
      if (fs instanceof FailFastFileSystem) {
        ((FailFastFileSystem) fs).withoutLeaseRecovery(closing);
      }
    }

    /** It failed with this. A client that somebody else has closed is forgotten. */
    public void failed(IOException said) {
      // Whatever else it may count as.
      if (String.valueOf(said.getMessage()).contains("Filesystem closed")) {
        forget(fs);
      }
    }

    /** The file is closed, or was not made; a second call does nothing. Never throws. */
    @Override
    public void close() {
      if (closed.compareAndSet(false, true)) {
        if (file != null) {
          ((FailFastFileSystem) fs).forget(file);
        }
        release();
      }
    }
  }

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

  /** The fail-fast client beside {@code fs}, kept open until the use is closed. Thread-safe. */
  public Use use(FileSystem fs) {
    acquire();
    try {
      Optional<DistributedFileSystem> inner = unwrap(fs);
      return new Use(inner.isEmpty() ? fs : clientOf(inner.get()));
    } catch (IOException | RuntimeException e) {
      LOG.warn("No second client of {}: a refused WAL falls back later than it could", fs, e);
      return new Use(fs);
    }
  }

  private synchronized FileSystem clientOf(DistributedFileSystem fs) throws IOException {
    DistributedFileSystem known = clients.get(fs.getUri());
    if (known != null) {
      return known;
    }
    int millis = HybridSettings.read(fs.getConf()).fallbackMillis();
    // Two DataNodes that do not answer are waited for, one after the other.
    Configuration conf = new ShortTimeoutConf(fs.getConf(), Math.max(1, millis / 2));
    conf.setInt(RETRIES, 0);
    // How soon HBase sees that HDFS has recovered a file's lease: until then replication waits, and
    // from then on the file can be ended durably. The second call interrupts no recovery.
    conf.setIfUnset("hbase.lease.recovery.first.pause", "1000");
    conf.setIfUnset("hbase.lease.recovery.pause", "200");
    if (fs.getClass() == DistributedFileSystem.class) {
      conf.setClass(
          "fs." + fs.getUri().getScheme() + ".impl", FailFastFileSystem.class, FileSystem.class);
    }
    DistributedFileSystem made = (DistributedFileSystem) FileSystem.newInstance(fs.getUri(), conf);
    if (made instanceof FailFastFileSystem) {
      ((FailFastFileSystem) made).beside(fs);
    }
    clients.put(fs.getUri(), made);
    return made;
  }

  private synchronized void forget(FileSystem client) {
    clients.values().removeIf(known -> known == client);
  }

  /** Says that somebody opens WALs. */
  public synchronized void acquire() {
    users++;
  }

  /**
   * Takes {@link #acquire} back. The last one out closes the clients, be it the server or the
   * closer of a WAL that takes longer than its server waits: nobody is cut off. Never throws.
   */
  public void release() {
    List<DistributedFileSystem> unused;
    synchronized (this) {
      users--;
      unused = users > 0 ? List.of() : List.copyOf(clients.values());
      clients.values().removeAll(unused);
    }
    for (DistributedFileSystem client : unused) {
      try {
        client.close();
      } catch (IOException | RuntimeException e) {
        LOG.debug("{} did not close well", client, e);
      }
    }
  }
}
