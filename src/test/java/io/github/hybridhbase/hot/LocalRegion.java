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
package io.github.hybridhbase.hot;

import io.github.hybridhbase.testing.ScratchDirectory;
import java.io.IOException;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.regionserver.ChunkCreator;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.MemStoreLAB;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.StoreEngine;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionContext;
import org.apache.hadoop.hbase.regionserver.throttle.NoLimitThroughputController;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.hbase.util.Pair;
import org.apache.hadoop.hbase.wal.WAL;
import org.apache.hadoop.hbase.wal.WALFactory;
import org.apache.yetus.audience.InterfaceAudience;

/** A region of HBase's on the local file system, without a server. */
@InterfaceAudience.Private
public final class LocalRegion implements AutoCloseable {
  public static final byte[] FAMILY = Bytes.toBytes("f");

  /** Without permissions: Hadoop starts a process for each. */
  public static class Files extends RawLocalFileSystem {
    @Override
    public void setPermission(Path file, FsPermission permission) {}
  }

  private static final String FILES = "fs.file.impl";

  private final Configuration conf;
  private final TableDescriptor table;
  private final RegionInfo info;
  private WALFactory wals;
  private WAL wal;
  private HRegion region;
  private ScratchDirectory scratch;

  /** Opens a region of the same file system that is there already. */
  LocalRegion(LocalRegion beside, TableDescriptor table, RegionInfo info) throws IOException {
    this.conf = beside.conf;
    this.table = table;
    this.info = info;
    this.wals = beside.wals;
    this.wal = wals.getWAL(info);
    this.region = open();
  }

  /** Makes one in a directory of its own, which is deleted when it is closed. */
  public static LocalRegion scratch(ColumnFamilyDescriptor family, Consumer<Configuration> settings)
      throws IOException {
    ScratchDirectory scratch = ScratchDirectory.under(Paths.get("target", "regions"), "region");
    LocalRegion made = new LocalRegion(new Path(scratch.path().toUri()), family, settings);
    made.scratch = scratch;
    return made;
  }

  /** One row in so many is hot; 0 for compactions with one output. */
  static Consumer<Configuration> hot(int oneIn, long salt) {
    return conf -> {
      conf.setInt(SplitEngine.ONE_IN, oneIn);
      conf.setLong(SplitEngine.SALT, salt);
    };
  }

  /** Its files can be lost, see {@link MortalFileSystem}. */
  static Consumer<Configuration> mortal(int oneIn, long salt) {
    return hot(oneIn, salt)
        .andThen(conf -> conf.setClass(FILES, MortalFileSystem.class, FileSystem.class));
  }

  LocalRegion(Path root, ColumnFamilyDescriptor family, Consumer<Configuration> settings)
      throws IOException {
    this.conf = HBaseConfiguration.create();
    // One file less for each file, and each operation.
    conf.setClass(FILES, Files.class, FileSystem.class);
    conf.setBoolean("fs.file.impl.disable.cache", true);
    CommonFSUtils.setRootDir(conf, root);
    conf.set(HConstants.HBASE_DIR, root.toString());
    conf.set(WALFactory.WAL_PROVIDER, "filesystem");
    conf.setBoolean("hbase.unsafe.stream.capability.enforce", false);
    conf.setClass(StoreEngine.STORE_ENGINE_CLASS_KEY, SplitEngine.class, StoreEngine.class);
    conf.setFloat(HConstants.HFILE_BLOCK_CACHE_SIZE_KEY, 0.1f);
    conf.setBoolean("hbase.regionserver.metrics.enabled", false);
    conf.setBoolean(MemStoreLAB.USEMSLAB_KEY, false);
    conf.setInt("hbase.hstore.compaction.kv.max", 4); // wide rows come in several batches
    conf.setInt("hbase.hstore.blockingStoreFiles", 1_000);
    conf.setInt("hdfs.client.retries.number", 1);
    conf.setInt("hdfs.client.sleep.before.retries", 1);
    settings.accept(conf);
    this.table =
        TableDescriptorBuilder.newBuilder(TableName.valueOf("t")).setColumnFamily(family).build();
    this.info = RegionInfoBuilder.newBuilder(table.getTableName()).build();
    this.wals = new WALFactory(conf, UUID.randomUUID().toString());
    this.wal = wals.getWAL(info);
    ChunkCreator.initialize(2 << 20, false, 0, 0, 0, null, 0);
    this.region = HRegion.createHRegion(info, root, conf, table, wal);
  }

  public Configuration conf() {
    return conf;
  }

  TableDescriptor table() {
    return table;
  }

  RegionInfo info() {
    return info;
  }

  public HRegion region() {
    return region;
  }

  public HStore store() {
    return region.getStore(FAMILY);
  }

  SplitEngine engine() {
    return (SplitEngine) store().getStoreEngine();
  }

  public List<HStoreFile> files() {
    return new ArrayList<>(store().getStorefiles());
  }

  public void flush() throws IOException {
    region.flush(true);
  }

  /** Compacts those of these files, next to each other, that HBase does not drop as expired. */
  void compact(List<HStoreFile> files) throws IOException {
    engine().next = files;
    Optional<CompactionContext> selected = store().requestCompaction();
    if (selected.isPresent()) {
      store().compact(selected.get(), NoLimitThroughputController.INSTANCE, null);
    }
  }

  void archive() throws IOException {
    store().closeAndArchiveCompactedFiles();
  }

  /** Closes the region and opens it again, as a move does. */
  void reopen() throws IOException {
    region.close();
    region = open();
  }

  /** Opens it again as another server does whose predecessor died: nothing is closed. */
  void reopenAfterCrash() throws IOException {
    wals.shutdown();
    wals = new WALFactory(conf, UUID.randomUUID().toString());
    wal = wals.getWAL(info);
    region = open();
  }

  private HRegion open() throws IOException {
    Path root = CommonFSUtils.getRootDir(conf);
    return HRegion.openHRegion(conf, root.getFileSystem(conf), root, info, table, wal);
  }

  /** Loads a file of these cells, sorted. */
  void bulkLoad(List<KeyValue> cells) throws IOException {
    Path staged = new Path(CommonFSUtils.getRootDir(conf), "staging/f/" + UUID.randomUUID());
    try (HFile.Writer writer =
        HFile.getWriterFactoryNoCache(conf)
            .withPath(region.getFilesystem(), staged)
            .withFileContext(new HFileContextBuilder().withIncludesTags(true).build())
            .create()) {
      for (KeyValue cell : cells) {
        writer.append(cell);
      }
    }
    region.bulkLoadHFiles(List.of(Pair.newPair(FAMILY, staged.toString())), true, null);
  }

  /** What clients see, or all cells that are there. */
  List<String> cells(boolean raw, int versions) throws IOException {
    Scan scan = new Scan().readVersions(versions).setRaw(raw);
    List<String> found = new ArrayList<>();
    try (RegionScanner scanner = region.getScanner(scan)) {
      List<Cell> some = new ArrayList<>();
      boolean more;
      do {
        more = scanner.next(some);
        for (Cell cell : some) {
          found.add(
              CellUtil.getCellKeyAsString(cell).replaceAll("/seqid=.*", "")
                  + "="
                  + Bytes.toStringBinary(CellUtil.cloneValue(cell))
                  + " "
                  + Bytes.toStringBinary(PrivateCellUtil.cloneTags(cell)));
        }
        some.clear();
      } while (more);
    }
    return found;
  }

  /** Closes the region and leaves the WALs open for others; returns its files. */
  List<HStoreFile> leave() throws IOException {
    return region.close().get(FAMILY);
  }

  @Override
  public void close() throws IOException {
    region.close();
    wals.close();
    if (scratch != null) {
      scratch.close();
    }
  }
}
