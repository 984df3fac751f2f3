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
package io.github.hybridhbase.tool.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.util.ShutdownHookManager;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A stop request by Ctrl-C: the verb ends at its next step, before Hadoop's shutdown hook closes
 * its file systems.
 */
@InterfaceAudience.Private
public class Stop {
  private static final int PATIENCE_SECONDS = 20;

  private final CountDownLatch done = new CountDownLatch(1);
  private volatile boolean requested;

  public static Stop onSignal() {
    Stop stop = new Stop();
    ShutdownHookManager.get()
        .addShutdownHook(
            stop::requestAndAwait,
            FileSystem.SHUTDOWN_HOOK_PRIORITY + 10,
            PATIENCE_SECONDS + 1,
            TimeUnit.SECONDS);
    return stop;
  }

  public boolean requested() {
    return requested;
  }

  void request() {
    requested = true;
  }

  public void done() {
    done.countDown();
  }

  private void requestAndAwait() {
    request();
    try {
      if (!done.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
