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

import io.github.hybridhbase.hdfs.FailFastClient.FailFastFileSystem;
import io.github.hybridhbase.runtime.DaemonThreads;
import java.io.IOException;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The {@link KnownSsdNodes} of one HBase client and of all clients beside it. The daemon thread
 * {@code hybrid-ssd-nodes} reads the active master's {@link SsdNodes}, by one NameNode call, when a
 * file for SSD is opened and the last reading is older than ten minutes; one minute if it failed or
 * the last block lacks replicas on SSD, ten seconds if nothing was published. Thread-safe.
 */
@InterfaceAudience.Private
public class SsdNodeSearch {
  private static final Logger LOG = LoggerFactory.getLogger(SsdNodeSearch.class);

  static final long PERIOD_NANOS = TimeUnit.MINUTES.toNanos(10);
  static final long SHORT_NANOS = TimeUnit.MINUTES.toNanos(1);
  static final long NONE_NANOS = TimeUnit.SECONDS.toNanos(10);

  private static final List<String> ROOTS = List.of("hbase.rootdir", "hbase.wal.dir");

  /** By HBase's client. */
  private static final Map<DistributedFileSystem, SsdNodeSearch> SEARCHES = new WeakHashMap<>();

  private final KnownSsdNodes nodes;

  /** INVARIANT: weak, else {@link #SEARCHES} would keep its key. */
  private final Reference<DistributedFileSystem> owner;

  private final LongSupplier clock;
  private final ScheduledThreadPoolExecutor thread = DaemonThreads.timer("hybrid-ssd-nodes");

  private CompletableFuture<Void> last = CompletableFuture.completedFuture(null);
  private boolean looked;
  private long lookedAt;
  private long period;

  /** A {@link FailFastFileSystem} shares its owner's; empty without HDFS. */
  public static Optional<SsdNodeSearch> of(FileSystem fs) {
    return FailFastClient.unwrap(fs).map(SsdNodeSearch::of);
  }

  static SsdNodeSearch of(DistributedFileSystem fs) {
    return ofOwner(fs instanceof FailFastFileSystem ? ((FailFastFileSystem) fs).owner() : fs);
  }

  private static SsdNodeSearch ofOwner(DistributedFileSystem owner) {
    synchronized (SEARCHES) {
      return SEARCHES.computeIfAbsent(
          owner, one -> new SsdNodeSearch(one, new KnownSsdNodes(), System::nanoTime));
    }
  }

  SsdNodeSearch(DistributedFileSystem owner, KnownSsdNodes nodes, LongSupplier clock) {
    this.owner = new WeakReference<>(owner);
    this.nodes = nodes;
    this.clock = clock;
  }

  /** Takes over what another reader has seen. */
  public void looked(Collection<DataNodeState> live) {
    nodes.looked(SsdNodes.of(live));
  }

  KnownSsdNodes nodes() {
    return nodes;
  }

  /**
   * Waits for a reading if one is due.
   *
   * @param millis longest wait; the reading continues
   */
  public void refresh(long millis) {
    try {
      reading().get(millis, TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException e) {
      LOG.trace("It continues", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (OutOfMemoryError e) {
      LOG.debug("No thread could be started to read the DataNodes with SSD", e);
    }
  }

  private synchronized CompletableFuture<Void> reading() {
    long most = nodes.fallsShort() ? SHORT_NANOS : PERIOD_NANOS;
    boolean due = !looked || clock.getAsLong() - lookedAt >= Math.min(period, most);
    if (due && last.isDone()) {
      CompletableFuture<Void> next = new CompletableFuture<>();
      start(() -> look(next));
      last = next;
    }
    return last;
  }

  /** Overridden by tests. */
  void start(Runnable look) {
    thread.execute(look);
  }

  private void look(CompletableFuture<Void> reading) {
    long next = SHORT_NANOS;
    try {
      DistributedFileSystem fs = owner.get();
      Optional<SsdNodes> published = fs == null ? Optional.empty() : read(fs);
      published.ifPresent(nodes::looked);
      next = published.isPresent() ? PERIOD_NANOS : NONE_NANOS;
      LOG.debug("DataNodes with SSD: {}", nodes);
    } catch (IOException | RuntimeException | LinkageError e) {
      LOG.debug("The published DataNodes with SSD cannot be read", e);
    } finally {
      ended(next);
      reading.complete(null);
    }
  }

  private synchronized void ended(long next) {
    period = next;
    looked = true;
    lookedAt = clock.getAsLong();
  }

  /** Overridden by tests. */
  Optional<SsdNodes> read(DistributedFileSystem fs) throws IOException {
    Optional<Path> root = root(fs);
    byte[] text = root.isPresent() ? fs.getXAttrs(root.get()).get(SsdNodes.XATTR) : null;
    return text == null
        ? Optional.empty()
        : SsdNodes.parse(new String(text, StandardCharsets.UTF_8));
  }

  private static Optional<Path> root(DistributedFileSystem fs) {
    return ROOTS.stream()
        .map(key -> fs.getConf().getTrimmed(key, ""))
        .filter(dir -> !dir.isEmpty())
        .map(dir -> fs.makeQualified(new Path(dir)))
        .filter(path -> path.toUri().getAuthority().equals(fs.getUri().getAuthority()))
        .findFirst();
  }
}
