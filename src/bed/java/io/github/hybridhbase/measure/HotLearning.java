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
import io.github.hybridhbase.bed.UserTable;
import java.io.IOException;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Has the plugin learn which rows are hot, by reads from memory. For one thread.
 *
 * <p>Rows are counted once for all shares. The counts survive a restart, so that a share needs only
 * as many reads more as tell its rows apart, and a compaction.
 */
@InterfaceAudience.Private
final class HotLearning {
  /** The greatest that there is, by which counts are halved least. */
  static final double ALL_SHARES = 50;

  /** The sketch grows once a period of the plugin's: what is read faster is not counted. */
  static final int READS_PER_SECOND = 6_000;

  /** Periods in which the plugin reads its counts, then sees a thousand reads of each region. */
  static final int LEAST_SECONDS = 40;

  /** For each region: the plugin writes the counts of one in a period. */
  private static final int WRITE_SECONDS = 20;

  private static final ObjectMapper JSON = new ObjectMapper();

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

  /** Counts reads until the counts are on HDFS, in time. */
  ObjectNode count(Connection connection) throws Exception {
    long most = settings.learnSeconds() + WRITE_SECONDS * bed.scale.regions();
    return read(connection, settings.learnSeconds(), most);
  }

  /** Reads some more, and has HBase compact the table, as its periodic compactions would. */
  ObjectNode split(Connection connection, UserTable table) throws Exception {
    ObjectNode result = read(connection, settings.renewSeconds(), 0);
    result.put("compactionSeconds", Numbers.rounded(table.compact()));
    result.set("split", seen(bed));
    return result;
  }

  private ObjectNode read(Connection connection, long least, long most) throws Exception {
    bed.awaitTier();
    ObjectNode result = JSON.createObjectNode();
    long start = System.nanoTime();
    long reads = 0;
    double took = 0;
    try (YcsbClient client =
            new YcsbClient(
                connection,
                Mix.C.properties(UserTable.NAME, settings.rows, settings.fields, cell.keys()),
                cell.number(Axis.THREADS),
                READS_PER_SECOND);
        FileSystem fs = FileSystem.newInstance(bed.conf())) {
      while (reads < least * READS_PER_SECOND
          || took < most && regionsWithCounts(fs) < bed.scale.regions()) {
        client.sleep(1);
        reads += client.take().count(YcsbClient.TRANSACTION);
        took = (System.nanoTime() - start) / 1e9;
      }
      result.put("regionsWithCounts", regionsWithCounts(fs));
    }
    result.put("reads", reads);
    result.put("seconds", Numbers.rounded(took));
    result.set("learnt", seen(bed));
    return result;
  }

  private static int regionsWithCounts(FileSystem fs) throws IOException {
    String files = "/hbase/data/default/" + UserTable.NAME + "/*/.hybrid-heat-*";
    return fs.globStatus(new org.apache.hadoop.fs.Path(files)).length;
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
