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

import static java.util.concurrent.TimeUnit.DAYS;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.MINUTES;
import static java.util.concurrent.TimeUnit.SECONDS;

import io.github.hybridhbase.runtime.HybridSettings.TierSettings;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A record of requests to get files off SSD. The interval between requests for a file doubles, up
 * to {@value #TIMES} times. One thread.
 *
 * <p>HDFS's satisfier restarts a move after a timeout and gives up after some attempts ({@code
 * BlockStorageMovementAttemptedItems}). A request repeated earlier would start a second copy beside
 * the first.
 */
@InterfaceAudience.Private
public final class Retry {
  static final int TIMES = 5;

  private static final String TRY_MILLIS = "dfs.storage.policy.satisfier.self.retry.timeout.millis";
  private static final String RETRIES = "dfs.storage.policy.satisfier.retry.max.attempts";
  private static final int TURNS = 12;
  private static final int COMPACTION_TURNS = 3;
  private static final int MOST_RETRIES = 100;

  private static final class Request {
    private int times;
    private long askedNanos;
    private long nextNanos;
    private long bytes;
  }

  final long onItsWayNanos;

  final long againNanos;

  private final Map<String, Request> requests = new HashMap<>();

  public Retry(long onItsWayNanos, long againNanos) {
    this.onItsWayNanos = onItsWayNanos;
    this.againNanos = againNanos;
  }

  public static Retry ofMoves(Configuration conf, TierSettings settings) {
    long millis = conf.getLong(TRY_MILLIS, MINUTES.toMillis(5));
    long one = MILLISECONDS.toNanos(Math.max(0, Math.min(millis, DAYS.toMillis(1))));
    int retries = Math.max(0, Math.min(conf.getInt(RETRIES, 3), MOST_RETRIES));
    long turns = SECONDS.toNanos(settings.periodSeconds()) * TURNS;
    return new Retry(Math.max(turns, one), Math.max(turns, one * (1 + retries)));
  }

  public static Retry ofCompactions(TierSettings settings) {
    long turns = SECONDS.toNanos(settings.periodSeconds()) * COMPACTION_TURNS;
    return new Retry(turns, turns);
  }

  boolean mayAsk(String key, long now) {
    Request request = requests.get(key);
    return request == null || now - request.nextNanos >= 0;
  }

  boolean inFlight(String key, long now) {
    Request request = requests.get(key);
    return request != null && inFlight(request, now);
  }

  public int times(String key) {
    Request request = requests.get(key);
    return request == null ? 0 : request.times;
  }

  long inFlight(long now) {
    return requests.values().stream().filter(request -> inFlight(request, now)).count();
  }

  private boolean inFlight(Request request, long now) {
    return now - request.askedNanos < onItsWayNanos;
  }

  public void asked(String key, long bytes, long now) {
    Request request = requests.computeIfAbsent(key, k -> new Request());
    request.askedNanos = now;
    request.nextNanos = now + (againNanos << Math.min(request.times, TIMES));
    request.times++;
    request.bytes = bytes;
  }

  /**
   * Forgets all files but these, which are still on SSD.
   *
   * @return bytes of the forgotten files, moved or deleted
   */
  public long keep(Set<String> onSsd) {
    long gone = 0;
    for (Map.Entry<String, Request> entry : requests.entrySet()) {
      gone += onSsd.contains(entry.getKey()) ? 0 : entry.getValue().bytes;
    }
    requests.keySet().retainAll(onSsd);
    return gone;
  }
}
