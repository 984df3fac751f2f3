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
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.Mockito.mock;

import io.github.hybridhbase.hdfs.HdfsNamespace;
import io.github.hybridhbase.testing.TypedHdfs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hbase.Abortable;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.hbase.wal.WAL.Entry;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.apache.hadoop.hbase.wal.WALFactory;
import org.apache.hadoop.hbase.wal.WALKeyImpl;
import org.apache.hadoop.hbase.wal.WALProvider.Writer;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
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
  private static final byte[] REGION = "region".getBytes(StandardCharsets.UTF_8);
  private static final Path ROOT = new Path("/hbase");
  private static final Path WALS = new Path(ROOT, "WALs");
  private static final Path DATA = new Path(ROOT, "data");
  private static final Path EDITS = new Path(DATA, "default/t/r/recovered.edits");
  private static final String SERVER = "rs.example.org,16020,1";
  private static final int BLOCK = 1 << 20;

  @TempDir private static java.nio.file.Path volumes;

  private static TypedHdfs hdfs;
  private static Configuration conf;
  private static WALFactory factory;

  @BeforeAll
  static void start() throws IOException {
    Configuration of = new Configuration();
    of.setInt("dfs.replication", 1);
    of.setInt("dfs.blocksize", BLOCK);
    hdfs = TypedHdfs.start(of, volumes, 1, TypedHdfs.SSD_AND_DISK);
    conf = HBaseConfiguration.create(hdfs.fs().getConf());
    conf.set(WALFactory.WAL_PROVIDER, HybridWALProvider.class.getName());
    CommonFSUtils.setRootDir(conf, ROOT);
    hdfs.fs().mkdirs(WALS);
    hdfs.fs().mkdirs(EDITS);
    factory = new WALFactory(conf, SERVER, mock(Abortable.class));
  }

  @AfterAll
  static void stop() throws IOException {
    factory.close();
    hdfs.close();
  }

  @BeforeEach
  @AfterEach
  void forget() throws IOException {
    HybridServer.of(SERVER).get().fallbacks().recoveredEdits().forget();
    hdfs.fs().setQuotaByStorageType(DATA, StorageType.SSD, HdfsConstants.QUOTA_RESET);
    hdfs.fs().setStoragePolicy(WALS, "ALL_SSD");
    hdfs.fs().setStoragePolicy(DATA, "HOT");
  }

  private static Entry entry(int number) {
    WALEdit edit = new WALEdit();
    edit.add(new KeyValue(REGION, REGION, REGION, number, new byte[1000]));
    return new Entry(new WALKeyImpl(REGION, TableName.valueOf("t"), number), edit);
  }

  private static Path write(String name, int entries) throws IOException {
    Path file = new Path(EDITS, name);
    try (Writer writer = factory.createRecoveredEditsWriter(hdfs.fs(), file)) {
      for (int number = 0; number < entries; number++) {
        writer.append(entry(number));
      }
    }
    return file;
  }

  private static Set<StorageType> media(Path file) throws IOException {
    Set<StorageType> media = EnumSet.noneOf(StorageType.class);
    HdfsNamespace.of(hdfs.fs())
        .get()
        .blocks(file)
        .get()
        .blocks()
        .forEach(block -> media.addAll(block.replicas()));
    return media;
  }

  private static void assertHolds(Path file, int entries) throws IOException {
    List<Long> read = new ArrayList<>();
    WalEntries.read(
        hdfs.fs(),
        file,
        factory,
        entry -> read.add(entry.getEdit().getCells().get(0).getTimestamp()));
    assertEquals(
        IntStream.range(0, entries).mapToObj(Long::valueOf).collect(Collectors.toList()), read);
  }

  @ParameterizedTest
  @CsvSource({"ALL_SSD, SSD", "ONE_SSD, DISK", "HOT, DISK"})
  void editsGoWhereWalsGo(String policy, StorageType medium) throws IOException {
    hdfs.fs().setStoragePolicy(WALS, policy);
    Path file = write("follows-" + policy, 3_000); // two blocks
    assertEquals(Set.of(medium), media(file));
    assertHolds(file, 3_000);
  }

  /** As of a table, and of hbase:meta, whose own directory is declared for SSD. */
  @ParameterizedTest
  @CsvSource({"HOT", "ALL_SSD"})
  void whatSsdRefusesGoesToDisk(String directory) throws IOException {
    hdfs.fs().setStoragePolicy(DATA, directory);
    hdfs.fs().setQuotaByStorageType(DATA, StorageType.SSD, 1);
    Path file = write("refused-" + directory, 10);
    assertEquals(Set.of(StorageType.DISK), media(file));
    assertHolds(file, 10);
    hdfs.fs().setQuotaByStorageType(DATA, StorageType.SSD, HdfsConstants.QUOTA_RESET);
    assertEquals(
        Set.of(StorageType.DISK), media(write("after-" + directory, 10)), "SSD is tried at once");
  }

  @Test
  void theSplitThatFollowsABrokenOneWritesToDisk() throws IOException {
    hdfs.fs().setQuotaByStorageType(DATA, StorageType.SSD, 3 * BLOCK); // its blocks are of 2 MB
    Writer broken = factory.createRecoveredEditsWriter(hdfs.fs(), new Path(EDITS, "broken"));
    assertThrows(
        IOException.class,
        () -> {
          for (int number = 0; number < 3_000; number++) {
            broken.append(entry(number));
          }
          broken.close();
        });
    Path file = write("again", 3_000);
    assertEquals(Set.of(StorageType.DISK), media(file));
    assertHolds(file, 3_000);
  }

  @Test
  void aSiteThatNamesAWriterKeepsIt() {
    Configuration site = new Configuration(conf);
    String key = WriterKind.STREAM.key();
    assertEquals(RecoveredEditsWriter.class.getName(), site.get(key));
    assertTrue(WriterKind.STREAM.configured(site).isEmpty(), "the plugin's own is not the site's");
    site.set(key, "org.example.Writer");
    DelegateProvider.splitSoon(site, SERVER);
    assertEquals("org.example.Writer", site.get(key));
  }
}
