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
import java.io.IOException;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Has the plugin learn which rows are hot, by reads from memory, and HBase compact the table once
 * more, as its periodic major compactions would. For one thread.
 */
@InterfaceAudience.Private
final class HotLearning {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int TIER_SECONDS = 180;

  /** The sketch grows once a period of the plugin's: what is read faster is not counted. */
  static final int READS_PER_SECOND = 6_000;

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
    long reads = 0;
    try (YcsbClient client =
        new YcsbClient(
            connection,
            Mix.C.properties(UserTable.NAME, settings.rows, settings.fields, cell.keys()),
            cell.number(Axis.THREADS),
            READS_PER_SECOND)) {
      while (reads < settings.learn * settings.rows) {
        client.sleep(1);
        reads += client.take().count(YcsbClient.TRANSACTION);
      }
    }
    result.put("reads", reads);
    result.put("seconds", Numbers.rounded((System.nanoTime() - start) / 1e9));
    result.set("learnt", seen(bed));
    result.put("compactionSeconds", Numbers.rounded(table.compact()));
    result.set("split", seen(bed));
    return result;
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
