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
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.test.LambdaTestUtils.VoidCallable;
import org.apache.yetus.audience.InterfaceAudience;

/** The steps of an end: each is tried whatever became of the one before. One thread. */
@InterfaceAudience.Private
final class Teardown {
  private final IOException failure = new IOException("the cluster did not close cleanly");

  /** Tries a step, which does not hang the caller if it hangs; whether it went well. */
  boolean within(String what, int seconds, VoidCallable step) {
    Callable<Boolean> work =
        () -> {
          step.call();
          return true;
        };
    FutureTask<Boolean> task = new FutureTask<>(work);
    Thread thread = new Thread(task, what);
    thread.setDaemon(true);
    thread.start();
    try {
      return task.get(seconds, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      failure.addSuppressed(new IOException(what, e.getCause()));
    } catch (TimeoutException e) {
      IOException hung = new IOException(what + " took more than " + seconds + " s");
      hung.setStackTrace(thread.getStackTrace());
      failure.addSuppressed(hung);
      thread.interrupt();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      failure.addSuppressed(e);
    }
    return false;
  }

  /** Tells of all that failed, in one exception. */
  void end() throws IOException {
    if (failure.getSuppressed().length > 0) {
      throw failure;
    }
  }
}
