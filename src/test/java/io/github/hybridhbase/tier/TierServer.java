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

import io.github.hybridhbase.hdfs.FakeNamespace;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.placement.TierState;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.tier.NewStoreFile.Kind;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The SSD tier of one server over a NameNode of its own, with its clocks in the test's hand. Files
 * have three replicas.
 */
@InterfaceAudience.Private
final class TierServer {
  static final Path ROOT = new Path("/hbase");
  static final int AGE_SECONDS = 3_600;
  static final int ARCHIVE_SECONDS = 1_500;

  final FakeNamespace hdfs =
      new FakeNamespace().with("/", 0).with("/hbase", 0).with("/hbase/data", 7);
  private StorageNamespace namespace = hdfs;
  private Path root = ROOT;
  CompactionQueue queue = new FakeQueue(this::millis);
  private int archiveSeconds = ARCHIVE_SECONDS;
  long seconds = 1_000;
  SsdTier tier;

  /** Bytes of the grant. */
  long share;

  private long room;

  TierServer() {
    start();
  }

  /** Over another NameNode. */
  TierServer(StorageNamespace namespace, Path root) {
    this.namespace = namespace;
    this.root = root;
    start();
  }

  /**
   * @param archiveSeconds after which HBase has deleted an archived file
   */
  TierServer(CompactionQueue queue, int archiveSeconds) {
    this.queue = queue;
    this.archiveSeconds = archiveSeconds;
    start();
  }

  /** The server starts, again. */
  void start(FakeStore... stores) {
    tier =
        new SsdTier(
            "s",
            root,
            namespace,
            queue,
            HybridSettings.read(new Configuration(false)),
            TimeUnit.SECONDS.toMillis(archiveSeconds),
            () -> TimeUnit.SECONDS.toNanos(seconds),
            this::millis);
    List.of(stores).forEach(tier::attach);
  }

  long millis() {
    return TimeUnit.SECONDS.toMillis(seconds);
  }

  /** What the master grants from now on, if asked to. */
  void grant(long bytes, long free) throws IOException {
    share = bytes;
    room = free;
    grant();
  }

  void grant() throws IOException {
    TierState.open(share, room, millis(), "master").writeTo(namespace, root);
  }

  void grant(TierState state) throws IOException {
    state.writeTo(namespace, root);
  }

  void turn() throws IOException {
    turns(1);
  }

  void turns(int count) throws IOException {
    for (int i = 0; i < count; i++) {
      seconds += 10;
      tier.doWork();
    }
  }

  /** The same grant, so much later. */
  void later(long more) throws IOException {
    seconds += more;
    grant();
    hdfs.writes().clear();
    turn();
  }

  /** A store that is not attached. */
  FakeStore store(String table, String region) {
    return store(table, region, StoragePolicy.NONE);
  }

  FakeStore store(String table, String region, StoragePolicy hotPolicy) {
    Path directory = new Path("/hbase/data/default/" + table + "/" + region + "/f");
    hdfs.with(directory.toString(), 0);
    return new FakeStore(table, directory, TimeUnit.SECONDS.toMillis(AGE_SECONDS), hotPolicy);
  }

  FakeStore attach(String table, String region) {
    FakeStore store = store(table, region);
    tier.attach(store);
    return store;
  }

  static Path tmp(FakeStore store, String name) {
    return new Path(store.directory.getParent(), ".tmp/f/" + name);
  }

  /**
   * Whether HBase is about to write it to SSD.
   *
   * @param bytes of all replicas
   */
  boolean place(FakeStore store, String name, Kind kind, long bytes, long replaced)
      throws IOException {
    hdfs.at(millis());
    return tier.place(store, tmp(store, name), new NewStoreFile(kind, bytes, replaced));
  }

  /** As {@link #place}; with so many bytes of one replica. */
  boolean flushes(FakeStore store, String name, long length) throws IOException {
    return place(store, name, Kind.FLUSH, 3 * length, 0);
  }

  /** HDFS has written so many replicas, and HBase commits the file. */
  void commit(FakeStore store, String name, long length, int replicas, int onSsd) {
    Path path = new Path(store.directory, name);
    hdfs.allocates(tmp(store, name).toString(), replicas, onSsd);
    hdfs.file(path.toString(), length, StorageType.SSD);
    tier.committed(store, path, length, length * onSsd);
    if (onSsd > 0) {
      store.put(name, length * onSsd, millis());
    }
  }

  /** Whether a whole flush goes to SSD. */
  boolean flush(FakeStore store, String name, long length) throws IOException {
    boolean takes = flushes(store, name, length);
    if (takes) {
      commit(store, name, length, 3, 3);
    }
    return takes;
  }

  void failed(FakeStore store, String name) {
    tier.failed(store.key(tmp(store, name)), false);
  }

  long used() {
    return tier.ledger.used();
  }
}
