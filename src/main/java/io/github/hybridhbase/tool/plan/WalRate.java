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
package io.github.hybridhbase.tool.plan;

import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The write rate of WALs, computed from the remaining files. Their names carry their creation
 * times, so all files of a log except the last were written between its first and last time. Not
 * thread-safe.
 */
@InterfaceAudience.Private
final class WalRate {
  private static final Pattern START = Pattern.compile("(%2C\\d+)%2C\\d+");

  /**
   * The files of one host and port, or of its hbase:meta or one of its groups; a restarted server
   * continues its log.
   */
  private static final class Log {
    private long first = Long.MAX_VALUE;
    private long last = Long.MIN_VALUE;
    private long lastBytes;
    private long bytes;
  }

  private final Map<String, Log> logs = new TreeMap<>();

  /**
   * A name without a time is ignored.
   *
   * @param name without directories
   * @param bytes of one copy, as the NameNode reports
   */
  void add(String name, long bytes) {
    String plain = name.endsWith(".meta") ? name.substring(0, name.length() - 5) : name;
    int dot = plain.lastIndexOf('.');
    long begun;
    try {
      begun = Long.parseLong(plain.substring(dot + 1));
    } catch (NumberFormatException e) {
      return;
    }
    Log log =
        logs.computeIfAbsent(
            START.matcher(plain.substring(0, Math.max(0, dot))).replaceAll("$1")
                + name.substring(plain.length()),
            k -> new Log());
    log.first = Math.min(log.first, begun);
    log.bytes += bytes;
    if (begun > log.last) {
      log.last = begun;
      log.lastBytes = bytes;
    }
  }

  /** Empty if no log has two files. */
  OptionalDouble bytesPerSecond() {
    return logs.values().stream().anyMatch(log -> log.last > log.first)
        ? OptionalDouble.of(
            logs.values().stream()
                .filter(log -> log.last > log.first)
                .mapToDouble(log -> (log.bytes - log.lastBytes) * 1e3 / (log.last - log.first))
                .sum())
        : OptionalDouble.empty();
  }
}
