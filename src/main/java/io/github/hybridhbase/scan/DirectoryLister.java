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
package io.github.hybridhbase.scan;

import io.github.hybridhbase.hdfs.DaemonThreads;
import io.github.hybridhbase.hdfs.ListingEntry;
import io.github.hybridhbase.hdfs.StorageNamespace;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadPoolExecutor;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.yetus.audience.InterfaceAudience;

/** Lists directories, some of them ahead on daemon threads that end with {@link #close()}. */
@InterfaceAudience.Private
final class DirectoryLister implements AutoCloseable {
  /** What a directory holds, when it is known. */
  interface Listing {
    /** Waits where it must; empty where the directory does not exist. */
    Optional<RemoteIterator<ListingEntry>> get() throws IOException;
  }

  private final StorageNamespace namespace;
  private final Optional<ExecutorService> threads;

  DirectoryLister(StorageNamespace namespace, int threads) {
    this.namespace = namespace;
    this.threads =
        threads == 0
            ? Optional.empty()
            : Optional.of(
                DaemonThreads.pool(
                    "hybrid-list-%d",
                    threads, Integer.MAX_VALUE, new ThreadPoolExecutor.AbortPolicy()));
  }

  static Listing nothing() {
    return Optional::empty;
  }

  /** Lists when asked, on the asking thread. */
  Listing now(Path directory) {
    return () -> namespace.list(directory);
  }

  /** Lists ahead where there are threads for it. */
  Listing soon(Path directory) {
    if (threads.isEmpty()) {
      return now(directory);
    }
    Future<Optional<RemoteIterator<ListingEntry>>> future =
        threads.get().submit(() -> namespace.list(directory));
    return () -> await(future);
  }

  private static Optional<RemoteIterator<ListingEntry>> await(
      Future<Optional<RemoteIterator<ListingEntry>>> future) throws IOException {
    try {
      return future.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while a directory was listed");
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException) {
        throw (IOException) e.getCause();
      }
      throw new IOException(e.getCause());
    }
  }

  @Override
  public void close() {
    threads.ifPresent(ExecutorService::shutdownNow);
  }
}
