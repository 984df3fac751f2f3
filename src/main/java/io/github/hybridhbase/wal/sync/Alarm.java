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
package io.github.hybridhbase.wal.sync;

import io.github.hybridhbase.runtime.Scheduler;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An alarm on an event loop, set at most once at any time. Used under {@link GroupCommit}'s lock,
 * except for the callback.
 */
@InterfaceAudience.Private
public final class Alarm {
  private static final Logger LOG = LoggerFactory.getLogger(Alarm.class);

  private final Scheduler scheduler;
  private final Runnable ring;
  private volatile boolean rang;
  private boolean set;

  /**
   * @param scheduler whose thread must not block
   * @param onAlarm runs on the scheduler's thread, without the lock
   */
  Alarm(Scheduler scheduler, Runnable onAlarm) {
    this.scheduler = scheduler;
    this.ring =
        () -> {
          rang = true;
          onAlarm.run();
        };
  }

  /**
   * @return false if the scheduler refuses
   */
  boolean set(long nanos) {
    if (!set) {
      try {
        scheduler.schedule(ring, nanos);
        set = true;
      } catch (RuntimeException | Error e) {
        LOG.debug("No timer", e);
      }
    }
    return set;
  }

  /** Whether the alarm went off since the last call; then it may be set again. */
  boolean rang() {
    boolean is = rang;
    if (is) {
      rang = false;
      set = false;
    }
    return is;
  }
}
