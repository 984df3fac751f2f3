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
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * HDFS's own client, but for leases. A thread can close a broken output without recovering the
 * lease of its name, which HBase's fan-out output does whenever it frees what a broken one holds
 * ({@code FanOutOneBlockAsyncDFSOutput.recoverAndClose}); and once HBase's own client is closed, no
 * lease is recovered any more. HBase asks for one until it has it, and a NameNode that has just
 * started, asked before a DataNode has reported the block, drops the block. Thread-safe.
 *
 * <p>Public because {@code FileSystem} makes it by reflection.
 */
@InterfaceAudience.Private
public final class FailFastFileSystem extends DistributedFileSystem {
  private final ThreadLocal<Boolean> without = new ThreadLocal<>();
  private volatile DistributedFileSystem owner = this;

  /** Recovers leases only while that client is open. */
  void beside(DistributedFileSystem other) {
    owner = other;
  }

  @Override
  public boolean recoverLease(Path file) throws IOException {
    if (without.get() != null) {
      return true;
    }
    if (!owner.getClient().isClientRunning()) {
      throw new IOException("Filesystem closed"); // as HDFS's client says it
    }
    return super.recoverLease(file);
  }

  /** Runs this on the calling thread, for which every lease counts as recovered meanwhile. */
  void withoutLeaseRecovery(Closeable closing) throws IOException {
    without.set(true);
    try {
      closing.close();
    } finally {
      without.remove();
    }
  }
}
