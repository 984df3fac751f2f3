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

import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An HDFS client that names DataNodes with SSD for files meant for SSD ({@link FavouringNameNode}),
 * and in which a thread can close a broken output without lease recovery, which HBase's fan-out
 * output combines ({@code FanOutOneBlockAsyncDFSOutput.recoverAndClose}).
 *
 * <p>Once HBase's own client is closed, no lease is recovered: HBase would repeat the call until it
 * succeeds, and a NameNode that has just started drops a block that no DataNode has reported yet.
 * Thread-safe; public for the reflection of {@code FileSystem}.
 */
@InterfaceAudience.Private
public final class FailFastFileSystem extends DistributedFileSystem {
  private static final Logger LOG = LoggerFactory.getLogger(FailFastFileSystem.class);

  private volatile KnownSsdNodes ssdNodes = new KnownSsdNodes();
  private final ThreadLocal<Boolean> without = new ThreadLocal<>();
  private volatile DistributedFileSystem owner = this;

  /** Null if this line of Hadoop stores its NameNode elsewhere. */
  private volatile FavouringNameNode nameNode;

  @Override
  public void initialize(URI uri, Configuration conf) throws IOException {
    super.initialize(uri, conf);
    try {
      nameNode = FavouringNameNode.into(getClient(), () -> ssdNodes);
    } catch (ReflectiveOperationException | RuntimeException e) {
      LOG.info(
          "WALs cannot request SSD DataNodes, since this Hadoop's HDFS client has no field for "
              + "its NameNode: HDFS may skip busy SSD DataNodes, and a WAL then has replicas on DISK "
              + "(metric walNotOnSsd). No retry: to end it, run a Hadoop of docs/install.md#versions.",
          e);
    }
  }

  void knowing(KnownSsdNodes nodes) {
    ssdNodes = nodes;
  }

  void want(Path file, int replicas, int onSsd, long blockSize, boolean noLocal) {
    FavouringNameNode favouring = nameNode;
    if (favouring != null) {
      favouring.want(file.toUri().getPath(), replicas, onSsd, blockSize, noLocal);
    }
  }

  String shortfall(Path file) {
    FavouringNameNode favouring = nameNode;
    return favouring == null ? "" : favouring.shortfall(file.toUri().getPath());
  }

  void forget(Path file) {
    FavouringNameNode favouring = nameNode;
    if (favouring != null) {
      favouring.forget(file.toUri().getPath());
    }
  }

  /**
   * @param conf changed: a plain client's class becomes this one
   */
  static DistributedFileSystem beside(DistributedFileSystem other, Configuration conf)
      throws IOException {
    if (other.getClass() == DistributedFileSystem.class) {
      conf.setClass(
          "fs." + other.getUri().getScheme() + ".impl", FailFastFileSystem.class, FileSystem.class);
    }
    DistributedFileSystem made =
        (DistributedFileSystem) FileSystem.newInstance(other.getUri(), conf);
    if (made instanceof FailFastFileSystem) {
      ((FailFastFileSystem) made).beside(other);
    }
    return made;
  }

  /** Makes the other client, or the one that it belongs to, the owner of this one. */
  private void beside(DistributedFileSystem other) {
    owner = other instanceof FailFastFileSystem ? ((FailFastFileSystem) other).owner : other;
  }

  /**
   * The client during whose life leases are recovered, and with which knowledge of DataNodes is
   * shared; itself at first.
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

  /** Leases count as recovered meanwhile, on the calling thread. */
  void withoutLeaseRecovery(Closeable closing) throws IOException {
    without.set(true);
    try {
      closing.close();
    } finally {
      without.remove();
    }
  }
}
