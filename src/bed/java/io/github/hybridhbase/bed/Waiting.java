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
package io.github.hybridhbase.bed;

import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.yetus.audience.InterfaceAudience;

/** Waits for a condition, for a bounded time. */
@InterfaceAudience.Private
public final class Waiting {
  private static final long POLL_MILLIS = 200;

  private Waiting() {}

  /**
   * Returns once the condition holds.
   *
   * @param what it waits for, in words
   * @param condition what it throws counts as "not yet"
   * @param hopeless answers why it will never hold, null while it may
   * @param evidence what to show where it did not come to hold
   * @throws AssertionError where it did not, within the time
   */
  static void until(
      String what,
      Duration patience,
      Callable<Boolean> condition,
      Supplier<String> hopeless,
      Supplier<String> evidence)
      throws InterruptedException {
    long end = System.nanoTime() + patience.toNanos();
    Exception last = null;
    while (true) {
      try {
        if (condition.call()) {
          return;
        }
        last = null;
      } catch (InterruptedException e) {
        throw e;
      } catch (SocketTimeoutException e) {
        last = e; // the only one of its kind that is no interrupt
      } catch (InterruptedIOException e) {
        throw (InterruptedException) new InterruptedException().initCause(e);
      } catch (Exception e) {
        last = e;
      }
      String reason = hopeless.get();
      if (reason == null && System.nanoTime() - end > 0) {
        reason = "waited " + patience.toSeconds() + " s";
      }
      if (reason != null) {
        throw new AssertionError(what + ": " + reason + "\n" + evidence.get(), last);
      }
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
    }
  }

  /** The same of what may hold at any time. */
  public static void until(Object what, int seconds, Callable<Boolean> condition)
      throws InterruptedException {
    until(what.toString(), Duration.ofSeconds(seconds), condition, () -> null, () -> "");
  }
}
