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

import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.hdfs.StorageNamespace.ListingEntry;
import io.github.hybridhbase.runtime.DaemonThreads;
import io.github.hybridhbase.runtime.IoSupplier;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadPoolExecutor;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hbase.util.FutureUtils;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A lister of directories that can read ahead, on daemon threads until {@link #close()}. Its
 * listings block until read; empty for a missing directory.
 */
@InterfaceAudience.Private
final class DirectoryLister implements AutoCloseable {
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

  static IoSupplier<Optional<RemoteIterator<ListingEntry>>> nothing() {
    return Optional::empty;
  }

  IoSupplier<Optional<RemoteIterator<ListingEntry>>> now(Path directory) {
    return () -> namespace.list(directory);
  }

  IoSupplier<Optional<RemoteIterator<ListingEntry>>> soon(Path directory) {
    if (threads.isEmpty()) {
      return now(directory);
    }
    Future<Optional<RemoteIterator<ListingEntry>>> future =
        threads.get().submit(() -> namespace.list(directory));
    return () -> FutureUtils.get(future);
  }

  @Override
  public void close() {
    threads.ifPresent(ExecutorService::shutdownNow);
  }
}
