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

import io.github.hybridhbase.hdfs.FileBlocks;
import io.github.hybridhbase.hdfs.StorageNamespace;
import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Files on SSD that HBase has archived and will delete: charged until its cleaner should have been
 * there, and after that for as long as something, a snapshot say, holds them. What another server
 * archived is not known here; the room on SSD that the master tells counts it. One thread.
 */
@InterfaceAudience.Private
final class ArchivedFiles {
  /** Files looked for in one turn: so many, ... */
  static final int LOOKS = 20;

  /** ... or this part of those that are due, so that looks keep up with what is archived, ... */
  private static final int PART = 10;

  /** ... but not more, for the NameNode's sake: 600 a minute with a turn of ten seconds. */
  static final int MOST_LOOKS = 100;

  /** How long a file that is held is not looked for again. */
  private static final long HELD_MILLIS = TimeUnit.HOURS.toMillis(1);

  private final StorageNamespace namespace;
  private final Path root;
  private final long archiveMillis;
  private final Map<String, TieredFile> files = new HashMap<>();
  private final Map<String, Long> nextLook = new HashMap<>();

  /**
   * Knows of none.
   *
   * @param archiveMillis how long HBase keeps an archived file, at most, where nothing holds it
   */
  ArchivedFiles(StorageNamespace namespace, Path root, long archiveMillis) {
    this.namespace = namespace;
    this.root = root;
    this.archiveMillis = archiveMillis;
  }

  /** HBase has archived these. */
  void add(Collection<TieredFile> gone, long nowMillis) {
    for (TieredFile file : gone) {
      // HBase's janitor archives what a reference refers to, long after the reference itself.
      boolean reference = !file.blocks().equals(file.path());
      put(file.key(), file, reference ? file.blocks() : archive(file.path()), nowMillis);
    }
  }

  private void put(String key, TieredFile file, Path at, long nowMillis) {
    files.put(key, file.archived(at, Long.MAX_VALUE)); // until a look finds it
    nextLook.put(key, nowMillis + archiveMillis);
  }

  /** Those that are not known to be deleted. */
  Collection<TieredFile> files() {
    return files.values();
  }

  /** Bytes on SSD of those that were found when HBase should have deleted them: they are held. */
  long heldBytes(long nowMillis) {
    return files.values().stream()
        .filter(file -> file.dueMillis() <= nowMillis)
        .mapToLong(TieredFile::bytes)
        .sum();
  }

  /** Forgets those that HBase has deleted, or HDFS has moved to DISK. */
  void look(long nowMillis) throws IOException {
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
      Path inArchive = archive(file.path());
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

  /** Where HBase puts a store's file once it is done with it; one in the archive is there. */
  private Path archive(Path file) {
    String base = root.toUri().getPath();
    String path = file.toUri().getPath();
    if (path.startsWith(base + "/archive/")) {
      return file;
    }
    return path.startsWith(base + "/")
        ? new Path(root, "archive" + path.substring(base.length()))
        : new Path(root, "archive");
  }
}
