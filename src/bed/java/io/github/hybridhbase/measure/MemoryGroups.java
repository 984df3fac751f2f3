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
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Bounds of the page cache that processes fill: a cgroup for each, of version 1 or 2, below one
 * that {@code bench/run} has made and removes. The kernel bounds memory as a whole, so a thread
 * moves that limit with what the process takes beside the cache, until {@link #close()}. For one
 * thread.
 */
@InterfaceAudience.Private
final class MemoryGroups implements AutoCloseable {
  private static final List<String> LIMITS = List.of("memory.limit_in_bytes", "memory.high");
  private static final List<String> USAGES = List.of("memory.usage_in_bytes", "memory.current");
  private static final List<String> CACHES = List.of("cache ", "file ");

  /**
   * Who has no memory left waits for the next limit, and is not killed; version 2's never kills.
   */
  private static final String OOM = "memory.oom_control";

  private static final long PERIOD_MILLIS = 100;
  private static final long MB = 1 << 20;

  /** Least page cache: what a process takes more within a period comes out of it. */
  private static final long LEAST = 16 * MB;

  /** A limit that is lowered has the kernel drop pages at once, so that it pays to wait. */
  private static final long STEP = 8 * MB;

  private final Path parent;
  private final Map<Path, Long> bounds = new ConcurrentHashMap<>();
  private final Thread thread = new Thread(this::keep, "memory-bounds");
  private volatile boolean ended;

  /**
   * @param parent null for none: nothing is bounded then
   */
  MemoryGroups(Path parent) {
    this.parent = parent;
    if (parent != null) {
      thread.setDaemon(true);
      thread.start();
    }
  }

  boolean available() {
    return parent != null;
  }

  /** Bounds what a process caches from now on; memory that it has already is not counted. */
  void bound(String name, long pid, long megabytes) throws IOException {
    if (parent == null) {
      return;
    }
    Path group = Files.createDirectories(parent.resolve(name));
    if (Files.exists(group.resolve(OOM))) {
      Files.writeString(group.resolve(OOM), "1");
    }
    Files.writeString(group.resolve("cgroup.procs"), Long.toString(pid));
    bounds.put(group, megabytes * MB);
  }

  private void keep() {
    while (!ended) {
      bounds.forEach(MemoryGroups::limit);
      try {
        Thread.sleep(PERIOD_MILLIS);
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  /** Moves the limit of a group to what is used beside the page cache, and the bound. */
  static void limit(Path group, long bound) {
    try {
      long used = Long.parseLong(Files.readString(there(group, USAGES)).trim());
      long cached = cached(Files.readAllLines(group.resolve("memory.stat")));
      long limit = used - cached + Math.max(bound, LEAST);
      Path file = there(group, LIMITS);
      long lower = number(Files.readString(file).trim()) - limit;
      if (lower < 0 || lower >= STEP) {
        Files.writeString(file, Long.toString(limit));
      }
    } catch (IOException | RuntimeException e) {
      return; // more is dirty than can be dropped: the next time
    }
  }

  private static long number(String text) {
    return text.equals("max") ? Long.MAX_VALUE : Long.parseLong(text);
  }

  /** Bytes of page cache, as {@code memory.stat} has them. */
  static long cached(List<String> statistics) {
    for (String line : statistics) {
      for (String cache : CACHES) {
        if (line.startsWith(cache)) {
          return Long.parseLong(line.substring(cache.length()));
        }
      }
    }
    return 0;
  }

  private static Path there(Path group, List<String> names) throws IOException {
    for (String name : names) {
      if (Files.exists(group.resolve(name))) {
        return group.resolve(name);
      }
    }
    throw new IOException("no memory cgroup: " + group);
  }

  @Override
  public void close() throws InterruptedException {
    ended = true;
    if (parent != null) {
      thread.interrupt();
      thread.join();
    }
  }
}
