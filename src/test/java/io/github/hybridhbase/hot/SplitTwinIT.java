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
package io.github.hybridhbase.hot;

import java.util.concurrent.TimeUnit;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** As {@link SplitTwinTest}, 2,000 schedules or {@code -Dtwin.schedules=N}. */
@InterfaceAudience.Private
@Tag("long")
class SplitTwinIT {
  @Test
  @Timeout(value = 60, unit = TimeUnit.MINUTES)
  void twinsAreEqual() throws Exception {
    new SplitTwinTest().run(Integer.getInteger("twin.schedules", 2_000));
  }
}
