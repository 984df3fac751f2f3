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
 * HDFS's own client, but for one thing: a thread can close a broken output without recovering the
 * lease of its name, which HBase's fan-out output does whenever it frees what a broken one holds
 * ({@code FanOutOneBlockAsyncDFSOutput.recoverAndClose}). Thread-safe.
 *
 * <p>Public because {@code FileSystem} makes it by reflection.
 */
@InterfaceAudience.Private
public final class FailFastFileSystem extends DistributedFileSystem {
  private final ThreadLocal<Boolean> without = new ThreadLocal<>();

  @Override
  public boolean recoverLease(Path file) throws IOException {
    return without.get() != null || super.recoverLease(file);
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
