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
package io.github.hybridhbase.runtime;

import java.util.function.Consumer;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A sink for the plugin's own failures, which must not reach HBase: counts all, logs each cause
 * once.
 */
@InterfaceAudience.Private
public final class Failures {
  private static final Logger LOG = LoggerFactory.getLogger(Failures.class);

  private static final String OURS = "io.github.hybridhbase.";

  private static final int DEEPEST = 20;

  private Failures() {}

  /**
   * Catches everything, since HBase aborts a server if anything but an IOException leaves a hook.
   */
  public static void inHook(String hook, Action<?> action) {
    try {
      action.run();
    } catch (Throwable t) {
      hookFailed(hook, t);
    }
  }

  /** Does not allocate. */
  public static <T> void inHook(String hook, Consumer<T> action, T given) {
    try {
      action.accept(given);
    } catch (Throwable t) {
      hookFailed(hook, t);
    }
  }

  public static void guarded(String what, Action<?> action) {
    try {
      action.run();
    } catch (Throwable t) {
      swallowed(what, t);
    }
  }

  private static void hookFailed(String hook, Throwable t) {
    if (t instanceof InterruptedException) {
      Thread.currentThread().interrupt();
    }
    swallowed(
        "The hook "
            + hook
            + " failed; HBase goes on without it. To do without the plugin, run 'hbase-hybrid"
            + " revert', then set hbase.hybrid.mode=off and restart.",
        t);
  }

  /**
   * Never throws.
   *
   * @param what failed, and the consequence, in full sentences
   */
  public static void swallowed(String what, Throwable t) {
    try {
      if (HybridMetrics.get().failure(what + cause(t))) {
        LOG.error(
            "{} {} Logged once for each cause; the metric {} counts further ones.",
            what,
            t instanceof OutOfMemoryError
                ? "The process has no memory or threads left: raise its limits (heap, ulimit -u)."
                : "This is a fault of the plugin: please report it with this stack trace.",
            Metric.HOOK_FAILURES.label(),
            t);
      }
    } catch (Throwable nothingIsLeftToTry) {
    }
  }

  /** Without the message, which has names and numbers. */
  private static String cause(Throwable thrown) {
    Throwable root = thrown;
    for (int depth = 0; root.getCause() != null && depth < DEEPEST; depth++) {
      root = root.getCause();
    }
    for (StackTraceElement frame : root.getStackTrace()) {
      if (frame.getClassName().startsWith(OURS)) {
        return " " + root.getClass().getName() + " " + frame;
      }
    }
    return " " + root.getClass().getName();
  }
}
