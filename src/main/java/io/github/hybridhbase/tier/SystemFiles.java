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
import io.github.hybridhbase.hdfs.NewFile;
import io.github.hybridhbase.hdfs.NewFiles;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.runtime.Clock;
import io.github.hybridhbase.runtime.Component;
import io.github.hybridhbase.runtime.HybridKeys;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.Layout;
import io.github.hybridhbase.runtime.StoragePolicy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.yetus.audience.InterfaceAudience;

/** The new files of one store of a catalog or of the master. Thread-safe. */
@InterfaceAudience.Private
final class SystemFiles {
  /** {@code MasterRegionFactory.TABLE_NAME}. */
  private static final String MASTER = "master:store";

  private final NewFiles files;
  private final DirectoryPolicy directory;
  private final StoragePolicy declared;
  private final long retryNanos;

  /** Null before the first file. */
  private NewFile last;

  /** The last flush and the last compaction for SSD, until they are committed. */
  private final Map<Boolean, Path> pending = new HashMap<>();

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
    TableName table = store.getTableName();
    StoragePolicy declared =
        settings.policy(
            table.getNameAsString().equals(MASTER)
                ? Component.MASTER
                : Layout.componentOfTable(
                    table.getNamespaceAsString(), table.getQualifierAsString()));
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

  /**
   * Sets the policy of a new file: as declared, or DISK if SSD refused one lately, as when HBase
   * repeats a flush or a compaction. Call it before the creation. At most one NameNode call a
   * minute.
   *
   * @param flushes false for a compaction; HBase runs one of each at a time, as a rule
   */
  synchronized void place(Path file, boolean flushes) {
    if (last != null) {
      boolean carried = last.isCarried(); // else puts the proxy back
      if (carried && last.inForce().wantsSsd() && last.isFallen()) {
        files.refused(last, retryNanos); // HDFS wrote it to DISK without an error
      }
      last.close();
    }
    Path before = pending.remove(flushes);
    if (before != null && flushes) {
      files.refused(before, retryNanos); // or it would be committed
    }
    // A compaction may have failed for any cause: only HBase's next attempt goes to DISK.
    boolean offSsd = before != null || files.refuses();
    last = files.place(file, offSsd ? directory.offSsd() : directory.forFile(declared));
    if (last.inForce().wantsSsd()) {
      pending.put(flushes, file);
    }
  }

  synchronized void committed(List<Path> written) {
    pending.values().removeAll(written);
  }
}
