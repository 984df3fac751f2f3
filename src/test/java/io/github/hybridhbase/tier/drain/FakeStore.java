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
package io.github.hybridhbase.tier.drain;

import io.github.hybridhbase.runtime.StoragePolicy;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A store whose files are what a test says; a compaction takes what {@link ExitRequest} chooses.
 */
@InterfaceAudience.Private
public final class FakeStore extends StoreView {
  private final Map<String, TieredFile> live = new LinkedHashMap<>();
  private final List<TieredFile> compactedAway = new ArrayList<>();
  private final Set<String> compacting = new HashSet<>();
  private final List<Set<String>> rewritten = new ArrayList<>();
  private final Set<String> toDisk = new HashSet<>();
  private final Map<String, Long> found = new LinkedHashMap<>();
  private boolean silent;
  private boolean broken;
  private boolean large;
  private String more = "";

  public FakeStore() {
    super(null, null, null);
  }

  /** Of a store whose files have three replicas on SSD. */
  public static StoreTierConfig config(String table, Path directory, long ageMillis) {
    return new StoreTierConfig(
        table, directory, StoragePolicy.ALL_SSD, 3, ageMillis, "", StoragePolicy.NONE, 0);
  }

  public void put(TieredFile file) {
    live.put(file.name(), file);
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

  /** HBase ignores requests. */
  public void silent(boolean now) {
    silent = now;
  }

  /** HBase throws whatever it is asked for. */
  public void breaks(boolean now) {
    broken = now;
  }

  /** Its compactions are those that HBase calls large. */
  public void large(boolean now) {
    large = now;
  }

  /** HBase takes this file along, a flush that has just ended, say. */
  public void takesAlong(String name) {
    more = name;
  }

  private void checkBroken() {
    if (broken) {
      throw new IllegalStateException("test");
    }
  }

  /** The compactions that were asked for. */
  public List<Set<String>> rewritten() {
    return rewritten;
  }

  @Override
  public List<TieredFile> onSsd() {
    checkBroken();
    return List.copyOf(live.values());
  }

  @Override
  public void foundOnSsd(String name, long bytes) {
    found.put(name, bytes);
  }

  /** What was reported late. */
  public Map<String, Long> found() {
    return found;
  }

  @Override
  List<TieredFile> compactedAway() {
    return List.copyOf(compactedAway);
  }

  @Override
  public Set<String> compactedToDisk() {
    return Set.copyOf(toDisk);
  }

  @Override
  public Set<String> compacting() {
    checkBroken();
    return Set.copyOf(compacting);
  }

  @Override
  public void rewrite(ExitRequest request, CompactionPool pool, boolean ofLarge) {
    if (large && !ofLarge) {
      request.large();
    } else if (!silent) {
      List<String> free =
          live.keySet().stream()
              .filter(name -> !compacting.contains(name))
              .collect(Collectors.toList());
      Set<String> run =
          new HashSet<>(
              request.choose(
                  free, request::written, file -> 0, new ExitRequest.Limits(10, Long.MAX_VALUE)));
      if (!more.isEmpty()) {
        run.add(more);
      }
      request.selected(run);
      compacting.addAll(run);
      rewritten.add(run);
      if (!run.isEmpty()) {
        request.begins();
      }
    }
  }
}
