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

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A refresher of {@link KnownSsdNodes}: it scans when a WAL is opened and the last scan is older
 * than ten minutes (on more than 100 DataNodes, one minute per ten of them), on a daemon thread
 * {@code hybrid-ssd-nodes} that ends when idle.
 *
 * <p>Cost of a scan: one NameNode report for HDFS's superuser, otherwise the HTTP requests of
 * {@link DataNodeReader}. If a DataNode's media stay unknown, it also lists the WALs of at most
 * {@value #MOST_DIRECTORIES} servers, which shows busy DataNodes with SSD, and allocates and
 * abandons at most {@value #MOST_QUESTIONS} blocks, which shows idle ones. Thread-safe.
 */
@InterfaceAudience.Private
public final class SsdNodeSearch {
  private static final Logger LOG = LoggerFactory.getLogger(SsdNodeSearch.class);

  static final long PERIOD_NANOS = TimeUnit.MINUTES.toNanos(10);
  private static final int MANY = 100;
  private static final int MOST_DIRECTORIES = 8;
  private static final int MOST_QUESTIONS = 4;

  interface Reader {
    List<DataNodeState> read() throws IOException;
  }

  private final KnownSsdNodes nodes;
  private final Reader reader;
  private final FileSystem fs;
  private final Path wals;
  private final LongSupplier clock;
  private final ScheduledThreadPoolExecutor thread = DaemonThreads.timer("hybrid-ssd-nodes");

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition ended = lock.newCondition();
  private boolean looking;
  private boolean looked;
  private long lookedAt;
  private int dataNodes;

  /**
   * @param wals directory of all servers' WALs
   */
  public SsdNodeSearch(FileSystem fs, Configuration conf, Path wals, KnownSsdNodes nodes) {
    this(fs, wals, nodes, () -> new DataNodeReader(fs, conf).read(), System::nanoTime);
  }

  SsdNodeSearch(FileSystem fs, Path wals, KnownSsdNodes nodes, Reader reader, LongSupplier clock) {
    this.fs = fs;
    this.wals = wals;
    this.nodes = nodes;
    this.reader = reader;
    this.clock = clock;
  }

  /** Whether it refreshes this object; a client created later has another. */
  public boolean isFor(KnownSsdNodes others) {
    return nodes == others;
  }

  /**
   * Starts a scan if one is due, and waits for it.
   *
   * @param millis longest wait; the scan itself continues
   */
  public void refresh(long millis) {
    lock.lock();
    try {
      long period = PERIOD_NANOS / MANY * Math.max(MANY, dataNodes);
      if (looked && clock.getAsLong() - lookedAt < period) {
        return;
      }
      if (!looking) {
        looking = true;
        thread.execute(this::look);
      }
      long left = TimeUnit.MILLISECONDS.toNanos(millis);
      while (looking && left > 0 && !thread.isShutdown()) {
        left = ended.awaitNanos(left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      lock.unlock();
    }
  }

  private void look() {
    List<DataNodeState> all = new ArrayList<>();
    try {
      part(
          () -> {
            all.addAll(reader.read());
            nodes.looked(all);
          });
      if (all.isEmpty()
          || all.stream().anyMatch(node -> node.inService() && node.types().isEmpty())) {
        part(this::lookAtWals);
        part(this::ask);
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

  /** What may fail of a look. */
  private interface Part {
    void run() throws IOException;
  }

  /** The others do without it. */
  private static void part(Part part) {
    try {
      part.run();
    } catch (IOException | RuntimeException | LinkageError e) {
      LOG.debug("A part of the look for DataNodes with SSD failed", e);
    }
  }

  private void ask() throws IOException {
    Optional<DistributedFileSystem> dfs = FailFastClient.unwrap(fs);
    if (dfs.isPresent()) {
      for (LocatedBlock block : new NodeProber(dfs.get(), 0).ask(wals, MOST_QUESTIONS)) {
        nodes.seen(DFSUtilClient.locatedBlocks2Locations(List.of(block))[0]);
      }
    }
  }

  /** Records the blocks of some servers' WALs. */
  private void lookAtWals() throws IOException {
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

  /** Stops scanning. Never blocks. */
  public void end() {
    thread.shutdown();
    lock.lock();
    try {
      ended.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
