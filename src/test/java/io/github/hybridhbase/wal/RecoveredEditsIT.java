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
package io.github.hybridhbase.wal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.mockito.Mockito.mock;

import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.testing.TypedHdfs;
import io.github.hybridhbase.wal.fallback.HybridServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hbase.Abortable;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.hbase.wal.WALFactory;
import org.apache.hadoop.hbase.wal.WALProvider.Writer;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.test.Whitebox;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Blocks of the edits that the split of a dead server's WAL leaves to a region. */
@InterfaceAudience.Private
@Timeout(120)
class RecoveredEditsIT {
  private static final Path ROOT = new Path("/hbase");
  private static final Path WALS = new Path(ROOT, "WALs");
  private static final Path DATA = new Path(ROOT, "data");
  private static final Path EDITS = new Path(DATA, "default/t/r/recovered.edits");
  private static final int BLOCK = 1 << 20;

  /** More than a block of them. */
  private static final int MANY = 1_500;

  @TempDir private static java.nio.file.Path volumes;

  private static TypedHdfs hdfs;
  private static Configuration conf;
  private static int startcode;

  private WALFactory factory;
  private HybridServer server;

  @BeforeAll
  static void startHdfs() throws IOException {
    Configuration of = new Configuration();
    of.setInt("dfs.replication", 1);
    hdfs = TypedHdfs.start(of, volumes, 1, TypedHdfs.SSD_AND_DISK);
    conf = HBaseConfiguration.create(hdfs.fs().getConf());
    conf.set(WALFactory.WAL_PROVIDER, HybridWALProvider.class.getName());
    conf.setInt("hbase.regionserver.recoverededits.blocksize", BLOCK);
    CommonFSUtils.setRootDir(conf, ROOT);
    hdfs.fs().mkdirs(WALS);
    hdfs.fs().mkdirs(EDITS);
  }

  @AfterAll
  static void stopHdfs() {
    hdfs.close();
  }

  @BeforeEach
  void startServer() throws IOException {
    quota(StorageType.SSD, HdfsConstants.QUOTA_RESET);
    quota(StorageType.DISK, HdfsConstants.QUOTA_RESET);
    startServer("ALL_SSD", "HOT");
  }

  private void startServer(String ofWals, String ofData) throws IOException {
    conf.set("hbase.hybrid.wal.policy", ofWals);
    hdfs.fs().setStoragePolicy(DATA, ofData);
    factory = new WALFactory(conf, "rs.example.org,16020," + ++startcode, mock(Abortable.class));
    server = HybridServer.of(factory.getFactoryId()).get();
  }

  @AfterEach
  void stopServer() throws IOException {
    factory.close();
  }

  private void policies(String ofWals, String ofData) throws IOException {
    stopServer();
    startServer(ofWals, ofData);
  }

  private static void quota(StorageType type, long bytes) throws IOException {
    hdfs.fs().setQuotaByStorageType(DATA, type, bytes);
  }

  private Writer open(String name) throws IOException {
    return factory.createRecoveredEditsWriter(hdfs.fs(), new Path(EDITS, name));
  }

  private static void append(Writer writer, int entries) throws IOException {
    for (int number = 0; number < entries; number++) {
      writer.append(WalEntries.entry(number, 1000));
    }
  }

  /** Writes and reads a file; returns the media of its blocks. */
  private Set<StorageType> media(String name, int entries) throws IOException {
    try (Writer writer = open(name)) {
      append(writer, entries);
    }
    Path file = new Path(EDITS, name);
    List<Long> read = new ArrayList<>();
    WalEntries.read(
        hdfs.fs(),
        file,
        factory,
        entry -> read.add(entry.getEdit().getCells().get(0).getTimestamp()));
    assertEquals(
        IntStream.rangeClosed(1, entries).mapToObj(Long::valueOf).collect(Collectors.toList()),
        read);
    return StorageNamespace.of(hdfs.fs()).get().blocks(file).get().blocks.stream()
        .flatMap(block -> block.replicas.stream())
        .collect(Collectors.toSet());
  }

  /** Under ONE_SSD a block may have one replica. */
  @ParameterizedTest
  @CsvSource({"ALL_SSD, HOT, SSD", "ONE_SSD, HOT, DISK", "HOT, HOT, DISK", "HOT, ALL_SSD, SSD"})
  void editsAreOnSsdIfAllReplicasOfWalsAre(String wals, String data, StorageType medium)
      throws IOException {
    policies(wals, data);
    assertEquals(Set.of(medium), media("follows-" + wals + data, MANY));
  }

  @Test
  void whatSsdRefusesGoesToDisk() throws IOException {
    quota(StorageType.SSD, 1);
    assertEquals(Set.of(StorageType.DISK), media("refused", MANY));
    quota(StorageType.SSD, HdfsConstants.QUOTA_RESET);
    assertEquals(Set.of(StorageType.DISK), media("after", 10), "SSD is tried at once");
  }

  /** As on an HDFS without DISK. */
  @Test
  void whatLeavesSsdFollowsItsDirectory() throws IOException {
    policies("ALL_SSD", "ALL_SSD");
    quota(StorageType.DISK, 1);
    server.fallback(conf, hdfs.fs()).edits(false);
    assertEquals(Set.of(StorageType.SSD), media("no-disk", MANY));
  }

  @Test
  void theSplitThatFollowsABrokenOneWritesToDisk() throws IOException {
    quota(StorageType.SSD, BLOCK + BLOCK / 2);
    assertThrows(
        IOException.class,
        () -> {
          try (Writer broken = open("broken")) { // as HBase closes what it could not write
            append(broken, MANY);
          }
        });
    assertEquals(Set.of(StorageType.DISK), media("again", MANY));
  }

  @Test
  void aLostFileIsNotBlamedOnSsd() throws IOException {
    Writer lost = open("lost");
    hdfs.fs().delete(new Path(EDITS, "lost"), false);
    assertThrows(
        IOException.class,
        () -> {
          append(lost, MANY);
          lost.close();
        });
    assertEquals(Set.of(StorageType.SSD), media("next", MANY));
  }

  /** HBase's default of twice dfs.blocksize, which its DataNode reserves. */
  @Test
  void blocksAreSmallUnlessTheNameNodeRefusesThat() throws IOException {
    factory.close();
    Configuration small = new Configuration(conf);
    small.unset("hbase.regionserver.recoverededits.blocksize");
    factory = new WALFactory(small, "rs.example.org,16020,0", mock(Abortable.class));
    assertEquals(Set.of(StorageType.SSD), media("small", 10));
    assertEquals(8 << 20, hdfs.fs().getFileStatus(new Path(EDITS, "small")).getBlockSize());
    FSNamesystem nameNode = hdfs.cluster().getNamesystem();
    Object least = Whitebox.getInternalState(nameNode, "minBlockSize");
    Whitebox.setInternalState(nameNode, "minBlockSize", 9L << 20);
    try {
      assertEquals(Set.of(StorageType.DISK), media("large", 10));
    } finally {
      Whitebox.setInternalState(nameNode, "minBlockSize", least);
    }
    assertEquals(Set.of(StorageType.SSD), media("unblamed", 10));
  }

  @Test
  void aSiteThatNamesAWriterKeepsIt() {
    Configuration site = new Configuration(conf);
    String key = "hbase.regionserver.wal.writer.impl";
    assertEquals(RecoveredEditsWriter.class.getName(), site.get(key));
    site.set(key, "org.example.Writer");
    DelegateProvider.prepareSplits(site, factory.getFactoryId());
    assertEquals("org.example.Writer", site.get(key));
  }
}
