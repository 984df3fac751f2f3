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
package io.github.hybridhbase.tool;

import io.github.hybridhbase.hdfs.FileBlocks;
import io.github.hybridhbase.runtime.Component;
import io.github.hybridhbase.runtime.Text;
import io.github.hybridhbase.scan.FileContext;
import io.github.hybridhbase.tool.cli.Session;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.wal.AbstractFSWALProvider;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The files that HBase is to rewrite: WALs by a roll, store files by major compactions of regions,
 * at most {@value #AT_ONCE} at a time. Not thread-safe.
 */
@InterfaceAudience.Private
final class Rewrite {
  static final int AT_ONCE = 4;

  private static final int POLL_MILLIS = 500;

  /** A request that shows in no state by then is over, or was never taken. */
  private static final long BEGIN_NANOS = TimeUnit.SECONDS.toNanos(15);

  private static final long PROGRESS_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final Session session;

  /** Servers whose open WAL is on the wrong medium. */
  final Set<String> servers = new TreeSet<>();

  /** Bytes of misplaced replicas, by region's encoded name. */
  final Map<String, Long> regions = new TreeMap<>();

  final Map<String, Long> others = new TreeMap<>();

  final Set<String> rolled = new LinkedHashSet<>();
  final Set<String> compacted = new LinkedHashSet<>();
  final Map<String, String> failed = new LinkedHashMap<>();

  Rewrite(Session session) {
    this.session = session;
  }

  /**
   * @param bytes of misplaced replicas
   */
  void add(FileContext context, FileBlocks file, long bytes) {
    Path path = file.path;
    Component component = context.component();
    if (component == Component.WAL) {
      String directory = path.getParent().getName();
      if (!file.open) {
        others.merge("WALs that HBase archives or splits", 1L, Long::sum);
      } else if (!directory.endsWith(AbstractFSWALProvider.SPLITTING_EXT)
          && ServerName.isFullServerName(directory)) {
        servers.add(directory);
      }
    } else if (component == Component.MASTER) {
      others.merge("files of the master's own store, which the master rewrites", 1L, Long::sum);
    } else if (component == Component.ARCHIVE) {
      others.merge("archived files, which HBase deletes once nothing holds them", 1L, Long::sum);
    } else if (session.layout.isStoreFile(path)) {
      regions.merge(path.getParent().getParent().getName(), bytes, Long::sum);
    } else {
      others.merge("files of flushes and compactions in progress", 1L, Long::sum);
    }
  }

  boolean isEmpty() {
    return servers.isEmpty() && regions.isEmpty();
  }

  String plan() {
    return Text.count(servers.size(), "WAL")
        + " to roll, "
        + Text.count(regions.size(), "region")
        + " with "
        + Text.bytes(regions.values().stream().mapToLong(Long::longValue).sum())
        + " of replicas to compact";
  }

  /** Ends early on a stop; what was begun continues. */
  void carryOut(Admin admin) throws IOException {
    for (String server : servers) {
      if (session.stop.requested()) {
        return;
      }
      try {
        admin.rollWALWriter(ServerName.valueOf(server));
        rolled.add(server);
      } catch (IOException e) {
        failed.put(server, String.valueOf(e.getMessage()));
      }
    }
    compact(admin);
  }

  private void compact(Admin admin) {
    Deque<String> left = new ArrayDeque<>(regions.keySet());
    Map<String, Running> running = new LinkedHashMap<>();
    long said = System.nanoTime();
    while (!(left.isEmpty() && running.isEmpty()) && !session.stop.requested()) {
      while (running.size() < AT_ONCE && !left.isEmpty()) {
        String region = left.poll();
        try {
          compact(admin, region);
          running.put(region, new Running());
        } catch (IOException | RuntimeException e) {
          failed.put(region, String.valueOf(e.getMessage()));
        }
      }
      pause();
      for (Iterator<Map.Entry<String, Running>> each = running.entrySet().iterator();
          each.hasNext(); ) {
        Map.Entry<String, Running> one = each.next();
        if (one.getValue().isOver(admin, one.getKey())) {
          compacted.add(one.getKey());
          each.remove();
        }
      }
      if (System.nanoTime() - said > PROGRESS_NANOS) {
        said = System.nanoTime();
        session.err.println("compacted " + compacted.size() + " of " + regions.size() + " regions");
      }
    }
  }

  /** HBase finds the region of hbase:meta by its table only. */
  private static boolean isMeta(String region) {
    return region.equals(RegionInfoBuilder.FIRST_META_REGIONINFO.getEncodedName());
  }

  private static void compact(Admin admin, String region) throws IOException {
    if (isMeta(region)) {
      admin.majorCompact(TableName.META_TABLE_NAME);
    } else {
      admin.majorCompactRegion(Bytes.toBytes(region));
    }
  }

  private static CompactionState state(Admin admin, String region) throws IOException {
    return isMeta(region)
        ? admin.getCompactionState(TableName.META_TABLE_NAME)
        : admin.getCompactionStateForRegion(Bytes.toBytes(region));
  }

  private static void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static final class Running {
    private final long since = System.nanoTime();
    private boolean seen;

    boolean isOver(Admin admin, String region) {
      try {
        boolean runs = state(admin, region) != CompactionState.NONE;
        seen |= runs;
        return !runs && (seen || System.nanoTime() - since > BEGIN_NANOS);
      } catch (IOException | RuntimeException e) {
        return true; // split, moved, or its server died: HBase rewrites it anyway
      }
    }
  }
}
