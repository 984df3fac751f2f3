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
package io.github.hybridhbase.wal.fallback;

import io.github.hybridhbase.hdfs.HdfsNamespace;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.runtime.StoragePolicy;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The storage policy of the recovered edits that one server writes: ALL_SSD if that is in force on
 * {@code WALs}, or HOT while SSD refuses this server's files. Thread-safe.
 */
@InterfaceAudience.Private
public final class RecoveredEditsMedia {
  /** Minutes without SSD after it failed such a file. */
  public static final int PAUSE_MINUTES = 10;

  private static final long KNOWN_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final BooleanSupplier offSsd;

  /** Null if unknown. */
  private StoragePolicy ofWals;

  private long readNanos;
  private boolean failed;
  private long failedNanos;

  /**
   * @param offSsd whether SSD refuses the server's WALs
   */
  RecoveredEditsMedia(BooleanSupplier offSsd) {
    this.offSsd = offSsd;
  }

  /**
   * Empty if {@code WALs} is not under ALL_SSD; files then follow their directories. At most one
   * NameNode read in ten seconds.
   */
  public synchronized Optional<StoragePolicy> policy(Configuration conf, FileSystem fs)
      throws IOException {
    long now = System.nanoTime();
    if (ofWals == null || now - readNanos > KNOWN_NANOS) {
      Path wals = new Path(CommonFSUtils.getWALRootDir(conf), HConstants.HREGION_LOGDIR_NAME);
      Optional<StorageNamespace> hdfs = HdfsNamespace.of(fs);
      Optional<Byte> id = hdfs.isPresent() ? hdfs.get().effective(wals) : Optional.empty();
      ofWals = id.flatMap(StoragePolicy::ofId).orElse(StoragePolicy.NONE);
      readNanos = now;
    }
    // On full SSDs HDFS may write a block under ONE_SSD with one replica, and nobody would notice.
    if (ofWals != StoragePolicy.ALL_SSD) {
      return Optional.empty();
    }
    boolean paused = failed && now - failedNanos < TimeUnit.MINUTES.toNanos(PAUSE_MINUTES);
    return Optional.of(paused || offSsd.getAsBoolean() ? StoragePolicy.HOT : ofWals);
  }

  /** SSD did not take, or keep, such a file. */
  public synchronized void failed() {
    failed = true;
    failedNanos = System.nanoTime();
  }

  /** Forgets all of that. */
  public synchronized void forget() {
    ofWals = null;
    failed = false;
  }
}
