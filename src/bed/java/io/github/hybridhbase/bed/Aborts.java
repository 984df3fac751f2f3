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
package io.github.hybridhbase.bed;

import java.util.ArrayList;
import java.util.List;
import org.apache.yetus.audience.InterfaceAudience;

/** What servers that aborted have said, each line told once. For one thread. */
@InterfaceAudience.Private
final class Aborts {
  private List<String> seen = List.of();

  /**
   * Those that have come since the last call; in any order, as they are read server by server.
   *
   * @param all that were ever said, as {@link Bed#aborts} has them
   */
  List<String> fresh(List<String> all) {
    List<String> fresh = new ArrayList<>(all);
    seen.forEach(fresh::remove);
    seen = List.copyOf(all);
    return fresh;
  }
}
