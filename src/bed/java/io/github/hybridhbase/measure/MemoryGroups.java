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

import io.github.hybridhbase.bed.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
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
  private static final Pattern CACHE = Pattern.compile("(cache|file) ");

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
  private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();

  /**
   * @param parent null for none: nothing is bounded then
   */
  MemoryGroups(Path parent) {
    this.parent = parent;
    var unused =
        clock.scheduleWithFixedDelay(
            () -> bounds.forEach(MemoryGroups::limit), 0, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
  }

  boolean available() {
    return parent != null;
  }

  /** Bounds what a process caches from now on; memory that it has already is not counted. */
  void bound(ServerProcess process, long megabytes) throws IOException {
    if (parent == null) {
      return;
    }
    Path group = Files.createDirectories(parent.resolve(process.name()));
    if (Files.exists(group.resolve(OOM))) {
      Files.writeString(group.resolve(OOM), "1");
    }
    Files.writeString(group.resolve("cgroup.procs"), Long.toString(process.id()));
    bounds.put(group, megabytes * MB);
  }

  /** Moves the limit of a group to what is used beside the page cache, and the bound. */
  static void limit(Path group, long bound) {
    try {
      long used = Long.parseLong(Files.readString(there(group, USAGES)).trim());
      long cached = cached(Files.readAllLines(group.resolve("memory.stat")));
      long limit = used - cached + Math.max(bound, LEAST);
      Path file = there(group, LIMITS);
      String now = Files.readString(file).trim();
      long lower = now.equals("max") ? STEP : Long.parseLong(now) - limit;
      if (lower < 0 || lower >= STEP) {
        Files.writeString(file, Long.toString(limit));
      }
    } catch (IOException | RuntimeException e) {
      return; // more is dirty than can be dropped: the next time
    }
  }

  /** Bytes of page cache, as {@code memory.stat} has them. */
  static long cached(List<String> statistics) {
    return statistics.stream()
        .filter(line -> CACHE.matcher(line).lookingAt())
        .mapToLong(line -> Long.parseLong(line.substring(line.indexOf(' ') + 1)))
        .findFirst()
        .orElse(0);
  }

  private static Path there(Path group, List<String> names) throws IOException {
    return names.stream()
        .map(group::resolve)
        .filter(Files::exists)
        .findFirst()
        .orElseThrow(() -> new IOException("no memory cgroup: " + group));
  }

  @Override
  public void close() {
    clock.shutdownNow();
  }
}
