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
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.runtime.HybridKeys;
import io.github.hybridhbase.wal.sync.GroupCommit;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.wal.AsyncProtobufLogWriter;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.hbase.wal.AsyncFSWALProvider;
import org.apache.hadoop.hbase.wal.AsyncFSWALProvider.AsyncWriter;
import org.apache.hadoop.hbase.wal.FSHLogProvider;
import org.apache.hadoop.hbase.wal.WAL.Entry;
import org.apache.hadoop.hbase.wal.WALFactory;
import org.apache.hadoop.hbase.wal.WALStreamReader;
import org.apache.hbase.thirdparty.io.netty.channel.nio.NioEventLoopGroup;
import org.apache.hbase.thirdparty.io.netty.channel.socket.nio.NioSocketChannel;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The real writers on a local file system: HBase's format, header, trailer and close. */
@InterfaceAudience.Private
@Timeout(60)
class HybridAsyncWriterTest {
  private static NioEventLoopGroup events;

  @TempDir java.nio.file.Path dir;
  private Configuration conf;
  private FileSystem fs;
  private Path wals;

  @BeforeAll
  static void startEventLoop() {
    events = new NioEventLoopGroup(1);
  }

  @AfterAll
  static void stopEventLoop() {
    events.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
  }

  @BeforeEach
  void configure() throws IOException {
    conf = HBaseConfiguration.create();
    conf.setBoolean(CommonFSUtils.UNSAFE_STREAM_CAPABILITY_ENFORCE, false);
    conf.set(AsyncFSWALProvider.WRITER_IMPL, HybridAsyncWriter.class.getName());
    conf.set(FSHLogProvider.WRITER_IMPL, HybridLogWriter.class.getName());
    fs = FileSystem.getLocal(conf);
    fs.getConf().setBoolean(CommonFSUtils.UNSAFE_STREAM_CAPABILITY_ENFORCE, false);
    Path root = fs.makeQualified(new Path(dir.toUri().getPath(), "hbase"));
    wals = new Path(root, "WALs/s");
    fs.mkdirs(wals);
    CommonFSUtils.setRootDir(conf, root);
  }

  private AsyncWriter open(Path file) throws IOException {
    return AsyncFSWALProvider.createAsyncWriter(
        conf, fs, file, false, events, NioSocketChannel.class);
  }

  private List<String> rows(Path file) throws IOException {
    List<String> rows = new ArrayList<>();
    try (WALStreamReader reader = WALFactory.createStreamReader(fs, file, conf)) {
      for (Entry entry = reader.next(); entry != null; entry = reader.next()) {
        rows.add(Bytes.toString(CellUtil.cloneRow(entry.getEdit().getCells().get(0))));
      }
    }
    return rows;
  }

  private static List<String> expected(int count) {
    return IntStream.range(0, count).mapToObj(i -> "row-" + i).collect(Collectors.toList());
  }

  @ParameterizedTest
  @CsvSource({"false, false", "false, true", "true, false", "true, true"})
  void whatIsSyncedIsReadBackWithItsTrailer(boolean hsync, boolean compressed) throws Exception {
    conf.setBoolean(HRegion.WAL_HSYNC_CONF_KEY, hsync);
    conf.setBoolean("hbase.regionserver.wal.enablecompression", compressed);
    Path file = new Path(wals, "wal.1");
    AsyncWriter writer = open(file);
    List<CompletableFuture<Long>> syncs = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      writer.append(WalEntries.entry(i, i % 1500));
      if (i % 3 == 0) {
        syncs.add(writer.sync(i % 2 == 0));
      }
    }
    syncs.add(writer.sync(true));
    for (CompletableFuture<Long> sync : syncs) {
      assertTrue(sync.get() <= writer.getLength());
    }
    assertEquals(writer.getLength(), writer.getSyncedLength());
    long beforeTrailer = writer.getLength();
    writer.close();
    assertTrue(writer.getSyncedLength() > beforeTrailer);
    assertEquals(fs.getFileStatus(file).getLen(), writer.getSyncedLength());
    assertEquals(expected(2_000), rows(file));
  }

  @ParameterizedTest
  @CsvSource({"hbase, false, false", "hbase, true, true", "hbase-remote, true, false"})
  void onlyTheHsyncsOfOurLogsAreCoalesced(String under, boolean hsync, boolean coalesced)
      throws IOException {
    assertTrue(HybridAsyncWriter.isKnown());
    conf.setBoolean(HRegion.WAL_HSYNC_CONF_KEY, hsync);
    Path file = fs.makeQualified(new Path(dir.toUri().getPath(), under + "/WALs/s/wal.1"));
    fs.mkdirs(file.getParent());
    AsyncWriter writer = open(file);
    assertEquals(coalesced, ((AsyncProtobufLogWriter) writer).getOutput() instanceof GroupCommit);
    writer.close();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aSyncAfterCloseFailsAndDoesNotThrow(boolean hsync) throws IOException {
    conf.setBoolean(HRegion.WAL_HSYNC_CONF_KEY, hsync);
    AsyncWriter writer = open(new Path(wals, "wal.1"));
    writer.close();
    writer.close();
    assertTrue(writer.sync(true).isCompletedExceptionally());
  }

  @Test
  void aFileSystemWithoutPipelinesIsStockUnderAuto() throws Exception {
    conf.set(HybridKeys.WAL_HSYNC.name(), "auto");
    Path file = new Path(wals, "auto.1");
    AsyncWriter writer = open(file);
    writer.append(WalEntries.entry(0, 0));
    assertTrue(writer.sync(false).get() > 0);
    writer.close();
    assertEquals(expected(1), rows(file));
  }

  @Test
  void theFilesystemWriterWritesTheSameFile() throws Exception {
    conf.set(HybridKeys.WAL_HSYNC.name(), "auto");
    Path file = new Path(wals, "fshlog.1");
    FSHLogProvider.Writer writer = FSHLogProvider.createWriter(conf, fs, file, false);
    assertEquals(HybridLogWriter.class, writer.getClass());
    for (int i = 0; i < 100; i++) {
      writer.append(WalEntries.entry(i, i % 1500));
      writer.sync(i % 2 == 0);
    }
    writer.close();
    writer.sync(false);
    assertEquals(expected(100), rows(file));
  }
}
