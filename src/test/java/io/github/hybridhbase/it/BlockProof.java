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
package io.github.hybridhbase.it;

import io.github.hybridhbase.hdfs.FileBlocks;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.runtime.Layout;
import io.github.hybridhbase.scan.BlockScanner;
import io.github.hybridhbase.testing.TypedCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hbase.TableName;
import org.apache.yetus.audience.InterfaceAudience;

/** Reads from block locations where a cluster's files are, and asserts on nothing else. */
@InterfaceAudience.Private
public final class BlockProof {
  private final TypedCluster cluster;
  private final Layout layout;
  private final BlockScanner scanner;

  public BlockProof(TypedCluster cluster) throws IOException {
    this.cluster = cluster;
    this.layout = new Layout(cluster.rootDir(), cluster.walRoot());
    this.scanner = new BlockScanner(layout, root -> StorageNamespace.of(cluster.fs()));
  }

  /** The files of a part that have a block. */
  public List<FileBlocks> files(Part part) {
    return files(part, file -> true);
  }

  /**
   * The files of a part that have a block and pass the filter; of the system's, those that the
   * plugin's writers create: HBase itself writes a few small ones to DISK.
   */
  public List<FileBlocks> files(Part part, Predicate<FileBlocks> filter) {
    List<FileBlocks> found = new ArrayList<>();
    try {
      scanner.walk(
          (context, file) -> {
            boolean ours = part.medium() != StorageType.SSD || layout.isPlaced(file.path);
            if (ours
                && part.holds(context.component(), file.path.toUri().getPath())
                && !file.blocks.isEmpty()
                && filter.test(file)) {
              found.add(file);
            }
          });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return found;
  }

  /**
   * Asserts that there are such files and that every replica of every block of them is on the
   * part's medium. Replicas that DataNodes have not reported yet are awaited.
   */
  public void assertPlaced(Part part, Predicate<FileBlocks> filter) {
    cluster.await(
        "full replication of " + part, () -> misplaced(part, filter) || full(part, filter));
    List<FileBlocks> files = files(part, filter);
    if (files.isEmpty()) {
      throw new AssertionError("there is no file of " + part + " to prove anything on");
    }
    List<FileBlocks> wrong =
        files.stream().filter(file -> !allOn(part, file)).collect(Collectors.toList());
    if (!wrong.isEmpty()) {
      throw new AssertionError(
          String.format(
              "%d of %d files of %s are not on %s: %s",
              wrong.size(), files.size(), part.label(), part.medium(), wrong));
    }
  }

  /** As {@link #assertPlaced(Part, Predicate)} for all files of the part. */
  public void assertPlaced(Part part) {
    assertPlaced(part, file -> true);
  }

  /** As {@link #assertPlaced(Part)} for all that is HBase's own, once it is flushed. */
  public void assertSystemOnSsd() throws IOException {
    cluster.flush(TableName.META_TABLE_NAME);
    cluster.flushMasterStore();
    Part.SYSTEM.forEach(this::assertPlaced);
  }

  private static boolean allOn(Part part, FileBlocks file) {
    return file.replicas() > 0 && file.replicas(part.medium()) == file.replicas();
  }

  private boolean misplaced(Part part, Predicate<FileBlocks> filter) {
    return files(part, filter).stream()
        .anyMatch(file -> file.replicas() > file.replicas(part.medium()));
  }

  private boolean full(Part part, Predicate<FileBlocks> filter) {
    List<FileBlocks> files = files(part, filter);
    return !files.isEmpty() && files.stream().allMatch(file -> file.underReplicatedBlocks() == 0);
  }
}
