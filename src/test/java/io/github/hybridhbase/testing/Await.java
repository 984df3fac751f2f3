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
package io.github.hybridhbase.testing;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Polls for conditions that give no event. */
@InterfaceAudience.Private
public final class Await {
  /** Limit for every condition: a slow machine passes, a stuck cluster fails. */
  public static final long MILLIS = TimeUnit.SECONDS.toMillis(120);

  private static final Logger LOG = LoggerFactory.getLogger(Await.class);
  private static final long SHORTEST_POLL_MILLIS = 5;
  private static final long LONGEST_POLL_MILLIS = 50;

  private Await() {}

  /**
   * Returns when the condition holds.
   *
   * @throws AssertionError after {@link #MILLIS}
   */
  public static void until(String what, BooleanSupplier condition) {
    until(what, MILLIS, condition);
  }

  /**
   * As the other, with another bound.
   *
   * @param what as it is at the end
   */
  public static void until(Object what, long millis, BooleanSupplier condition) {
    LOG.debug("Awaiting {}", what);
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    for (long poll = SHORTEST_POLL_MILLIS;
        !condition.getAsBoolean();
        poll = Math.min(2 * poll, LONGEST_POLL_MILLIS)) {
      if (System.nanoTime() > end) {
        throw new AssertionError("waited " + millis + " ms in vain for " + what);
      }
      try {
        TimeUnit.MILLISECONDS.sleep(poll);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new AssertionError("interrupted while waiting for " + what, e);
      }
    }
  }
}
