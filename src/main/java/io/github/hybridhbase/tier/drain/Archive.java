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

import io.github.hybridhbase.hdfs.FileBlocks;
import io.github.hybridhbase.hdfs.HdfsError;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.Metric;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The archived files on SSD of one server, charged until HBase's cleaner deletes them, which a
 * reference (e.g. a snapshot) prevents. HBase does not rewrite them, so they leave by HDFS moves,
 * at a limited rate; without a satisfier they stay. One thread.
 */
@InterfaceAudience.Private
public final class Archive {
  private static final Logger LOG = LoggerFactory.getLogger(Archive.class);

  private static final int LOOKS = 20;

  /** Else this fraction of due files, to keep up with archiving. */
  private static final int PART = 10;

  /** Per turn: 600 NameNode calls a minute with turns of 10 s. */
  static final int MOST_LOOKS = 100;

  private static final long HELD_MILLIS = TimeUnit.HOURS.toMillis(1);

  private static final int MOST_MOVES = 200;

  /** Pause after the satisfier was found not to run. */
  private static final long TROUBLE_NANOS = TimeUnit.MINUTES.toNanos(5);

  /** Requests a second; each is two writes of the NameNode. Arbitrary value. */
  private static final int FILES_PER_SECOND = 5;

  private final StorageNamespace namespace;
  private final Path root;
  private final long archiveMillis;
  private final int perTurn;
  private final LongSupplier clock;
  private final Map<String, TieredFile> files = new HashMap<>();
  private final Map<String, Long> nextLook = new HashMap<>();
  private final Retry moves;

  /** Files that HDFS refused for reasons of their own. */
  private final Retry refused;

  private boolean trouble;
  private long troubleSince;
  private int room;

  /**
   * @param archiveMillis maximum for an unreferenced archived file
   * @param moves an empty record
   * @param clock nanoseconds
   */
  public Archive(
      StorageNamespace namespace,
      Path root,
      long archiveMillis,
      int periodSeconds,
      Retry moves,
      LongSupplier clock) {
    this.namespace = namespace;
    this.root = root;
    this.archiveMillis = archiveMillis;
    this.perTurn = FILES_PER_SECOND * periodSeconds;
    this.moves = moves;
    this.refused = new Retry(moves.onItsWayNanos, moves.againNanos);
    this.clock = clock;
  }

  public void add(Collection<TieredFile> gone, long nowMillis) {
    for (TieredFile file : gone) {
      // The janitor archives a reference's target long after the reference.
      boolean reference = !file.blocks().equals(file.path());
      put(file.key(), file, reference ? file.blocks() : archived(file.path()), nowMillis);
    }
  }

  private void put(String key, TieredFile file, Path at, long nowMillis) {
    files.put(key, file.archived(at, Long.MAX_VALUE)); // due once a look has found the file
    nextLook.put(key, nowMillis + archiveMillis);
  }

  public Collection<TieredFile> files() {
    return files.values();
  }

  /** Bytes on SSD that HBase should have deleted. */
  public long heldBytes(long nowMillis) {
    return files.values().stream()
        .filter(file -> file.dueMillis() <= nowMillis)
        .mapToLong(TieredFile::bytes)
        .sum();
  }

  /** Reads some due files; forgets those deleted or moved to DISK. */
  public void look(long nowMillis) throws IOException {
    List<String> due =
        nextLook.entrySet().stream()
            .filter(entry -> entry.getValue() <= nowMillis)
            .sorted(Map.Entry.comparingByValue())
            .map(Map.Entry::getKey)
            .collect(Collectors.toList());
    int looks = Math.min(Math.max(LOOKS, due.size() / PART), MOST_LOOKS);
    for (String key : due.subList(0, Math.min(looks, due.size()))) {
      TieredFile file = files.get(key);
      Optional<FileBlocks> found = namespace.blocks(file.path());
      Path inArchive = archived(file.path());
      if (found.isEmpty() && !inArchive.equals(file.path())) {
        put(key, file, inArchive, nowMillis);
      } else if (found.isEmpty() || TieredFile.hasLeftSsd(found.get())) {
        files.remove(key);
        nextLook.remove(key);
      } else {
        long held = file.held(nowMillis) ? file.dueMillis() : nowMillis;
        files.put(key, file.archived(file.path(), held));
        nextLook.put(key, nowMillis + HELD_MILLIS);
      }
    }
  }

  private Path archived(Path file) {
    String base = root.toUri().getPath();
    String path = file.toUri().getPath();
    if (path.startsWith(base + "/archive/")) {
      return file;
    }
    return path.startsWith(base + "/")
        ? new Path(root, "archive" + path.substring(base.length()))
        : new Path(root, "archive");
  }

  public void begin() {
    long now = clock.getAsLong();
    Set<String> keys = files().stream().map(TieredFile::key).collect(Collectors.toSet());
    HybridMetrics.get().count(Metric.DRAINED_BYTES, moves.keep(keys));
    refused.keep(keys);
    boolean rest = trouble && now - troubleSince <= TROUBLE_NANOS;
    room = rest ? 0 : (int) Math.min(perTurn, MOST_MOVES - moves.inFlight(now));
  }

  boolean mayMove(TieredFile file) {
    long now = clock.getAsLong();
    return room > 0 && moves.mayAsk(file.key(), now) && refused.mayAsk(file.key(), now);
  }

  public boolean moves(TieredFile file) {
    return moves.inFlight(file.key(), clock.getAsLong());
  }

  /**
   * Requests the move of a file, which first loses its own policy.
   *
   * @throws IOException if HDFS refuses this file or does not respond; others may still be
   *     requested
   */
  public void move(TieredFile file) throws IOException {
    if (room <= 0) {
      return;
    }
    long now = clock.getAsLong();
    try {
      if (moves.times(file.key()) == 0) {
        namespace.unsetPolicy(file.path());
        namespace.satisfy(file.path());
        HybridMetrics.get().count(Metric.TIER_SATISFIER_BYTES, file.bytes());
      } else {
        namespace.satisfyAgain(file.path());
      }
      trouble = false;
    } catch (FileNotFoundException e) {
      LOG.debug("{} went before it was asked for", file, e);
      return;
    } catch (IOException e) {
      refused(file, e, now);
      return;
    }
    room--;
    moves.asked(file.key(), file.bytes(), now);
    HybridMetrics.get().count(Metric.DRAIN_REQUESTED);
  }

  private void refused(TieredFile file, IOException e, long now) throws IOException {
    HdfsError error = HdfsError.of(e);
    if (error.kind().isOfAllFiles()) {
      room = 0;
      throw e;
    }
    if (!error.kind().refusesMoves()) {
      room--;
      refused.asked(file.key(), 0, now);
      throw e;
    }
    if (!trouble) {
      LOG.info(
          "HDFS moves no archived store file off SSD: they stay there, within the SSD tier's "
              + "budget, until HBase deletes them. {}",
          error.remedy());
    }
    trouble = true;
    troubleSince = now;
    room = 0;
  }
}
