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
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A record of requests to get files off SSD. The interval between requests for a file doubles, up
 * to {@value #TIMES} times. One thread.
 */
@InterfaceAudience.Private
final class MoveTracker {
  static final int TIMES = 5;

  private static final class Request {
    private int times;
    private long askedNanos;
    private long nextNanos;
    private long bytes;
  }

  private final MoveTimeout timeout;
  private final Map<String, Request> requests = new HashMap<>();

  MoveTracker(MoveTimeout timeout) {
    this.timeout = timeout;
  }

  boolean mayAsk(String key, long now) {
    Request request = requests.get(key);
    return request == null || now - request.nextNanos >= 0;
  }

  boolean underWay(String key, long now) {
    Request request = requests.get(key);
    return request != null && underWay(request, now);
  }

  int times(String key) {
    Request request = requests.get(key);
    return request == null ? 0 : request.times;
  }

  long underWay(long now) {
    return requests.values().stream().filter(request -> underWay(request, now)).count();
  }

  private boolean underWay(Request request, long now) {
    return now - request.askedNanos < timeout.onItsWayNanos();
  }

  void ask(String key, long bytes, long now) {
    Request request = requests.computeIfAbsent(key, k -> new Request());
    request.askedNanos = now;
    request.nextNanos = now + (timeout.againNanos() << Math.min(request.times, TIMES));
    request.times++;
    request.bytes = bytes;
  }

  /**
   * Forgets all files but these, which are still on SSD.
   *
   * @return bytes of the forgotten files, moved or deleted
   */
  long keep(Set<String> onSsd) {
    long gone = 0;
    for (Map.Entry<String, Request> entry : requests.entrySet()) {
      gone += onSsd.contains(entry.getKey()) ? 0 : entry.getValue().bytes;
    }
    requests.keySet().retainAll(onSsd);
    return gone;
  }
}
