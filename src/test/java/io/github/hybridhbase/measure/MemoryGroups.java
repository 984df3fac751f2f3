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
package io.github.hybridhbase.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Bounds of processes' memory with the page cache that they fill: a cgroup for each, of version 1
 * or 2, below one that {@code bench/run} has made and removes. For one thread.
 */
@InterfaceAudience.Private
final class MemoryGroups {
  private static final List<String> LIMITS = List.of("memory.limit_in_bytes", "memory.max");
  private static final long MB = 1 << 20;

  private final Path parent;

  /**
   * @param parent null for none: nothing is bounded then
   */
  MemoryGroups(Path parent) {
    this.parent = parent;
  }

  boolean available() {
    return parent != null;
  }

  /** Bounds a process from now on; what it has already is not counted on version 1. */
  void bound(String name, long pid, long megabytes) throws IOException {
    if (parent == null) {
      return;
    }
    Path group = Files.createDirectories(parent.resolve(name));
    for (String limit : LIMITS) {
      if (Files.exists(group.resolve(limit))) {
        Files.writeString(group.resolve(limit), Long.toString(megabytes * MB));
      }
    }
    Files.writeString(group.resolve("cgroup.procs"), Long.toString(pid));
  }
}
