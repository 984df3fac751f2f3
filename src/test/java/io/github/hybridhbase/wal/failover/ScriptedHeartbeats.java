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
package io.github.hybridhbase.wal.failover;

import java.util.Set;
import java.util.function.IntSupplier;
import org.apache.yetus.audience.InterfaceAudience;

/** Takes no time: a test says how many DataNodes but the late ones are silent. */
@InterfaceAudience.Private
final class ScriptedHeartbeats extends Heartbeats {
  private final IntSupplier silent;

  ScriptedHeartbeats(IntSupplier silent) {
    super(new Connections(null), Set.of());
    this.silent = silent;
  }

  @Override
  int silentAfter(long millis) {
    return silent.getAsInt();
  }
}
