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
import io.github.hybridhbase.hdfs.Namespaces;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.runtime.Component;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.Layout;
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.scan.BlockScanner;
import io.github.hybridhbase.scan.Expectation;
import io.github.hybridhbase.scan.ScanReport;
import io.github.hybridhbase.scan.TierFiles;
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
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.yetus.audience.InterfaceAudience;

/** Bytes of all replicas by component and medium at one moment, read from block locations. */
@InterfaceAudience.Private
final class MediaTotals {
  private final Map<Component, Set<String>> policies = new EnumMap<>(Component.class);
  private final ScanReport bytes;

  private MediaTotals(ScanReport bytes) {
    this.bytes = bytes;
  }

  /**
   * Walks a cluster's HBase.
   *
   * @param conf with the declaration by which replicas are judged
   */
  static MediaTotals take(DistributedFileSystem fs, Configuration conf) throws IOException {
    HybridSettings declared = HybridSettings.read(conf);
    Path root = fs.makeQualified(CommonFSUtils.getRootDir(conf));
    Layout layout = new Layout(root, root);
    Namespaces hdfs = any -> StorageNamespace.of(fs);
    TierFiles young = TierFiles.now(hdfs, layout, declared, conf);
    MediaTotals totals =
        new MediaTotals(new ScanReport(new Expectation(layout, declared, young), 0));
    new BlockScanner(layout, hdfs)
        .walk(
            (context, file) -> {
              totals.bytes.file(context, whole(fs, file));
              totals
                  .policies
                  .computeIfAbsent(context.component(), any -> new TreeSet<>())
                  .add(
                      file.policy == StoragePolicy.UNSPECIFIED
                          ? "-"
                          : StoragePolicy.describe(file.policy));
            });
    return totals;
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
    return String.join(",", policies.getOrDefault(component, Set.of("-")));
  }

  /** Misplaced ones are where the declared policy does not want them. */
  ScanReport.ByteTotals bytes(Component component) {
    return bytes.all(component);
  }
}
