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

import java.util.Locale;
import org.apache.yetus.audience.InterfaceAudience;

/** The strictness of the placement. */
@InterfaceAudience.Public
public enum Mode {
  /** Reports what cannot be placed, and never stops a write or a server. */
  PREFER,
  /** Refuses to start a server if the placement cannot hold; afterwards like {@link #PREFER}. */
  REQUIRE,
  /** As without the plugin. */
  OFF;

  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  public boolean places() {
    return this != OFF;
  }
}
