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
import io.github.hybridhbase.runtime.Action;
import io.github.hybridhbase.runtime.DaemonThreads;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The {@link KnownSsdNodes} of one client of HBase's and of all clients beside it, with their
 * refresher. It scans, on a daemon thread {@code hybrid-ssd-nodes} that ends when idle, when a file
 * for SSD is opened and the last scan is older than ten minutes (above 100 DataNodes, one minute
 * per ten; a tenth of it if the last block has too few replicas on SSD).
 *
 * <p>A scan costs one NameNode report for HDFS's superuser, otherwise the HTTP requests of {@link
 * DataNodeReader}. If a DataNode's media stay unknown, it also lists the WALs of at most {@value
 * #MOST_DIRECTORIES} servers. Answers to {@code addBlock} teach the rest. Thread-safe.
 */
@InterfaceAudience.Private
public class SsdNodeSearch {
  private static final Logger LOG = LoggerFactory.getLogger(SsdNodeSearch.class);

  static final long PERIOD_NANOS = TimeUnit.MINUTES.toNanos(10);
  private static final int MANY = 100;
  private static final int OFTEN = 10;
  private static final int MOST_DIRECTORIES = 8;

  /** By HBase's client, each until that one is garbage. */
  private static final Map<DistributedFileSystem, SsdNodeSearch> SEARCHES = new WeakHashMap<>();

  private final KnownSsdNodes nodes;

  /** INVARIANT: weak, since the key of {@link #SEARCHES} would be kept otherwise. */
  private final Reference<FileSystem> owner;

  private final LongSupplier clock;
  private final ScheduledThreadPoolExecutor thread = DaemonThreads.timer("hybrid-ssd-nodes");

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition ended = lock.newCondition();
  private boolean looking;
  private boolean looked;
  private long lookedAt;
  private int dataNodes;

  /**
   * The one of a client, which a {@link FailFastFileSystem} shares with its owner; empty if there
   * is no HDFS.
   */
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

  SsdNodeSearch(FileSystem owner, KnownSsdNodes nodes, LongSupplier clock) {
    this.owner = new WeakReference<>(owner);
    this.nodes = nodes;
    this.clock = clock;
  }

  KnownSsdNodes nodes() {
    return nodes;
  }

  /**
   * Starts a scan if one is due, and waits for it.
   *
   * @param wals directory of all servers' WALs, or one whose files are for SSD
   * @param millis longest wait; the scan itself continues
   */
  public void refresh(Path wals, long millis) {
    lock.lock();
    try {
      long period = PERIOD_NANOS / MANY * Math.max(MANY, dataNodes);
      if (nodes.fallsShort()) {
        period /= OFTEN;
      }
      if (looked && clock.getAsLong() - lookedAt < period) {
        return;
      }
      if (!looking) {
        start(() -> look(wals));
        looking = true;
      }
      long left = TimeUnit.MILLISECONDS.toNanos(millis);
      while (looking && left > 0) {
        left = ended.awaitNanos(left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (OutOfMemoryError e) {
      LOG.debug("No thread could be started to look for DataNodes with SSD", e);
    } finally {
      lock.unlock();
    }
  }

  /** Overridden by tests. */
  void start(Runnable look) {
    thread.execute(look);
  }

  private void look(Path wals) {
    List<DataNodeState> all = new ArrayList<>();
    FileSystem fs = owner.get();
    try {
      if (fs == null) {
        return;
      }
      part(
          () -> {
            all.addAll(read(fs));
            nodes.looked(all);
          });
      if (all.isEmpty()
          || all.stream().anyMatch(node -> node.inService() && node.types().isEmpty())) {
        part(() -> lookAtWals(fs, wals));
      }
      LOG.debug("DataNodes with SSD: {}", nodes);
    } finally {
      lock.lock();
      try {
        dataNodes = all.size();
        looked = true;
        lookedAt = clock.getAsLong();
        looking = false;
        ended.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }

  /** Overridden by tests. */
  List<DataNodeState> read(FileSystem fs) throws IOException {
    return new DataNodeReader(fs, fs.getConf()).read();
  }

  /** The others do without it. */
  private static void part(Action<IOException> part) {
    try {
      part.run();
    } catch (IOException | RuntimeException | LinkageError e) {
      LOG.debug("A part of the look for DataNodes with SSD failed", e);
    }
  }

  private void lookAtWals(FileSystem fs, Path wals) throws IOException {
    List<Path> servers = new ArrayList<>();
    RemoteIterator<FileStatus> children = fs.listStatusIterator(wals);
    while (children.hasNext()) {
      FileStatus child = children.next();
      if (child.isDirectory()) {
        servers.add(child.getPath());
      }
    }
    Collections.shuffle(servers);
    for (Path server : servers.subList(0, Math.min(MOST_DIRECTORIES, servers.size()))) {
      try {
        RemoteIterator<LocatedFileStatus> files = fs.listLocatedStatus(server);
        while (files.hasNext()) {
          for (BlockLocation block : files.next().getBlockLocations()) {
            nodes.seen(block);
          }
        }
      } catch (FileNotFoundException e) {
        LOG.debug("{} is gone", server);
      }
    }
  }
}
