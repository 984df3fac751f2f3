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
 * The archived files on SSD, charged until HBase's cleaner deletes them or as long as a reference
 * (e.g. a snapshot) holds them. Covers what this server archived. One thread.
 */
@InterfaceAudience.Private
final class ArchivedFiles {
  /** Per turn, at least. */
  static final int LOOKS = 20;

  /** Otherwise this fraction of due files, to keep up with archiving. */
  private static final int PART = 10;

  /** Per turn: 600 NameNode calls a minute with turns of 10 s. */
  static final int MOST_LOOKS = 100;

  private static final long HELD_MILLIS = TimeUnit.HOURS.toMillis(1);

  private final StorageNamespace namespace;
  private final Path root;
  private final long archiveMillis;
  private final Map<String, TieredFile> files = new HashMap<>();
  private final Map<String, Long> nextLook = new HashMap<>();

  /**
   * @param archiveMillis maximum for an unreferenced archived file
   */
  ArchivedFiles(StorageNamespace namespace, Path root, long archiveMillis) {
    this.namespace = namespace;
    this.root = root;
    this.archiveMillis = archiveMillis;
  }

  void add(Collection<TieredFile> gone, long nowMillis) {
    for (TieredFile file : gone) {
      // The janitor archives a reference's target long after the reference.
      boolean reference = !file.blocks().equals(file.path());
      put(file.key(), file, reference ? file.blocks() : archive(file.path()), nowMillis);
    }
  }

  private void put(String key, TieredFile file, Path at, long nowMillis) {
    files.put(key, file.archived(at, Long.MAX_VALUE)); // due once a look has found the file
    nextLook.put(key, nowMillis + archiveMillis);
  }

  Collection<TieredFile> files() {
    return files.values();
  }

  /** Bytes on SSD that HBase should have deleted. */
  long heldBytes(long nowMillis) {
    return files.values().stream()
        .filter(file -> file.dueMillis() <= nowMillis)
        .mapToLong(TieredFile::bytes)
        .sum();
  }

  /** Reads some due files; forgets those deleted or moved to DISK. */
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
