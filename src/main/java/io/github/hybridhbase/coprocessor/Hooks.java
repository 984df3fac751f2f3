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
package io.github.hybridhbase.coprocessor;

import io.github.hybridhbase.metrics.Failures;
import org.apache.yetus.audience.InterfaceAudience;

/** A guard around the plugin's part of a hook, so that no failure reaches the server. */
@InterfaceAudience.Private
final class Hooks {
  private Hooks() {}

  interface Action {
    void run() throws Exception;
  }

  interface ActionOn<T> {
    void run(T given) throws Exception;
  }

  /** Like {@link #guarded(String, Action)}, without an allocation per call. */
  static <T> void guarded(String hook, ActionOn<T> action, T given) {
    try {
      action.run(given);
    } catch (Throwable t) {
      swallow(hook, t);
    }
  }

  /**
   * Catches everything, since HBase aborts a server if anything but an IOException leaves a hook.
   * All failures are counted, the first of each hook is logged.
   */
  static void guarded(String hook, Action action) {
    try {
      action.run();
    } catch (Throwable t) {
      swallow(hook, t);
    }
  }

  private static void swallow(String hook, Throwable t) {
    if (t instanceof InterruptedException) {
      Thread.currentThread().interrupt();
    }
    Failures.swallowed(
        "The hook "
            + hook
            + " failed; HBase goes on without it. To do without the plugin, run 'hbase-hybrid"
            + " revert', then set hbase.hybrid.mode=off and restart.",
        t);
  }
}
