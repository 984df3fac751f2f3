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
package io.github.hybridhbase.tier;

import io.github.hybridhbase.hdfs.FileBlocks;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.runtime.Component;
import io.github.hybridhbase.runtime.Layout;
import io.github.hybridhbase.scan.BlockScanner;
import io.github.hybridhbase.testing.TypedCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hbase.TableName;
import org.apache.yetus.audience.InterfaceAudience;

/** The store files of a cluster and where they lie: reads block locations. */
@InterfaceAudience.Private
public final class StoreFileMedia {
  private final TypedCluster cluster;
  private final BlockScanner scanner;

  /** Reads a cluster whose HBase runs. */
  public StoreFileMedia(TypedCluster cluster) throws IOException {
    this.cluster = cluster;
    this.scanner =
        new BlockScanner(
            new Layout(cluster.rootDir(), cluster.walRoot()),
            root -> StorageNamespace.of(cluster.fs()));
  }

  /** Awaits that every store of a table may place files on SSD. */
  public void awaitOpen(TableName table) {
    cluster.await(
        "the SSD tier of " + table,
        () ->
            cluster.hbase().getRegions(table).stream()
                .flatMap(region -> region.getStores().stream())
                .map(store -> (HybridStoreEngine) store.getStoreEngine())
                .allMatch(engine -> engine.tiered != null && engine.tier.open()));
  }

  /** Closed files of a table's stores, those in the archive left out. */
  List<FileBlocks> files(TableName table) {
    String below =
        "/data/" + table.getNamespaceAsString() + "/" + table.getQualifierAsString() + "/";
    return all().stream()
        .filter(file -> file.path.toUri().getPath().contains("/hbase" + below))
        .filter(file -> !file.path.toUri().getPath().contains("/."))
        .filter(file -> !file.path.toUri().getPath().contains("/recovered.edits/"))
        .collect(Collectors.toList());
  }

  /** Files of user tables with a block, wherever they lie: stores, .tmp, archive. */
  List<FileBlocks> all() {
    List<FileBlocks> found = new ArrayList<>();
    try {
      scanner.walk(
          (context, file) -> {
            String path = file.path.toUri().getPath();
            boolean store = path.contains("/data/") && !path.contains("/data/hbase/");
            boolean system =
                path.contains("/MasterData/") || context.component() == Component.MASTER;
            if (store && !system && !file.blocks.isEmpty()) {
              found.add(file);
            }
          });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return found;
  }

  /** Awaits that all replicas of all closed files of a table are on this medium. */
  void awaitAllOn(TableName table, StorageType medium) {
    cluster.await("all of " + table + " on " + medium, () -> allOn(table, medium));
  }

  /** Whether all replicas of all closed files of a table are on this medium; false without any. */
  boolean allOn(TableName table, StorageType medium) {
    List<FileBlocks> files = files(table);
    return !files.isEmpty()
        && files.stream().allMatch(file -> file.replicas(medium) == file.replicas());
  }

  /** Whether no file has a policy of its own: all have that of their directory. */
  boolean nothingSticky(TableName table) {
    return files(table).stream().allMatch(file -> file.policy == 7 || file.policy == 0);
  }
}
