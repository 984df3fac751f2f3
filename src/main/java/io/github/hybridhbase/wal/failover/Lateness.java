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
package io.github.hybridhbase.wal.failover;

import java.util.concurrent.TimeUnit;
import org.apache.yetus.audience.InterfaceAudience;

/** How long one output has been found late, tick after tick. Not thread-safe. */
@InterfaceAudience.Private
final class Lateness {
  private boolean late;
  private long since;
  private long last;

  /**
   * It is late once more.
   *
   * @param now nanoseconds
   * @return how late it is by now, in times of what made it late: 1 at first
   */
  long times(long now, Verdict verdict) {
    long nanos = Math.max(1, TimeUnit.MILLISECONDS.toNanos(verdict.lateMillis()));
    if (!late || now - last >= nanos) {
      late = true;
      since = now;
    }
    last = now;
    return 1 + (now - since) / nanos;
  }
}
