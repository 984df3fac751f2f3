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
package io.github.hybridhbase.space;

import org.apache.yetus.audience.InterfaceAudience;

/**
 * How long one server leaves SSD alone after SSD refused it: doubles with every refusal up to a
 * limit, and starts again once SSD held for that long. Each wait is cut a little ({@link Jitter}),
 * so that servers which were refused together do not come back together. Immutable.
 */
@InterfaceAudience.Private
public final class Backoff {
  private static final int MOST = 16;

  private final long firstNanos;
  private final long delayNanos;
  private final long cutNanos;
  private final long lastRefusal;
  private final Jitter jitter;

  private Backoff(long firstNanos, long delayNanos, long lastRefusal, Jitter jitter) {
    this.firstNanos = firstNanos;
    this.delayNanos = delayNanos;
    this.cutNanos = jitter.cut(delayNanos);
    this.lastRefusal = lastRefusal;
    this.jitter = jitter;
  }

  /** Nothing was refused yet; the first refusal keeps SSD away for {@code firstNanos}. */
  public static Backoff starting(long firstNanos) {
    return starting(firstNanos, Jitter.random());
  }

  /** As the other one, with these cuts. */
  public static Backoff starting(long firstNanos, Jitter jitter) {
    return new Backoff(firstNanos, 0, 0, jitter);
  }

  /** SSD refused at {@code now}. */
  public Backoff refused(long now) {
    long most = firstNanos * MOST;
    boolean held = delayNanos == 0 || now - lastRefusal > most + delayNanos;
    return new Backoff(firstNanos, held ? firstNanos : Math.min(most, delayNanos * 2), now, jitter);
  }

  /** Nanoseconds from {@code now} until SSD may be tried; 0 where it may. */
  public long waitNanos(long now) {
    return delayNanos == 0 ? 0 : Math.max(0, cutNanos - (now - lastRefusal));
  }
}
