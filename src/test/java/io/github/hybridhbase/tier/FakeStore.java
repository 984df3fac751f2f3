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

import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;
import static org.mockito.Mockito.withSettings;

import io.github.hybridhbase.runtime.HybridKeys;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.StoragePolicy;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.HRegionFileSystem;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.yetus.audience.InterfaceAudience;

/** A store whose files are what a test says; a compaction takes what {@link Leavers} chooses. */
@InterfaceAudience.Private
final class FakeStore extends TierStore {
  private static final long TURN = TimeUnit.SECONDS.toNanos(10);

  private static final ColumnFamilyDescriptor FAMILY =
      ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes("f"))
          .setDFSReplication((short) 3)
          .build();

  private final Map<String, TierFile> live = new LinkedHashMap<>();
  private final List<TierFile> compactedAway = new ArrayList<>();
  private final Set<String> compacting = new HashSet<>();
  private final List<Set<String>> rewritten = new ArrayList<>();

  /** Compactions of all files for hot rows. */
  int whole;

  /** HBase loses requests. */
  boolean silent;

  /** HBase throws whatever it is asked for. */
  boolean broken;

  /** A store whose files have three replicas on SSD. */
  FakeStore(String table, Path directory, long ageMillis) {
    this(table, directory, ageMillis, StoragePolicy.NONE);
  }

  /** One with hot rows. */
  FakeStore(String table, Path directory, long ageMillis, StoragePolicy hotPolicy) {
    super(store(table, directory), conf(hotPolicy), settings(ageMillis), true, new StoreExit(TURN));
  }

  private static HStore store(String table, Path directory) {
    HStore store = mock(HStore.class, withSettings().stubOnly());
    HRegionFileSystem files = mock(HRegionFileSystem.class, withSettings().stubOnly());
    when(store.getTableName()).thenReturn(TableName.valueOf(table));
    when(store.getRegionFileSystem()).thenReturn(files);
    when(files.getStoreDir(any())).thenReturn(directory);
    when(store.getColumnFamilyDescriptor()).thenReturn(FAMILY);
    return store;
  }

  private static Configuration conf(StoragePolicy hotPolicy) {
    Configuration conf = new Configuration(false);
    conf.set(HybridKeys.HOT_POLICY.name(), hotPolicy.name());
    return conf;
  }

  private static TableSettings settings(long ageMillis) {
    Configuration conf = new Configuration(false);
    conf.set(HybridKeys.TIER_MAX_AGE.name(), ageMillis / 1_000 + "s");
    return TableSettings.of(
        HybridSettings.read(conf),
        TableDescriptorBuilder.newBuilder(TableName.valueOf("any")).build());
  }

  static TierFile young(Path path, long bytes, long written, long age) {
    String key = path.toUri().getPath();
    return new TierFile(path, key, bytes, written, written + age, TierFile.Kind.YOUNG);
  }

  static TierFile hot(Path path, long bytes, long written) {
    String key = path.toUri().getPath();
    return new TierFile(path, key, bytes, written, Long.MAX_VALUE, TierFile.Kind.HOT);
  }

  /** A daughter's, to a file of the parent. */
  static TierFile reference(Path path, Path to, long bytes) {
    String blocks = to.toUri().getPath();
    return new TierFile(path, blocks, bytes, 0, 0, TierFile.Kind.PASSING);
  }

  void put(TierFile file) {
    live.put(file.path.getName(), file);
  }

  /** A file of the store with so many bytes on SSD. */
  void put(String name, long bytes, long writtenMillis) {
    Path path = new Path(directory, name);
    put(young(path, bytes, writtenMillis, maxAgeMillis));
  }

  /** HBase has compacted it away. */
  void compacted(String name) {
    compacting.remove(name);
    compactedAway.add(live.remove(name));
    if (compacting.isEmpty()) {
      exit.ends();
    }
  }

  /** HBase has archived what it compacted away. */
  void archive() {
    compactedAway.clear();
  }

  /** HBase compacts it for reasons of its own. */
  void compact(String name) {
    compacting.add(name);
  }

  /** The compactions that took files off SSD. */
  List<Set<String>> rewritten() {
    return rewritten;
  }

  /** As HBase's store: what has to leave may be hot. */
  @Override
  Collection<TierFile> live() {
    if (broken) {
      throw new IllegalStateException("test");
    }
    return live.values().stream().map(this::asWanted).collect(Collectors.toList());
  }

  private TierFile asWanted(TierFile file) {
    return hotLeaves && file.is(TierFile.Kind.HOT)
        ? young(file.path, file.bytes, file.writtenMillis, -file.writtenMillis)
        : file;
  }

  @Override
  Collection<TierFile> compactedAway() {
    return List.copyOf(compactedAway);
  }

  /** A requested compaction selects, and begins. */
  void selects(long nowMillis) {
    if (silent) {
      return;
    }
    List<TierFile> free =
        live.values().stream()
            .filter(file -> !compacting.contains(file.path.getName()))
            .collect(Collectors.toList());
    List<TierFile> run =
        exit.leaveBy == StoreExit.NONE
            ? List.of()
            : Leavers.run(
                free,
                file -> leaving(file.path),
                file -> 0,
                exit.leaveBy,
                nowMillis,
                10,
                Long.MAX_VALUE);
    if (!run.isEmpty()) {
      Set<String> names = run.stream().map(file -> file.path.getName()).collect(Collectors.toSet());
      compacting.addAll(names);
      rewritten.add(names);
      exit.begins();
    } else {
      exit.declines();
    }
  }
}
