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
package io.github.hybridhbase.bed;

import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A major compaction of a whole table, from when it is asked for until HBase says that nothing
 * compacts and every region has a file of it. For one thread.
 */
@InterfaceAudience.Private
public final class MajorCompaction {
  /** HBase forgets a request that meets another compaction of the store: it is asked again. */
  private static final long FORGOTTEN_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final Connection connection;
  private final TableName table;
  private final long began = System.currentTimeMillis();

  /** Names. What was done stays done, whatever a minor compaction makes of the file. */
  private final Set<String> done = new TreeSet<>();

  /** Ids by names: of regions that are not done. */
  private final Map<String, byte[]> waiting = new TreeMap<>();

  private CompactionState state = CompactionState.NONE;
  private long asked;

  private MajorCompaction(Connection connection, TableName table) {
    this.connection = connection;
    this.table = table;
  }

  /** Flushes the table, and asks for one. */
  public static MajorCompaction begin(Connection connection, TableName table) throws IOException {
    MajorCompaction compaction = new MajorCompaction(connection, table);
    try (Admin admin = connection.getAdmin()) {
      admin.flush(table);
      admin.majorCompact(table);
    }
    compaction.asked = System.nanoTime();
    return compaction;
  }

  /** Asks for those that are not done alone: the others would be rewritten once more. */
  private void askAgain(Admin admin) throws IOException {
    for (byte[] region : waiting.values()) {
      admin.majorCompactRegion(region);
    }
    asked = System.nanoTime();
  }

  /** Whether it has ended, as HBase has it now. */
  public boolean ended() throws IOException {
    try (Admin admin = connection.getAdmin()) {
      int regions = 0;
      waiting.clear();
      for (ServerName server : admin.getRegionServers()) {
        for (RegionMetrics region : admin.getRegionMetrics(server, table)) {
          regions++;
          look(region);
        }
      }
      state = admin.getCompactionState(table);
      boolean idle = state == CompactionState.NONE;
      if (idle && !waiting.isEmpty() && System.nanoTime() - asked > FORGOTTEN_NANOS) {
        askAgain(admin);
      }
      return idle && waiting.isEmpty() && regions > 0;
    }
  }

  private void look(RegionMetrics region) {
    String name = region.getNameAsString();
    if (region.getStoreFileCount() == 0 || region.getLastMajorCompactionTimestamp() >= began) {
      done.add(name);
    }
    if (!done.contains(name)) {
      waiting.put(name, region.getRegionName());
    }
  }

  /** What {@link #ended} has seen, for people. */
  @Override
  public String toString() {
    return "a major compaction of " + table + ": state " + state + ", not done " + waiting.keySet();
  }
}
