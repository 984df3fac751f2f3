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
package io.github.hybridhbase.measure;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.hybridhbase.bed.HybridYcsbBinding;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.common.collect.Lists;
import org.apache.yetus.audience.InterfaceAudience;
import site.ycsb.ByteIterator;
import site.ycsb.Status;
import site.ycsb.Workload;
import site.ycsb.measurements.Measurements;

/**
 * Has the plugin learn which rows are hot, by reads from devices without limits, and HBase compact
 * the table once more, as its periodic major compactions would. For one thread.
 */
@InterfaceAudience.Private
final class HotLearning {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int TIER_SECONDS = 180;

  private final Cell cell;
  private final BenchBed bed;
  private final RunSettings settings;

  /**
   * Describes it.
   *
   * @param bed whose processes run
   */
  HotLearning(Cell cell, BenchBed bed, RunSettings settings) {
    this.cell = cell;
    this.bed = bed;
    this.settings = settings;
  }

  /** What it came to. */
  ObjectNode run(Connection connection, UserTable table) throws Exception {
    bed.awaitTier(TIER_SECONDS);
    ObjectNode result = JSON.createObjectNode();
    long start = System.nanoTime();
    result.put("reads", read(connection));
    result.put("seconds", Numbers.rounded((System.nanoTime() - start) / 1e9));
    result.set("learnt", seen(bed));
    result.put("compactionSeconds", Numbers.rounded(table.compact()));
    result.set("split", seen(bed));
    return result;
  }

  private long read(Connection connection) throws Exception {
    Properties properties =
        Mix.C.properties(UserTable.NAME, settings.rows, settings.fields, cell.keys());
    Measurements.setProperties(properties);
    Workload workload = new YcsbClient.Core();
    workload.init(properties);
    int threads = cell.number(Axis.THREADS);
    long each = (long) Math.ceil(settings.learn * settings.rows / threads);
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      List<Callable<Long>> readers = new ArrayList<>();
      for (int thread = 0; thread < threads; thread++) {
        Object state = workload.initThread(properties, thread, threads);
        readers.add(() -> Batches.read(connection, workload, state, each));
      }
      long reads = 0;
      for (Future<Long> reader : pool.invokeAll(readers)) {
        reads += reader.get();
      }
      return reads;
    } finally {
      pool.shutdownNow();
    }
  }

  /**
   * Reads of the workload, many in one call, of which the plugin counts each; many of them in the
   * order of rows, which share blocks then.
   */
  private static final class Batches extends HybridYcsbBinding {
    private static final int IN_ORDER = 25_000;
    private static final int AT_ONCE = 100;

    private final List<Get> batch = new ArrayList<>();

    private Batches(Connection connection) throws IOException {
      super(connection, UserTable.NAME, false);
    }

    static long read(Connection connection, Workload workload, Object state, long reads)
        throws Exception {
      Batches keys = new Batches(connection);
      try (Table table = connection.getTable(TableName.valueOf(UserTable.NAME))) {
        for (long read = 0; read < reads; read += IN_ORDER) {
          keys.batch.clear();
          for (long one = read; one < Math.min(reads, read + IN_ORDER); one++) {
            workload.doTransaction(keys, state);
          }
          keys.batch.sort(Row.COMPARATOR);
          for (List<Get> some : Lists.partition(keys.batch, AT_ONCE)) {
            table.get(some);
          }
        }
      } finally {
        keys.cleanup();
      }
      return reads;
    }

    @Override
    public Status read(
        String name, String key, Set<String> fields, Map<String, ByteIterator> result) {
      batch.add(new Get(Bytes.toBytes(key)));
      return Status.OK;
    }
  }

  /** What the plugin tells of hot rows. */
  static ObjectNode seen(BenchBed bed) throws IOException {
    ObjectNode all = JSON.createObjectNode();
    bed.plugin()
        .fields()
        .forEachRemaining(
            field -> {
              if (field.getKey().startsWith("Hot")) {
                all.set(field.getKey(), field.getValue());
              }
            });
    return all;
  }
}
