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

import io.github.hybridhbase.hdfs.FileBlocks;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.runtime.Component;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.Layout;
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.scan.BlockScanner;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.yetus.audience.InterfaceAudience;

/** Bytes of all replicas by component and medium at one moment, read from block locations. */
@InterfaceAudience.Private
final class MediaTotals {
  /** What was found of one component. */
  private static final class Row {
    private final Set<String> policies = new TreeSet<>();
    private long ssd;
    private long disk;
    private long misplaced;
  }

  private final Map<Component, Row> rows = new EnumMap<>(Component.class);

  private MediaTotals() {}

  /**
   * Walks a cluster's HBase.
   *
   * @param conf with the declaration by which replicas are judged
   */
  static MediaTotals take(DistributedFileSystem fs, Configuration conf) throws IOException {
    MediaTotals totals = new MediaTotals();
    HybridSettings declared = HybridSettings.read(conf);
    Path root = fs.makeQualified(CommonFSUtils.getRootDir(conf));
    Layout layout = new Layout(root, root);
    new BlockScanner(layout, any -> StorageNamespace.of(fs))
        .walk(
            (context, file) -> {
              // A young store file has a policy of its own, a descriptor none.
              boolean own = context.component() == Component.USER || !layout.isPlaced(file.path);
              StoragePolicy wanted =
                  own
                      ? StoragePolicy.ofId(file.policy).orElse(StoragePolicy.HOT)
                      : declared.policy(context.component());
              totals.add(context.component(), whole(fs, file), wanted);
            });
    return totals;
  }

  private void add(Component component, FileBlocks file, StoragePolicy wanted) {
    Row row = rows.computeIfAbsent(component, c -> new Row());
    row.policies.add(
        file.policy == StoragePolicy.UNSPECIFIED ? "-" : StoragePolicy.describe(file.policy));
    row.ssd += file.bytes(StorageType.SSD);
    row.disk += file.bytes(StorageType.DISK);
    row.misplaced += file.misplacedBytes(wanted);
  }

  /**
   * The NameNode does not know how far an open file has grown; its DataNodes do, and an open WAL is
   * most of what there is to see.
   */
  private static FileBlocks whole(DistributedFileSystem fs, FileBlocks file) throws IOException {
    if (!file.open) {
      return file;
    }
    try (FSDataInputStream in = fs.open(file.path)) {
      if (((HdfsDataInputStream) in).getVisibleLength() == 0) {
        return file; // it has just been created
      }
      List<FileBlocks.Block> blocks = new ArrayList<>();
      for (LocatedBlock block : ((HdfsDataInputStream) in).getAllBlocks()) {
        blocks.add(new FileBlocks.Block(block.getBlockSize(), block.getStorageTypes()));
      }
      return new FileBlocks(
          file.path, file.length, blocks.isEmpty() ? 0 : 3, file.policy, true, blocks, 0, false);
    } catch (FileNotFoundException e) {
      return file; // archived meanwhile
    }
  }

  /** The policies in force on the component's files. */
  String policies(Component component) {
    Row row = rows.get(component);
    return row == null ? "-" : String.join(",", row.policies);
  }

  /** Bytes on SSD. */
  long ssd(Component component) {
    Row row = rows.get(component);
    return row == null ? 0 : row.ssd;
  }

  /** Bytes on DISK. */
  long disk(Component component) {
    Row row = rows.get(component);
    return row == null ? 0 : row.disk;
  }

  /** Bytes that the declared policy does not want where they are. */
  long misplaced(Component component) {
    Row row = rows.get(component);
    return row == null ? 0 : row.misplaced;
  }
}
