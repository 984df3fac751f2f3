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

import io.github.hybridhbase.hdfs.DirectoryPolicy;
import io.github.hybridhbase.hdfs.HdfsError;
import io.github.hybridhbase.hdfs.NewFile;
import io.github.hybridhbase.hdfs.NewFiles;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.runtime.Clock;
import io.github.hybridhbase.runtime.Component;
import io.github.hybridhbase.runtime.HybridKeys;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.Layout;
import io.github.hybridhbase.runtime.StoragePolicy;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The new files of one store of a catalog or of the master. After SSD refused one, all such stores
 * of the server write to DISK for a growing delay. Thread-safe.
 */
@InterfaceAudience.Private
final class SystemFiles {
  private static final Logger LOG = LoggerFactory.getLogger(SystemFiles.class);

  /** {@code MasterRegionFactory.TABLE_NAME}. */
  private static final String MASTER = "master:store";

  private final NewFiles files;
  private final DirectoryPolicy directory;
  private final StoragePolicy declared;
  private final long retryNanos;

  /** Null before the first file. */
  private NewFile last;

  /** A flush that is not committed; HBase runs one at a time. Null if there is none. */
  private Path flush;

  SystemFiles(NewFiles files, DirectoryPolicy directory, StoragePolicy declared, long retryNanos) {
    this.files = files;
    this.directory = directory;
    this.declared = declared;
    this.retryNanos = retryNanos;
  }

  /** Empty for a user's table, and if nothing is placed. */
  static Optional<SystemFiles> of(HStore store, Configuration conf) {
    HybridSettings settings = HybridSettings.read(conf);
    FileSystem fs = store.getFileSystem();
    StoragePolicy declared =
        componentOf(store.getTableName()).map(settings::policy).orElse(StoragePolicy.NONE);
    Optional<StorageNamespace> namespace = StorageNamespace.of(fs);
    if (!settings.mode().places()
        || !declared.wantsSsd()
        || namespace.isEmpty()
        || TierStore.hasOwnPolicy(store.getColumnFamilyDescriptor(), conf)) {
      return Optional.empty();
    }
    Path family =
        store.getRegionFileSystem().getStoreDir(store.getColumnFamilyName()); // no call of HDFS
    long retryNanos = settings.get(HybridKeys.SSD_RETRY).toNanos();
    DirectoryPolicy directory = new DirectoryPolicy(namespace.get(), family, Clock.SYSTEM);
    return NewFiles.of(fs).map(files -> new SystemFiles(files, directory, declared, retryNanos));
  }

  private static Optional<Component> componentOf(TableName table) {
    if (table.getNameAsString().equals(MASTER)) {
      return Optional.of(Component.MASTER);
    }
    return table.isSystemTable()
        ? Optional.of(
            Layout.componentOfTable(table.getNamespaceAsString(), table.getQualifierAsString()))
        : Optional.empty();
  }

  /**
   * Sets the policy of a new file: as declared, or DISK if SSD refused one lately, as when HBase
   * repeats a flush. Call it before the creation. At most one NameNode call a minute.
   */
  synchronized void place(Path file, boolean flushes) {
    if (last != null) {
      boolean carried = last.isCarried(); // else puts the proxy back
      if (carried && last.inForce().wantsSsd() && last.isFallen()) {
        files.refused(retryNanos); // HDFS wrote it to DISK without an error
      }
      last.close();
    }
    if (flushes && flush != null && !files.refuses()) {
      refused("a flush, see HBase's log before this line,");
    }
    last = files.place(file, files.refuses() ? directory.offSsd() : directory.forFile(declared));
    if (flushes) {
      flush = last.inForce().wantsSsd() ? file : null;
    }
  }

  synchronized void committed(List<Path> written) {
    flush = written.contains(flush) ? null : flush;
  }

  synchronized void compactionFailed(HdfsError error) {
    if (last != null && last.inForce().wantsSsd() && error.kind.mayBeSsds()) {
      refused("a compaction (" + error.text + ")");
    }
  }

  private void refused(String what) {
    files.refused(retryNanos);
    LOG.warn(
        "SSD refused {} of {}. New files of the catalogs and of the master's store go to DISK for"
            + " {} s or longer; nothing is lost. If this recurs, look for full or failed SSD"
            + " volumes: hdfs dfsadmin -report",
        what,
        directory.path().toUri().getPath(),
        TimeUnit.NANOSECONDS.toSeconds(retryNanos));
  }
}
