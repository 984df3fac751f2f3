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

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The steps of an end: each is tried whatever became of the one before. One thread. */
@InterfaceAudience.Private
final class Teardown {
  private static final Logger LOG = LoggerFactory.getLogger(Teardown.class);

  /** One of them. */
  @FunctionalInterface
  interface Step {
    void run() throws Exception;
  }

  private final List<Throwable> failures = new ArrayList<>();

  /** Tries a step in the caller's thread. */
  void attempt(String what, Step step) {
    attempt(what, step, failures);
  }

  private static void attempt(String what, Step step, List<Throwable> failures) {
    try {
      step.run();
    } catch (Throwable e) { // an Error as well: the next step must be tried
      LOG.warn("{} failed", what, e);
      failures.add(e);
    }
  }

  /** As {@link #attempt}, but a step that hangs does not hang the caller; whether it went well. */
  boolean within(String what, int seconds, Step step) {
    List<Throwable> own = new ArrayList<>();
    Thread thread = new Thread(() -> attempt(what, step, own), what);
    thread.setDaemon(true);
    thread.start();
    try {
      thread.join(TimeUnit.SECONDS.toMillis(seconds));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (thread.isAlive()) {
      IOException hung = new IOException(what + " took more than " + seconds + " s");
      hung.setStackTrace(thread.getStackTrace());
      failures.add(hung);
      thread.interrupt();
      return false;
    }
    failures.addAll(own);
    return own.isEmpty();
  }

  /** Tells of all that failed, in one exception. */
  void end() throws IOException {
    if (!failures.isEmpty()) {
      IOException e = new IOException("the cluster did not close cleanly");
      failures.forEach(e::addSuppressed);
      throw e;
    }
  }
}
