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
package io.github.hybridhbase.hdfs;

import io.github.hybridhbase.config.StoragePolicy;
import java.util.Optional;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A switch in HBase's own client of an HDFS to name DataNodes with SSD for single files, such as
 * those of the SSD tier ({@link FavouringNameNode}): HBase writes store files by that client only,
 * and gives favoured nodes to all files of a region or to none. The client is unchanged until
 * {@link #prepare}. Thread-safe.
 */
@InterfaceAudience.Private
public final class SsdFiles {
  private static final Logger LOG = LoggerFactory.getLogger(SsdFiles.class);

  /** The first file waits so long for what a look at the DataNodes finds. */
  private static final int MOST_SEARCH_MILLIS = 1_000;

  private final FileSystem fs;
  private final Path wals;

  /** Null unless prepared. */
  private FavouringNameNode nameNode;

  private SsdNodeSearch search;

  /**
   * Has no file.
   *
   * @param wals directory of all servers' WALs, for {@link SsdNodeSearch}
   */
  public SsdFiles(FileSystem fs, Path wals) {
    this.fs = fs;
    this.wals = wals;
  }

  /** Files that are created from now on can be wanted. Never throws. */
  public synchronized void prepare() {
    Optional<DistributedFileSystem> dfs = FailFastClient.unwrap(fs);
    if (nameNode != null || dfs.isEmpty()) {
      return;
    }
    try {
      search = SsdNodeSearch.of(dfs.get());
      nameNode = FavouringNameNode.intoForeign(dfs.get().getClient(), search::nodes);
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      LOG.info(
          "Store files cannot request SSD DataNodes, since this Hadoop's HDFS client has no "
              + "field for its NameNode: HDFS may skip busy SSD DataNodes and write files of the SSD "
              + "tier to DISK. No retry: to end it, run a Hadoop of docs/install.md#versions.",
          e);
    }
  }

  /**
   * Puts the blocks of this file, created since {@link #prepare} and still empty, on SSD. Never
   * throws.
   */
  void want(Path file, StoragePolicy policy) {
    FavouringNameNode favouring;
    synchronized (this) {
      favouring = nameNode;
    }
    if (favouring == null) {
      return;
    }
    try {
      search.refresh(wals, MOST_SEARCH_MILLIS);
      favouring.want(file.toUri().getPath(), policy);
    } catch (RuntimeException | LinkageError e) {
      LOG.debug("{} names no DataNodes", file, e);
    }
  }
}
