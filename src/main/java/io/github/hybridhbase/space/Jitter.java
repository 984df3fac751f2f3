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

import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Cuts waits by up to a quarter, so that what made hundreds of servers wait at the same moment does
 * not make them go on at the same moment. A pure function of its random numbers; as thread-safe as
 * these.
 */
@InterfaceAudience.Private
public final class Jitter {
  /** Cuts nothing. */
  public static final Jitter NONE = new Jitter(() -> 0);

  private static final double MOST = 0.25;

  private final DoubleSupplier random;

  private Jitter(DoubleSupplier random) {
    this.random = random;
  }

  /** By other numbers in each process. Thread-safe. */
  public static Jitter random() {
    return of(() -> ThreadLocalRandom.current().nextDouble());
  }

  /**
   * By these numbers.
   *
   * @param random numbers from 0 to below 1
   */
  public static Jitter of(DoubleSupplier random) {
    return new Jitter(random);
  }

  /** A wait, in any unit, cut by up to a quarter of it; never longer. */
  public long cut(long wait) {
    return wait - (long) (wait * MOST * random.getAsDouble());
  }
}
