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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.hbase.util.FSTableDescriptors;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Writes the descriptor of a table that HBase has created without, as HBCK2's {@code
 * generateMissingTableDescriptorFile} does. HBase 2.6 does so where the NameNode is in safe mode:
 * {@code FSTableDescriptors.writeTableDescriptor} gives up after ten tries within some hundred
 * milliseconds, {@code CreateTableProcedure} does not ask whether it did, and the regions then
 * never open. One daemon thread.
 */
@InterfaceAudience.Private
final class DescriptorRepair implements AutoCloseable {
  private static final long PERIOD_SECONDS = 5;

  /** That a table which is being created may be without. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(12);

  private final Configuration conf = HBaseConfiguration.create();
  private final Map<TableName, Long> missing = new HashMap<>();
  private final List<String> repaired = new CopyOnWriteArrayList<>();
  private final Thread thread = new Thread(this::run, "descriptor-repair");
  private volatile boolean ended;

  /** Begins. */
  DescriptorRepair(Bed bed) throws IOException {
    bed.keys().forEach(conf::set);
    conf.setInt("hbase.client.operation.timeout", 30_000);
    CommonFSUtils.setFsDefault(conf, CommonFSUtils.getRootDir(conf));
    thread.setDaemon(true);
    thread.start();
  }

  private void run() {
    while (!ended) {
      try {
        look();
      } catch (IOException | RuntimeException e) {
        // Whoever was asked is down, or starts.
        System.out.println("descriptors are looked at again, after: " + e);
      }
      try {
        TimeUnit.SECONDS.sleep(PERIOD_SECONDS);
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private void look() throws IOException {
    Path tables = new Path(CommonFSUtils.getRootDir(conf), "data/default");
    FileSystem fs = FileSystem.get(conf);
    for (FileStatus table : fs.listStatus(tables)) {
      TableName name = TableName.valueOf(table.getPath().getName());
      if (FSTableDescriptors.isTableDir(fs, table.getPath())) {
        missing.remove(name);
      } else {
        long since = missing.computeIfAbsent(name, any -> System.nanoTime());
        if (System.nanoTime() - since > PATIENCE_NANOS) {
          repair(name);
        }
      }
    }
  }

  private void repair(TableName name) throws IOException {
    try (Connection connection = ConnectionFactory.createConnection(conf);
        Admin admin = connection.getAdmin()) {
      // The master has it in memory.
      if (new FSTableDescriptors(conf).createTableDescriptor(admin.getDescriptor(name))) {
        repaired.add(name.getNameAsString());
      }
    }
  }

  /** The tables that were without. */
  List<String> repaired() {
    return List.copyOf(repaired);
  }

  @Override
  public void close() throws InterruptedException {
    ended = true;
    thread.interrupt();
    thread.join(TimeUnit.SECONDS.toMillis(PERIOD_SECONDS));
  }
}
