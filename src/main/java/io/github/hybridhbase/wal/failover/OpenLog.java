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
package io.github.hybridhbase.wal.failover;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.yetus.audience.InterfaceAudience;

/** One log of a server across its rolls. Thread-safe. */
@InterfaceAudience.Private
public final class OpenLog {
  /** Name of its files without their number. */
  public final String name;

  /** Of its file; empty if unknown. */
  public volatile List<StorageType> media = List.of();

  private Path file;
  private CompletableFuture<Void> left = new CompletableFuture<>();

  public OpenLog(String name) {
    this.name = name;
  }

  /** The header of the log's new file is acknowledged. */
  public void opened(Path opened) {
    CompletableFuture<Void> before;
    synchronized (this) {
      before = left;
      file = opened;
      left = new CompletableFuture<>();
    }
    before.complete(null);
  }

  /** Completes, on the thread that opens it, once the log has another file. */
  synchronized CompletableFuture<Void> left(Path wal) {
    return wal.equals(file) ? left : CompletableFuture.completedFuture(null);
  }
}
