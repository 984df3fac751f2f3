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

import io.github.hybridhbase.runtime.HybridKeys;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.WalFiles;
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
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A second HDFS client that fails at once for a refused file, and soon for an unresponsive DataNode
 * ({@link ShortTimeoutConf}). One per HDFS, reference-counted. Thread-safe.
 *
 * <p>HBase's fan-out output reads its eleven retries from its file system's configuration ({@code
 * FanOutOneBlockAsyncDFSOutputHelper.createOutput}), which no copy of the server's reaches.
 */
@InterfaceAudience.Private
public final class FailFastClient {
  private static final Logger LOG = LoggerFactory.getLogger(FailFastClient.class);

  /** {@code FanOutOneBlockAsyncDFSOutputHelper.ASYNC_DFS_OUTPUT_CREATE_MAX_RETRIES}. */
  static final String RETRIES = "hbase.fs.async.create.retries";

  /** Guarded by this, like {@link #users}. */
  private final Map<URI, DistributedFileSystem> clients = new HashMap<>();

  private int users;

  /** A reference for one file. Any thread, except for {@link #withoutLeaseRecovery}. */
  public final class Use implements AutoCloseable {
    private final FileSystem fs;
    private final AtomicBoolean closed = new AtomicBoolean();

    private Use(FileSystem fs) {
      this.fs = fs;
    }

    /** HBase's own client if no fail-fast client could be created. */
    public FileSystem fs() {
      return fs;
    }

    /**
     * Closes a broken file whose name will be reused, on the calling thread, and leaves its lease
     * alone; a no-op without a fail-fast client.
     */
    public void withoutLeaseRecovery(Closeable closing) throws IOException {
      if (fs instanceof FailFastFileSystem) {
        ((FailFastFileSystem) fs).withoutLeaseRecovery(closing);
      }
    }

    public void failed(IOException why) {
      if (String.valueOf(why.getMessage()).contains("Filesystem closed")) {
        forget(fs);
      }
    }

    /** Idempotent; never throws. */
    @Override
    public void close() {
      if (closed.compareAndSet(false, true)) {
        release();
      }
    }
  }

  public static Optional<DistributedFileSystem> unwrap(FileSystem fs) {
    FileSystem inner = fs;
    while (inner instanceof FilterFileSystem) {
      inner = ((FilterFileSystem) inner).getRawFileSystem();
    }
    return inner instanceof DistributedFileSystem
        ? Optional.of((DistributedFileSystem) inner)
        : Optional.empty();
  }

  public Use use(FileSystem fs) {
    acquire();
    try {
      Optional<DistributedFileSystem> inner = unwrap(fs);
      return new Use(inner.isEmpty() ? fs : clientOf(inner.get()));
    } catch (IOException | RuntimeException e) {
      LOG.warn(
          "Could not create an HDFS client with short timeouts for {}; WALs are opened by "
              + "HBase's own client. A WAL that SSD refuses still goes to DISK, but later. Retried "
              + "for the next WAL.",
          fs,
          e);
      return new Use(fs);
    }
  }

  public Use own(FileSystem fs) {
    Use use = new Use(fs);
    use.closed.set(true);
    return use;
  }

  private synchronized FileSystem clientOf(DistributedFileSystem fs) throws IOException {
    DistributedFileSystem known = clients.get(fs.getUri());
    if (known != null) {
      return known;
    }
    int millis =
        (int) HybridSettings.read(fs.getConf()).get(HybridKeys.SSD_FALLBACK_TIMEOUT).toMillis();
    // Leaves time for two unresponsive DataNodes in turn.
    Configuration conf = new ShortTimeoutConf(fs.getConf(), Math.max(1, millis / 2));
    conf.setInt(RETRIES, 0);
    // HBase's for WALs, by which probes are judged.
    conf.setInt("dfs.replication", WalFiles.replication(conf));
    // HBase notices a finished lease recovery early; replication waits for it.
    conf.setIfUnset("hbase.lease.recovery.first.pause", "1000");
    conf.setIfUnset("hbase.lease.recovery.pause", "200");
    DistributedFileSystem made = FailFastFileSystem.beside(fs, conf);
    clients.put(fs.getUri(), made);
    return made;
  }

  private synchronized void forget(FileSystem client) {
    clients.values().removeIf(known -> known == client);
  }

  public synchronized void acquire() {
    users++;
  }

  /**
   * The last reference, even a WAL's closer that outlives its server, closes the clients. Never
   * throws.
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

  /**
   * A configuration with which HBase's fan-out output gives up early on an unresponsive DataNode:
   * very early while a block is opened, later after twice {@code
   * hbase.regionserver.wal.roll.on.sync.ms}, at least 20 s.
   *
   * <p>HBase reads {@code dfs.client.socket-timeout} for both, so the calling class decides. Others
   * get the configured value: staggered time-outs reveal which DataNode hangs.
   */
  @InterfaceAudience.Private
  private static final class ShortTimeoutConf extends Configuration {
    private static final String OUTPUT =
        "org.apache.hadoop.hbase.io.asyncfs.FanOutOneBlockAsyncDFSOutput";
    private static final String CONNECTS = OUTPUT + "Helper";
    private static final String SLOW_SYNC = "hbase.regionserver.wal.roll.on.sync.ms";
    private static final int SLOW_SYNC_MILLIS = 10_000;

    /** A JVM pause must not break every WAL. */
    private static final int LEAST_WRITE_MILLIS = 20_000;

    private final int connectMillis;
    private final int writeMillis;

    /**
     * @param connectMillis limit for a DataNode to join a new block
     */
    ShortTimeoutConf(Configuration conf, int connectMillis) {
      super(conf);
      this.connectMillis = connectMillis;
      long slow = conf.getInt(SLOW_SYNC, SLOW_SYNC_MILLIS);
      this.writeMillis = (int) Math.min(Integer.MAX_VALUE, Math.max(LEAST_WRITE_MILLIS, 2 * slow));
    }

    @Override
    public int getInt(String name, int defaultValue) {
      int configured = super.getInt(name, defaultValue);
      if (!name.equals(HdfsClientConfigKeys.DFS_CLIENT_SOCKET_TIMEOUT_KEY)) {
        return configured;
      }
      switch (asker()) {
        case CONNECTS:
          return Math.min(configured, connectMillis);
        case OUTPUT:
          return Math.min(configured, writeMillis);
        default:
          return configured;
      }
    }

    private static String asker() {
      return StackWalker.getInstance()
          .walk(
              frames ->
                  frames
                      .map(StackWalker.StackFrame::getClassName)
                      .filter(name -> !name.equals(ShortTimeoutConf.class.getName()))
                      .findFirst())
          .orElse("");
    }
  }

  /**
   * An HDFS client that can close a broken output without lease recovery ({@code
   * FanOutOneBlockAsyncDFSOutput.recoverAndClose}). Thread-safe; public for reflection.
   *
   * <p>After HBase's own client is closed, no lease is recovered: HBase would retry until success,
   * and a NameNode that has just started drops a block that no DataNode has reported yet.
   */
  public static final class FailFastFileSystem extends DistributedFileSystem {
    private final ThreadLocal<Boolean> without = new ThreadLocal<>();
    private volatile DistributedFileSystem owner = this;

    /**
     * @param conf changed: a plain client's class becomes this one
     */
    static DistributedFileSystem beside(DistributedFileSystem other, Configuration conf)
        throws IOException {
      if (other.getClass() == DistributedFileSystem.class) {
        conf.setClass(
            "fs." + other.getUri().getScheme() + ".impl",
            FailFastFileSystem.class,
            FileSystem.class);
      }
      DistributedFileSystem made =
          (DistributedFileSystem) FileSystem.newInstance(other.getUri(), conf);
      if (made instanceof FailFastFileSystem) {
        ((FailFastFileSystem) made).beside(other);
      }
      return made;
    }

    private void beside(DistributedFileSystem other) {
      owner = other instanceof FailFastFileSystem ? ((FailFastFileSystem) other).owner : other;
    }

    /**
     * The client that shares its knowledge of DataNodes and during whose life leases are recovered.
     */
    DistributedFileSystem owner() {
      return owner;
    }

    @Override
    public boolean recoverLease(Path file) throws IOException {
      if (without.get() != null) {
        return true;
      }
      if (!owner.getClient().isClientRunning()) {
        throw new IOException("Filesystem closed"); // the message of HDFS's client
      }
      return super.recoverLease(file);
    }

    void withoutLeaseRecovery(Closeable closing) throws IOException {
      without.set(true);
      try {
        closing.close();
      } finally {
        without.remove();
      }
    }
  }
}
