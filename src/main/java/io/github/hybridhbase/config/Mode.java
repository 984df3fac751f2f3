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
package io.github.hybridhbase.config;

import org.apache.yetus.audience.InterfaceAudience;

/** How firmly the plugin insists on its placement. */
@InterfaceAudience.Public
public enum Mode {
  /** Places where it can; what cannot be placed is reported and never stops a write or a server. */
  PREFER,
  /**
   * Refuses to start a server where the placement cannot hold; once running, as {@link #PREFER}.
   */
  REQUIRE,
  /** Does nothing: the servers behave as stock HBase. */
  OFF
}
