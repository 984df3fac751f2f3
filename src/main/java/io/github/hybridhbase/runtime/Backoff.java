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

import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A back-off of a server from SSD: the delay doubles with each refusal, up to {@value #MOST} times
 * the first, and resets once SSD has held for that limit. Immutable.
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

  public static Backoff starting(long firstNanos) {
    return starting(firstNanos, Jitter.random());
  }

  public static Backoff starting(long firstNanos, Jitter jitter) {
    return new Backoff(firstNanos, 0, 0, jitter);
  }

  public Backoff refused(long now) {
    long most = firstNanos * MOST;
    boolean held = delayNanos == 0 || now - lastRefusal > most + delayNanos;
    return new Backoff(firstNanos, held ? firstNanos : Math.min(most, delayNanos * 2), now, jitter);
  }

  /** Nanoseconds until SSD may be tried; 0 for now. */
  public long waitNanos(long now) {
    return delayNanos == 0 ? 0 : Math.max(0, cutNanos - (now - lastRefusal));
  }

  /**
   * A random reduction of delays by up to a quarter, so that servers refused together return apart.
   */
  public static final class Jitter {
    public static final Jitter NONE = new Jitter(() -> 0);

    private static final double MOST = 0.25;

    private final DoubleSupplier random;

    private Jitter(DoubleSupplier random) {
      this.random = random;
    }

    /** Thread-safe. */
    public static Jitter random() {
      return of(() -> ThreadLocalRandom.current().nextDouble());
    }

    /**
     * @param random from 0 to below 1
     */
    public static Jitter of(DoubleSupplier random) {
      return new Jitter(random);
    }

    public long cut(long wait) {
      return wait - (long) (wait * MOST * random.getAsDouble());
    }
  }
}
