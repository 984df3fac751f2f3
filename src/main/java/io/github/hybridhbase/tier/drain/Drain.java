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

import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.Metric;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Executes {@link DrainPlan}: files of open stores leave SSD by HBase's compaction, archived ones
 * by an HDFS move. One thread.
 */
@InterfaceAudience.Private
public final class Drain {
  private static final int MOST = 1_000;

  private final StoreExits exits;
  private final Archive archive;
  private final LongSupplier clock;
  private final LongSupplier wallClock;
  private final Retry asked;

  public Drain(
      StoreExits exits, Archive archive, Retry asked, LongSupplier clock, LongSupplier wallClock) {
    this.exits = exits;
    this.archive = archive;
    this.asked = asked;
    this.clock = clock;
    this.wallClock = wallClock;
  }

  /**
   * @param threshold see {@link DrainPlan#choose}
   * @param closed whether all files must leave
   * @param needed whether others need SSD
   */
  public int doWork(Collection<TrackedStore> stores, long threshold, boolean closed, boolean needed)
      throws IOException {
    long now = clock.getAsLong();
    long wall = wallClock.getAsLong();
    List<TieredFile> files = new ArrayList<>(archive.files());
    Map<String, TrackedStore> owners = new HashMap<>();
    Set<String> busy = new HashSet<>();
    for (TrackedStore tracked : stores) {
      Set<String> compacting = tracked.compacting();
      for (TieredFile file : tracked.known()) {
        files.add(file);
        owners.put(file.key(), tracked);
        if (compacting.contains(file.name())) {
          busy.add(file.key());
        }
      }
    }
    Exception failed = settle(now);
    HybridMetrics.get().count(Metric.DRAINED_BYTES, asked.keep(owners.keySet()));
    archive.begin();
    exits.begin(closed || needed);
    List<TieredFile> chosen =
        DrainPlan.choose(
            files,
            file ->
                file.archived()
                    ? archive.mayMove(file)
                    : file.rewritable()
                        && !busy.contains(file.key())
                        && !exits.inFlight(owners.get(file.key()))
                        && asked.mayAsk(file.key(), now),
            file ->
                file.archived()
                    ? file.dueMillis() > wall || archive.moves(file)
                    : file.reference() || busy.contains(file.key()) && asked.times(file.key()) > 0,
            wall,
            closed ? 0 : threshold,
            closed,
            MOST);
    int requests = 0;
    Map<TrackedStore, Long> writtenBy = new LinkedHashMap<>();
    for (TieredFile file : chosen) {
      if (file.archived()) {
        try {
          archive.move(file);
        } catch (IOException e) {
          failed = failed == null ? e : failed;
        }
        requests++;
      } else {
        writtenBy.merge(owners.get(file.key()), file.writtenMillis(), Math::max);
      }
    }
    exits.begin(writtenBy);
    Exception last = settle(now);
    failed = failed == null ? last : failed;
    if (failed != null) {
      throw failed instanceof IOException ? (IOException) failed : new IOException(failed);
    }
    return requests + writtenBy.size();
  }

  private Exception settle(long now) {
    Exception failed = null;
    for (StoreExits.Exit exit : exits.settle()) {
      Set<String> names = exit.names();
      for (TieredFile file : exit.files) {
        boolean taken = !file.hot() && names.contains(file.name());
        // Not requested again at once if HBase declined it. After a failure all its files go behind
        // other stores', or the oldest file would block the rest.
        boolean refused =
            exit.failure != null
                || !exit.whole && names.isEmpty() && file.writtenMillis() <= exit.writtenBy;
        if (taken || refused) {
          asked.asked(file.key(), taken ? file.bytes() : 0, now);
        }
      }
      failed = exit.failure == null ? failed : exit.failure;
    }
    return failed;
  }

  /**
   * A pure choice of the tiered files to move to DISK: due files, oldest first; all if the tier is
   * closed; above the threshold, the oldest file of the largest table, repeatedly. Archived files,
   * which HBase deletes anyway, only if overdue or the tier is closed.
   */
  public static final class DrainPlan {
    private DrainPlan() {}

    /**
     * @param free whether a file may be requested now
     * @param leaving whether a file is already on its way to DISK
     * @param threshold bytes that may stay, held files excluded; 0 if the tier is closed
     * @param closed whether all must leave
     */
    public static List<TieredFile> choose(
        Collection<TieredFile> files,
        Predicate<TieredFile> free,
        Predicate<TieredFile> leaving,
        long nowMillis,
        long threshold,
        boolean closed,
        int most) {
      List<TieredFile> oldestFirst = new ArrayList<>(unique(files));
      oldestFirst.sort(
          Comparator.comparingLong(TieredFile::dueMillis).thenComparing(TieredFile::key));
      List<TieredFile> chosen = new ArrayList<>();
      Map<String, Long> left = new HashMap<>();
      long staying = 0;
      List<TieredFile> young = new ArrayList<>();
      for (TieredFile file : oldestFirst) {
        if (leaving.test(file)) {
          continue;
        }
        // TierLedger chooses which files of hot rows leave, and makes those files like any other.
        boolean due = !file.hot() && (closed || file.dueMillis() <= nowMillis);
        if (due && free.test(file) && chosen.size() < most) {
          chosen.add(file);
          continue;
        }
        if (file.held(nowMillis)) {
          continue; // Draining cannot free held files, so no young file leaves for them.
        }
        staying += file.bytes();
        left.merge(file.table(), file.bytes(), Long::sum);
        if (!due && !file.archived() && free.test(file)) {
          young.add(file);
        }
      }
      while (staying > threshold && chosen.size() < most) {
        Optional<TieredFile> victim = victim(young, left);
        if (victim.isEmpty()) {
          break;
        }
        young.remove(victim.get());
        chosen.add(victim.get());
        staying -= victim.get().bytes();
        left.merge(victim.get().table(), -victim.get().bytes(), Long::sum);
      }
      return chosen;
    }

    /** The oldest file of the largest table; with equal shares that is the unfairest. */
    private static Optional<TieredFile> victim(
        List<TieredFile> oldestFirst, Map<String, Long> left) {
      Set<String> tables = oldestFirst.stream().map(TieredFile::table).collect(Collectors.toSet());
      Optional<String> worst =
          tables.stream().max(Comparator.<String>comparingLong(left::get).thenComparing(t -> t));
      return worst.flatMap(
          table -> oldestFirst.stream().filter(file -> file.table().equals(table)).findFirst());
    }

    private static List<TieredFile> unique(Collection<TieredFile> files) {
      Set<String> seen = new HashSet<>();
      return files.stream().filter(file -> seen.add(file.key())).collect(Collectors.toList());
    }
  }
}
