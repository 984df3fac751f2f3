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

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Live servers that never said what they have on SSD. A server with stores says it in its first
 * turn while the SSD tier is open; one without has no turns, and nothing there. One thread.
 */
@InterfaceAudience.Private
final class SilentServers {
  private static final long LEAST_NANOS = TimeUnit.MINUTES.toNanos(5);

  private final long patienceNanos;
  private final Map<String, Long> since = new HashMap<>();

  /**
   * Nobody was asked after.
   *
   * @param periodSeconds {@code hbase.hybrid.tmp.period}: a word of the master's that opens the
   *     tier, and a server's first turn after it, take less than three of them
   */
  SilentServers(long periodSeconds) {
    patienceNanos = Math.max(LEAST_NANOS, 3 * TimeUnit.SECONDS.toNanos(periodSeconds));
  }

  /**
   * How many of them have no stores, as far as their silence tells: each has been silent for five
   * minutes, and for three of its turns, in which it was asked after.
   *
   * @param silent those live servers that have said nothing yet
   * @param now nanoseconds, as {@link System#nanoTime()}
   */
  int withoutStores(Set<String> silent, long now) {
    since.keySet().retainAll(silent);
    silent.forEach(server -> since.putIfAbsent(server, now));
    return (int) since.values().stream().filter(from -> now - from >= patienceNanos).count();
  }
}
