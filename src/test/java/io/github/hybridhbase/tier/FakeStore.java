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
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A store whose files are what a test says; a compaction takes what {@link ExitSelection} chooses.
 */
@InterfaceAudience.Private
public final class FakeStore extends TierStore {
  private static final long TURN = TimeUnit.SECONDS.toNanos(10);

  private final Map<String, TierFile> live = new LinkedHashMap<>();
  private final List<TierFile> compactedAway = new ArrayList<>();
  private final Set<String> compacting = new HashSet<>();
  private final List<Set<String>> rewritten = new ArrayList<>();
  private final Set<String> toDisk = new HashSet<>();
  private final Map<String, Long> found = new LinkedHashMap<>();
  private int whole;
  private boolean silent;
  private boolean broken;

  public FakeStore(StoreTierConfig config) {
    super(null, config, new StoreExit(TURN), null);
  }

  public FakeStore(String table, Path directory, long ageMillis) {
    this(config(table, directory, ageMillis));
  }

  /** Of a store whose files have three replicas on SSD. */
  public static StoreTierConfig config(String table, Path directory, long ageMillis) {
    return new StoreTierConfig(
        table, directory, StoragePolicy.ALL_SSD, 3, ageMillis, "", StoragePolicy.NONE, 0);
  }

  static TierFile young(Path path, String table, long bytes, long written, long age) {
    return new TierFile(path, table, bytes, written, written + age, TierFile.Kind.YOUNG);
  }

  static TierFile hot(Path path, String table, long bytes, long written) {
    return new TierFile(path, table, bytes, written, Long.MAX_VALUE, TierFile.Kind.HOT);
  }

  void put(TierFile file) {
    live.put(file.name(), file);
  }

  /** A file of the store with so many bytes on SSD. */
  public void put(String name, long bytes, long writtenMillis) {
    Path path = new Path(config.directory, name);
    put(young(path, config.table, bytes, writtenMillis, config.maxAgeMillis));
  }

  /** HBase has compacted it away. */
  public void compacted(String name) {
    compacting.remove(name);
    compactedAway.add(live.remove(name));
  }

  /** HBase has compacted it away, into a file on DISK. */
  public void compactedToDisk(String name) {
    toDisk.add(name);
    compacted(name);
  }

  /** HBase has archived what it compacted away. */
  public void archive() {
    compactedAway.clear();
  }

  /** HBase compacts it for reasons of its own. */
  public void compact(String name) {
    compacting.add(name);
  }

  /** All that is being compacted came to nothing. */
  public void failed() {
    compacting.clear();
  }

  /** HBase loses requests. */
  public void silent(boolean now) {
    silent = now;
  }

  /** HBase throws whatever it is asked for. */
  public void breaks(boolean now) {
    broken = now;
  }

  private void checkBroken() {
    if (broken) {
      throw new IllegalStateException("test");
    }
  }

  /** The compactions that took files off SSD. */
  public List<Set<String>> rewritten() {
    return rewritten;
  }

  /** Compactions of all files for hot rows. */
  public int whole() {
    return whole;
  }

  @Override
  Collection<TierFile> live() {
    checkBroken();
    return List.copyOf(live.values());
  }

  @Override
  void foundOnSsd(String name, long bytes) {
    found.put(name, bytes);
  }

  /** What was reported late. */
  public Map<String, Long> found() {
    return found;
  }

  @Override
  Collection<TierFile> compactedAway() {
    return List.copyOf(compactedAway);
  }

  @Override
  Set<String> compactedToDisk() {
    return Set.copyOf(toDisk);
  }

  @Override
  Set<String> compacting() {
    return Set.copyOf(broken ? live.keySet() : compacting);
  }

  /** A requested compaction selects, and begins. */
  void selects(long nowMillis) {
    if (silent) {
      return;
    }
    List<TierFile> free =
        live.values().stream()
            .filter(file -> !compacting.contains(file.name()))
            .collect(Collectors.toList());
    List<TierFile> run =
        exit.leaveBy() == StoreExit.NONE
            ? List.of()
            : ExitSelection.run(
                free,
                file -> written(file.name()),
                file -> 0,
                exit.leaveBy(),
                nowMillis,
                10,
                Long.MAX_VALUE);
    if (!run.isEmpty()) {
      Set<String> names = run.stream().map(TierFile::name).collect(Collectors.toSet());
      compacting.addAll(names);
      rewritten.add(names);
      exit.begins(names);
    } else if (exit.whole()) {
      whole++;
      exit.begins(live.keySet().stream().collect(Collectors.toSet()));
    } else {
      exit.declines();
    }
  }

  /** As the tier knows it: a file of hot rows that has to leave is like any other. */
  private Long written(String name) {
    return known().stream()
        .filter(file -> file.name().equals(name) && file.is(TierFile.Kind.YOUNG))
        .map(file -> file.writtenMillis)
        .findFirst()
        .orElse(null);
  }
}
