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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.hybridhbase.testing.Line;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.DisabledRegionSplitPolicy;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Which volumes answer Gets of hot rows: where 4 of 20 DataNodes have SSD and the RegionServer's
 * own has none, and where all have. The server is in a network of its own with one DataNode, which
 * HDFS so takes for local. DataNodes count reads by volume; latencies are printed, from page caches
 * over a cable without a length. Needs root.
 */
@InterfaceAudience.Private
@Tag("long")
@Timeout(value = 20, unit = TimeUnit.MINUTES)
class FewSsdHotIT {
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final int ROWS = 20_000;

  /** One row in so many is read. */
  private static final int ONE_IN = 50;

  private static final int GETS = 2_000;

  /** How old what a DataNode's JMX tells may be, and one more. */
  private static final int JMX_SECONDS = 11;

  private final Random random = new Random(39);
  private OwnedBed bed;
  private Connection connection;

  @ParameterizedTest
  @CsvSource({"20, 4", "3, 3"})
  void hotGetsAreAnsweredFromSsd(int dataNodes, int ssds) throws Exception {
    BedSpec spec =
        BedSpec.of(Line.built())
            .dataNodes(dataNodes)
            .ssdDataNodes(ssds)
            .regionServersBesideIt()
            .plugin(Installation.plugin(), Installation.site())
            .set("dfs.datanode.fileio.profiling.sampling.percentage", "100")
            .set("dfs.block.scanner.volume.bytes.per.second", "0") // it reads too
            .set("hybrid.tests.period", "1")
            .set("hbase.hfile.compaction.discharger.interval", "1000")
            .set("hbase.table.sanity.checks", "false");
    try (OwnedBed owned = OwnedBed.make(spec)) {
      bed = owned;
      bed.start();
      Configuration conf = bed.client();
      try (Connection opened = ConnectionFactory.createConnection(conf);
          FileSystem fs = FileSystem.newInstance(conf)) {
        connection = opened;
        String where = "SSD in " + ssds + " of " + dataNodes + " DataNodes";
        double all = fromSsd(fs, where, "ALL_SSD");
        double one = fromSsd(fs, where, "ONE_SSD");
        // Reads of others count too, of hbase:meta and by compactions.
        assertTrue(all >= 0.9, "ALL_SSD " + all);
        // HDFS reads the nearest replica, whatever it is on.
        assertTrue(ssds < dataNodes ? one < 0.5 : one >= 0.9, "ONE_SSD " + one);
      }
    }
  }

  /** The part of the reads of hot rows of a new table that SSDs answer. */
  private double fromSsd(FileSystem fs, String where, String policy) throws Exception {
    TableName name = TableName.valueOf(policy);
    create(name, policy);
    bed.awaitTier();
    fill(name);
    long splits = bed.plugin(bed.process("rs0")).path("HotSplits").asLong();
    try (Table table = connection.getTable(name)) {
      bed.await(
          "a file of hot rows of " + policy,
          () -> {
            read(table, 200);
            return bed.plugin(bed.process("rs0")).path("HotSplits").asLong() > splits;
          });
      List<FileStatus> files = new ArrayList<>();
      bed.await(
          "its two files alone",
          () -> {
            files.clear();
            files.addAll(storeFiles(fs, name));
            return files.size() == 2 && !isCompacting(name);
          });
      FileStatus hot = files.get(0).getLen() < files.get(1).getLen() ? files.get(0) : files.get(1);
      List<String> media = new ArrayList<>();
      for (BlockLocation block : fs.getFileBlockLocations(hot, 0, hot.getLen())) {
        media.add(Arrays.toString(block.getStorageTypes()));
      }
      read(table, 200); // opens what is open from now on
      long[] before = reads();
      long[] micros = read(table, GETS);
      long[] after = reads();
      long ssd = after[0] - before[0];
      long disk = after[1] - before[1];
      System.out.printf(
          "%s, %s: hot file %s, %d reads of SSD, %d of DISK;"
              + " a Get %d us in the median, %d at the 99th percentile%n",
          where, policy, media, ssd, disk, micros[GETS / 2], micros[GETS * 99 / 100]);
      assertEquals(
          policy.equals("ONE_SSD") ? 1 : 3,
          Arrays.stream(fs.getFileBlockLocations(hot, 0, 1)[0].getStorageTypes())
              .filter(type -> type == StorageType.SSD)
              .count(),
          media::toString);
      assertTrue(ssd + disk >= GETS, "a Get reads a block at least: " + (ssd + disk));
      return (double) ssd / (ssd + disk);
    }
  }

  private void create(TableName name, String policy) throws IOException {
    Admin admin = connection.getAdmin();
    admin.createTable(
        TableDescriptorBuilder.newBuilder(name)
            .setColumnFamily(
                ColumnFamilyDescriptorBuilder.newBuilder(FAMILY)
                    .setBlocksize(4_096)
                    .setBlockCacheEnabled(false)
                    .build())
            .setMemStoreFlushSize(1 << 19)
            .setRegionSplitPolicyClassName(DisabledRegionSplitPolicy.class.getName())
            .setValue("hbase.hybrid.hot.policy", policy)
            .setValue("hbase.hybrid.hot.share", "10")
            .build());
  }

  private void fill(TableName name) throws IOException {
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      byte[] value = new byte[600];
      random.nextBytes(value);
      puts.add(new Put(row(i)).addColumn(FAMILY, FAMILY, value));
    }
    try (Table table = connection.getTable(name)) {
      table.put(puts);
    }
    connection.getAdmin().flush(name);
    connection.getAdmin().majorCompact(name);
  }

  private static byte[] row(int number) {
    return Bytes.toBytes(String.format("%08d", number));
  }

  /** Reads hot rows; what each took, in microseconds, the shortest first. */
  private long[] read(Table table, int gets) throws IOException {
    long[] micros = new long[gets];
    for (int i = 0; i < gets; i++) {
      int number = random.nextInt(ROWS / ONE_IN) * ONE_IN;
      long start = System.nanoTime();
      assertTrue(table.get(new Get(row(number))).containsColumn(FAMILY, FAMILY));
      micros[i] = TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - start);
    }
    Arrays.sort(micros);
    return micros;
  }

  private boolean isCompacting(TableName name) throws IOException {
    return connection.getAdmin().getCompactionState(name) != CompactionState.NONE;
  }

  private static List<FileStatus> storeFiles(FileSystem fs, TableName name) throws IOException {
    Path table = new Path("/hbase/data/default/" + name.getNameAsString());
    FileStatus[] found =
        fs.globStatus(new Path(table, "[0-9a-f]*/" + Bytes.toString(FAMILY) + "/[0-9a-f]*"));
    return Arrays.asList(found);
  }

  /** Of all DataNodes since they started: of SSD, of DISK. */
  private long[] reads() throws IOException, InterruptedException {
    TimeUnit.SECONDS.sleep(JMX_SECONDS);
    long[] reads = new long[2];
    for (ServerProcess node : bed.processes(Role.DATANODE)) {
      for (String volume : node.get("dfs.datanode.data.dir").split(",", -1)) {
        int medium = volume.startsWith("[SSD]") ? 0 : 1;
        String path = volume.substring(volume.indexOf(']') + 1).replaceAll("^file:/+", "/");
        JsonNode counts =
            bed.dataNode(
                node, "name=DataNodeVolume-" + path.replaceAll("/+$", "").replace(':', '-'));
        assertTrue(counts.has("TransferIoRateNumOps"), () -> volume + ": " + counts);
        reads[medium] += counts.path("TransferIoRateNumOps").asLong();
      }
    }
    return reads;
  }
}
