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

import java.io.IOException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.backup.HFileArchiver;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.errorhandling.ForeignExceptionDispatcher;
import org.apache.hadoop.hbase.monitoring.TaskMonitor;
import org.apache.hadoop.hbase.regionserver.HRegionFileSystem;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.storefiletracker.StoreFileTrackerFactory;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotDescription;
import org.apache.hadoop.hbase.snapshot.RestoreSnapshotHelper;
import org.apache.hadoop.hbase.snapshot.SnapshotDescriptionUtils;
import org.apache.hadoop.hbase.snapshot.SnapshotManifest;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A table of {@link LocalRegion}s, which are split, merged, and cloned from a snapshot by HBase's
 * own classes, as its master does.
 */
@InterfaceAudience.Private
final class LocalTable implements AutoCloseable {
  private static final byte[] FAMILY = LocalRegion.FAMILY;

  private final Configuration conf;
  private final FileSystem fileSystem;
  private final Path root;
  private TableDescriptor table;

  /** By key. */
  private List<LocalRegion> regions = new ArrayList<>();

  /** Split or merged, not archived yet: others may refer to their files. */
  private final List<RegionInfo> parents = new ArrayList<>();

  private long regionIds = 1;
  private int clones;

  LocalTable(LocalRegion region) throws IOException {
    this.conf = region.conf();
    this.root = CommonFSUtils.getRootDir(conf);
    this.fileSystem = root.getFileSystem(conf);
    this.table = region.table();
    regions.add(region);
  }

  /** By key. */
  List<LocalRegion> regions() {
    return regions;
  }

  LocalRegion regionOf(byte[] row) {
    return regions.stream().filter(one -> one.info().containsRow(row)).findFirst().orElseThrow();
  }

  void flush() throws IOException {
    for (LocalRegion one : regions) {
      one.flush();
    }
  }

  /** Archives what was compacted, and parents to whose files no region refers any more. */
  void archive() throws IOException {
    for (LocalRegion one : regions) {
      one.archive();
    }
    if (regions.stream().noneMatch(one -> one.region().hasReferences())) {
      for (RegionInfo parent : parents) {
        HFileArchiver.archiveRegion(conf, fileSystem, parent);
      }
      parents.clear();
    }
  }

  void bulkLoad(List<KeyValue> cells) throws IOException {
    for (LocalRegion one : regions) {
      List<KeyValue> its =
          cells.stream()
              .filter(cell -> one.info().containsRow(CellUtil.cloneRow(cell)))
              .collect(Collectors.toList());
      if (!its.isEmpty()) {
        one.bulkLoad(its);
      }
    }
  }

  List<String> cells(boolean raw, int versions) throws IOException {
    List<String> found = new ArrayList<>();
    for (LocalRegion one : regions) {
      found.addAll(one.cells(raw, versions));
    }
    return found;
  }

  /** Splits a region without references, so that its daughters refer to its files. */
  void split(int index, byte[] row) throws IOException {
    LocalRegion parent = regions.get(index);
    RegionInfo low = info(parent.info().getStartKey(), row);
    RegionInfo high = info(row, parent.info().getEndKey());
    HRegionFileSystem files = parent.region().getRegionFileSystem();
    List<HStoreFile> closed = parent.leave();
    files.createSplitsDir(low, high);
    for (HStoreFile file : closed) {
      refer(files, "splitStoreFile", low, Bytes.toString(FAMILY), file, row, false, null);
      refer(files, "splitStoreFile", high, Bytes.toString(FAMILY), file, row, true, null);
    }
    replace(index, List.of(parent), List.of(low, high));
  }

  /** Merges a region and its right neighbour, both without references. */
  void merge(int index) throws IOException {
    List<LocalRegion> both = List.copyOf(regions.subList(index, index + 2));
    RegionInfo merged = info(both.get(0).info().getStartKey(), both.get(1).info().getEndKey());
    HRegionFileSystem files =
        HRegionFileSystem.createRegionOnFileSystem(
            conf, fileSystem, CommonFSUtils.getTableDir(root, table.getTableName()), merged);
    for (LocalRegion parent : both) {
      for (HStoreFile file : parent.leave()) {
        refer(files, "mergeStoreFile", parent.info(), Bytes.toString(FAMILY), file);
      }
    }
    replace(index, both, List.of(merged));
  }

  private RegionInfo info(byte[] start, byte[] end) {
    return RegionInfoBuilder.newBuilder(table.getTableName())
        .setStartKey(start)
        .setEndKey(end)
        .setRegionId(regionIds++)
        .build();
  }

  /** HBase 2.6.4 takes the tracker of store files as well. */
  private void refer(HRegionFileSystem files, String name, Object... arguments) throws IOException {
    ColumnFamilyDescriptor family = table.getColumnFamily(FAMILY);
    for (Method method : HRegionFileSystem.class.getMethods()) {
      if (method.getName().equals(name)) {
        Object[] all = Arrays.copyOf(arguments, method.getParameterCount());
        if (all.length > arguments.length) {
          all[arguments.length] = StoreFileTrackerFactory.create(conf, table, family, files);
        }
        try {
          method.invoke(files, all);
        } catch (ReflectiveOperationException e) {
          throw new IOException(name, e);
        }
      }
    }
  }

  private void replace(int index, List<LocalRegion> old, List<RegionInfo> by) throws IOException {
    List<LocalRegion> opened = new ArrayList<>();
    for (RegionInfo info : by) {
      opened.add(new LocalRegion(old.get(0), table, info));
    }
    regions.subList(index, index + old.size()).clear();
    regions.addAll(index, opened);
    old.forEach(one -> parents.add(one.info()));
  }

  /**
   * Clones a snapshot of the table, and deletes either the table or the clone, if they are equal.
   */
  void snapshotAndClone(boolean toClone) throws IOException {
    SnapshotDescription snapshot = snapshot();
    TableDescriptor clone =
        TableDescriptorBuilder.copy(TableName.valueOf("clone" + clones++), table);
    List<RegionInfo> infos =
        new RestoreSnapshotHelper(
                conf,
                fileSystem,
                SnapshotManifest.open(conf, fileSystem, directory(snapshot), snapshot),
                clone,
                root,
                new ForeignExceptionDispatcher("clone"),
                TaskMonitor.get().createStatus("clone"))
            .restoreHdfsRegions()
            .getRegionsToAdd();
    List<LocalRegion> cloned = new ArrayList<>();
    for (RegionInfo info : infos) {
      cloned.add(new LocalRegion(regions.get(0), clone, info));
    }
    cloned.sort((one, other) -> RegionInfo.COMPARATOR.compare(one.info(), other.info()));
    List<LocalRegion> deleted = toClone ? regions : cloned;
    for (LocalRegion one : deleted) {
      one.leave();
      HFileArchiver.archiveRegion(conf, fileSystem, one.info());
    }
    if (toClone) {
      for (RegionInfo parent : parents) {
        HFileArchiver.archiveRegion(conf, fileSystem, parent);
      }
      parents.clear();
      regions = cloned;
      table = clone;
    }
  }

  private SnapshotDescription snapshot() throws IOException {
    SnapshotDescription snapshot =
        SnapshotDescription.newBuilder()
            .setName("snapshot" + clones)
            .setTable(table.getTableName().getNameAsString())
            .setType(SnapshotDescription.Type.FLUSH)
            .setVersion(SnapshotDescriptionUtils.SNAPSHOT_LAYOUT_VERSION)
            .build();
    ForeignExceptionDispatcher monitor = new ForeignExceptionDispatcher("snapshot");
    SnapshotDescriptionUtils.writeSnapshotInfo(snapshot, directory(snapshot), fileSystem);
    SnapshotManifest manifest =
        SnapshotManifest.create(conf, fileSystem, directory(snapshot), snapshot, monitor);
    manifest.addTableDescriptor(table);
    for (LocalRegion one : regions) {
      manifest.addRegion(one.region());
    }
    manifest.consolidate();
    return snapshot;
  }

  private Path directory(SnapshotDescription snapshot) {
    return SnapshotDescriptionUtils.getCompletedSnapshotDir(snapshot, root);
  }

  @Override
  public void close() throws IOException {
    for (LocalRegion one : regions.subList(1, regions.size())) {
      one.leave();
    }
    regions.get(0).close();
  }
}
