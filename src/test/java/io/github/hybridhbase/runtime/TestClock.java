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

import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.apache.yetus.audience.InterfaceAudience;

/** A clock whose time is a test's. */
@InterfaceAudience.Private
public final class TestClock implements Clock {
  private final LongSupplier now;
  private final LongConsumer sleep;

  public TestClock(LongSupplier now, LongConsumer sleep) {
    this.now = now;
    this.sleep = sleep;
  }

  @Override
  public long nanos() {
    return now.getAsLong();
  }

  @Override
  public void sleep(long nanos) {
    sleep.accept(nanos);
  }
}
