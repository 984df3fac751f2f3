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
package io.github.hybridhbase.page;

import java.util.OptionalLong;
import org.apache.yetus.audience.InterfaceAudience;

/** Something that the plugin currently keeps off SSD. Immutable. */
@InterfaceAudience.Private
public final class Demotion {
  private final String what;
  private final OptionalLong since;
  private final String why;

  /**
   * @param what a component or a directory
   * @param since milliseconds since 1970; empty if unknown
   */
  public Demotion(String what, OptionalLong since, String why) {
    this.what = what;
    this.since = since;
    this.why = why;
  }

  /**
   * Its WALs fell back to DISK.
   *
   * @param directory its WAL directory
   */
  public static Demotion ofServer(String directory) {
    return new Demotion(
        directory,
        OptionalLong.empty(),
        "SSD refused a WAL of this server, so its next ones go to DISK. It asks SSD again by itself"
            + " (hbase.hybrid.ssd.retry); its log says why at 'SSD refused the WAL'.");
  }

  String what() {
    return what;
  }

  OptionalLong since() {
    return since;
  }

  String why() {
    return why;
  }
}
