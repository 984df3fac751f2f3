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
package io.github.hybridhbase.measure;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The most bytes that files below a directory had at once, looked at every other second by a thread
 * of its own until {@link #close()}: what SSD must be bought for. What {@link SavedFiles} keeps
 * does not count; the bucket cache counts apart.
 */
@InterfaceAudience.Private
final class SsdPeak implements AutoCloseable {
  private static final long PERIOD_MILLIS = 2_000;

  private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
  private volatile long peak;

  SsdPeak(Path directory) {
    var unused =
        clock.scheduleWithFixedDelay(
            () -> {
              try {
                peak = Math.max(peak, SavedFiles.bytes(directory));
              } catch (IOException e) {
                return; // a DataNode has moved a file meanwhile: the next time
              }
            },
            0,
            PERIOD_MILLIS,
            TimeUnit.MILLISECONDS);
  }

  /** Bytes at most, so far. */
  long peak() {
    return peak;
  }

  @Override
  public void close() throws InterruptedException {
    clock.shutdownNow();
    boolean unused = clock.awaitTermination(PERIOD_MILLIS, TimeUnit.MILLISECONDS);
  }
}
