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

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.hybridhbase.bed.UserTable;
import java.io.IOException;
import java.io.PrintStream;
import java.time.LocalTime;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Measures the cells of a plan one after the other and keeps each as soon as it is there. A state
 * is loaded once, when its first cell comes, and kept until all end. For one thread; an interrupt
 * ends it in good order.
 */
@InterfaceAudience.Private
final class Runner implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int MOST_FAILURES = 3;
  private static final int KB = 1024;

  /** Memstores that take {@code CellRun}'s WALs without a flush. */
  private static final long RECOVERY_HEAP_MB = 2_048;

  private final RunSettings settings;
  private final ResultFile results;
  private final Machine machine;
  private final PrintStream out;
  private final BooleanSupplier ending;
  private final Map<String, BenchBed> beds = new HashMap<>();

  /**
   * @param ending whether what fails fails because all is to end
   */
  Runner(
      RunSettings settings,
      ResultFile results,
      Machine machine,
      PrintStream out,
      BooleanSupplier ending) {
    this.settings = settings;
    this.results = results;
    this.machine = machine;
    this.out = out;
    this.ending = ending;
  }

  /**
   * Measures what is not in the results yet.
   *
   * @return cells that failed; they are measured again by the next run
   */
  int run(Plan plan) throws IOException, InterruptedException {
    Plan rest = plan.without(results.done());
    int failed = 0;
    int inARow = 0;
    int number = 0;
    for (Cell cell : rest.cells) {
      number++;
      out.printf("%d of %d, %tT: %s%n", number, rest.cells.size(), LocalTime.now(), cell);
      try {
        ObjectNode result = measure(cell);
        results.add(result);
        out.println("  " + summary(result));
        inARow = 0;
      } catch (InterruptedException e) {
        throw e;
      } catch (Exception | AssertionError e) {
        if (ending.getAsBoolean()) {
          throw new InterruptedException();
        }
        failed++;
        inARow++;
        out.print("  failed: ");
        e.printStackTrace(out);
        dropAndKeepLogs(cell.load());
        if (inARow == MOST_FAILURES) {
          out.println("the last " + inARow + " failed: no more is tried");
          return failed;
        }
      }
    }
    return failed;
  }

  private static String summary(ObjectNode result) {
    if (result.has("recoverySeconds")) {
      return "served again after " + result.get("recoverySeconds").asDouble() + " s";
    }
    JsonNode span = result.has("beside") ? result.get("beside") : result;
    return String.format(
        "%s ops/s, p99 %s ms, HDD %.0f%%, SSD %.0f%%, processors %.0f%% used, %d failed",
        span.path("opsPerSecond").asText(),
        span.path("latencies").path(YcsbClient.TRANSACTION).path("p99Ms").asText(),
        100 * span.path("hdd").path("use").asDouble(),
        100 * span.path("ssd").path("use").asDouble(),
        100 * span.path("processor").path("ofAllCores").asDouble(),
        span.path("errors").asLong());
  }

  private ObjectNode measure(Cell cell) throws Exception {
    BenchBed bed = beds.get(cell.load());
    if (bed == null) {
      bed = make(cell);
      beds.put(cell.load(), bed);
      load(cell, bed);
    }
    if (settings.learn > 0 && !bed.has(cell.state())) {
      split(cell, bed);
    }
    return new CellRun(cell, bed, settings, machine).measure();
  }

  private BenchBed make(Cell cell) throws IOException, InterruptedException {
    Scale scale = settings.scale;
    Map<String, String> keys = new LinkedHashMap<>();
    if (cell.hotPercent() > 0) {
      keys.putAll(scale.hotKeys(HotLearning.ALL_SHARES));
    }
    if (cell.experiment() == Experiment.RECOVERY) {
      scale = scale.heapOfAtLeast(RECOVERY_HEAP_MB);
      keys.put("hbase.hregion.memstore.flush.size", Long.toString(1L << 30));
      keys.put("hbase.regionserver.hlog.blocksize", Long.toString(256L << 20));
      keys.put("hbase.regionserver.maxlogs", "1000");
      keys.put("hbase.regionserver.global.memstore.size", "0.6");
      keys.put("hfile.block.cache.size", "0.1");
    }
    return BenchBed.make(cell.setup().stored(), settings, scale, keys, machine);
  }

  /** Loads all rows, compacts them and keeps that; counts reads of rows that may be hot. */
  private void load(Cell cell, BenchBed bed) throws Exception {
    out.println("  loading " + cell.load());
    machine.release();
    Properties properties =
        cell.mix().properties(UserTable.NAME, settings.rows, settings.fields, "uniform");
    ObjectNode load = JSON.createObjectNode();
    boolean learns = cell.hotPercent() > 0 && settings.learn > 0;
    if (learns) {
      bed.holdTheData();
    }
    bed.bed.start();
    try (Connection connection = ConnectionFactory.createConnection(bed.conf())) {
      UserTable table = new UserTable(connection);
      table.create(bed.scale.regions(), cell.number(Axis.BLOCK) * KB);
      load.put("seconds", Numbers.rounded(table.load(properties)));
      table.compact();
      if (learns) {
        load.set("hot", new HotLearning(cell, bed, settings).count(connection));
      }
      table.shutDown();
    }
    keep(cell.load(), bed, load);
  }

  /** Makes the state of a share out of rows that were loaded and learnt, and keeps it. */
  private void split(Cell cell, BenchBed bed) throws Exception {
    out.println("  compacting into " + cell.state());
    machine.release();
    bed.prepare(cell);
    bed.holdTheData();
    bed.start();
    ObjectNode load = JSON.createObjectNode();
    try (Connection connection = ConnectionFactory.createConnection(bed.conf())) {
      UserTable table = new UserTable(connection);
      table.awaitServed();
      load.set("hot", new HotLearning(cell, bed, settings).split(connection, table));
      table.shutDown();
    }
    keep(cell.state(), bed, load);
  }

  /** Ends all processes in good order and keeps what they have. */
  private void keep(String state, BenchBed bed, ObjectNode load)
      throws IOException, InterruptedException {
    bed.bed.end();
    bed.save(state);
    load.put("onHddMb", Numbers.rounded(SavedFiles.bytes(bed.hdd.path()) / 1e6));
    load.put("onSsdMb", Numbers.rounded(SavedFiles.bytes(bed.ssd.path()) / 1e6));
    results.load(state, load);
    out.println("  loaded: " + load);
  }

  private void dropAndKeepLogs(String load) throws IOException, InterruptedException {
    BenchBed bed = beds.remove(load);
    if (bed != null) {
      bed.bed.keep();
      out.println("  what its processes logged is kept: " + bed.bed.directory());
      bed.close();
    }
  }

  /** Ends all processes and removes all that is stored. */
  @Override
  public void close() throws IOException, InterruptedException {
    for (BenchBed bed : beds.values()) {
      bed.close();
    }
  }
}
