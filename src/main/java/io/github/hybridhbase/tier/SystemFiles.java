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

import io.github.hybridhbase.hdfs.HdfsError;
import io.github.hybridhbase.hdfs.HdfsNamespace;
import io.github.hybridhbase.hdfs.NewFile;
import io.github.hybridhbase.hdfs.NewFiles;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.runtime.Component;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.Layout;
import io.github.hybridhbase.runtime.StoragePolicy;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The new store files of one store of hbase:meta, another catalog, or the master's local store:
 * each is created under its component's declared policy. After SSD refused one, those of all such
 * stores of the server go to DISK for a growing delay. Thread-safe.
 */
@InterfaceAudience.Private
final class SystemFiles {
  private static final Logger LOG = LoggerFactory.getLogger(SystemFiles.class);

  /** {@code MasterRegionFactory.TABLE_NAME}. */
  private static final String MASTER = "master:store";

  /** How long an answer about the directory is used. */
  private static final long KNOWN_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final NewFiles files;
  private final StorageNamespace namespace;
  private final Path family;
  private final StoragePolicy declared;
  private final long retryNanos;
  private final LongSupplier clock;

  /** Null if unknown. */
  private Byte inForce;

  private long inForceAt;

  /** The last file; null before the first. */
  private NewFile last;

  /**
   * @param family directory of the store
   * @param clock nanoseconds, as {@link System#nanoTime()}
   */
  SystemFiles(
      NewFiles files,
      StorageNamespace namespace,
      Path family,
      StoragePolicy declared,
      long retryNanos,
      LongSupplier clock) {
    this.files = files;
    this.namespace = namespace;
    this.family = family;
    this.declared = declared;
    this.retryNanos = retryNanos;
    this.clock = clock;
  }

  /** Empty for a user's table, and if nothing is placed. */
  static Optional<SystemFiles> of(HStore store, Configuration conf) {
    HybridSettings settings = HybridSettings.read(conf);
    FileSystem fs = store.getFileSystem();
    Optional<StorageNamespace> namespace = HdfsNamespace.of(fs);
    StoragePolicy declared =
        componentOf(store.getTableName()).map(settings::policy).orElse(StoragePolicy.NONE);
    if (!settings.mode().places() || !declared.wantsSsd() || namespace.isEmpty()) {
      return Optional.empty();
    }
    Path family =
        store.getRegionFileSystem().getStoreDir(store.getColumnFamilyName()); // no call of HDFS
    return NewFiles.of(fs)
        .map(
            files ->
                new SystemFiles(
                    files,
                    namespace.get(),
                    family,
                    declared,
                    TimeUnit.SECONDS.toNanos(settings.ssdRetrySeconds()),
                    System::nanoTime));
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
   * Has a file created for SSD, unless SSD refused one lately or another policy stands on its
   * directory. Call it before the creation. One NameNode read a minute and store.
   *
   * @return whether it is for SSD
   */
  boolean place(Path file) throws IOException {
    boolean refused = files.refuses();
    byte directory = inForce();
    StoragePolicy policy = declared.ofNewFile(directory, refused);
    if (policy == StoragePolicy.NONE || directory == StoragePolicy.UNSPECIFIED) {
      // Where the active master has placed nothing, as by a hold, files follow.
      return false;
    }
    follow(files.place(file, policy));
    LOG.debug("{} is created under {}", file, policy);
    return policy.wantsSsd();
  }

  /** Lets the last one go, whose creation shows whether the proxy is still there. */
  private synchronized void follow(NewFile next) {
    if (last != null) {
      boolean unused = last.isCarried();
      last.close();
    }
    last = next;
  }

  private synchronized byte inForce() throws IOException {
    long now = clock.getAsLong();
    if (inForce == null || now - inForceAt > KNOWN_NANOS) {
      inForce = namespace.effective(family).orElse(StoragePolicy.UNSPECIFIED);
      inForceAt = now;
    }
    return inForce;
  }

  /**
   * A file that was for SSD was not written.
   *
   * @return whether SSD may be the cause: then the next ones go to DISK, and this one can be
   *     written again
   */
  boolean failed(String what, Throwable cause) {
    HdfsError error = HdfsError.of(cause);
    if (!error.kind().mayBeSsds()) {
      return false;
    }
    files.refused(retryNanos);
    LOG.warn(
        "SSD refused {} of {}: {}. New files of the catalogs and of the master's store go to DISK"
            + " for {} s or longer; nothing is lost. If this recurs, look for full or failed SSD"
            + " volumes: hdfs dfsadmin -report",
        what,
        family.toUri().getPath(),
        error.text(),
        TimeUnit.NANOSECONDS.toSeconds(retryNanos));
    return true;
  }
}
