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
package io.github.hybridhbase.placement;

import io.github.hybridhbase.config.Component;
import io.github.hybridhbase.config.StoragePolicy;
import java.util.Set;
import org.apache.yetus.audience.InterfaceAudience;

/** A pure function from declaration, demotions and holds to the policy to enforce. */
@InterfaceAudience.Private
public final class EffectivePolicy {
  private EffectivePolicy() {}

  /**
   * Decides for a component.
   *
   * @param demoted components that the space monitor keeps off SSD
   * @param held components that {@code revert} withdrew from the plugin
   * @return the policy to enforce; {@link StoragePolicy#NONE} leaves it alone
   */
  public static StoragePolicy of(
      Component component, StoragePolicy declared, Set<Component> demoted, Set<Component> held) {
    return of(declared, demoted.contains(component), held.contains(component));
  }

  /** Decides for a directory, with the same parameters for its component. */
  public static StoragePolicy of(StoragePolicy declared, boolean demoted, boolean held) {
    if (held) {
      return StoragePolicy.NONE;
    }
    return declared.wantsSsd() && demoted ? StoragePolicy.HOT : declared;
  }
}
