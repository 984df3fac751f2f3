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

import io.github.hybridhbase.config.Component;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.apache.yetus.audience.InterfaceAudience;

/** Which components the space monitor keeps away from SSD, and since when. Immutable. */
@InterfaceAudience.Private
public final class DemotedComponents {
  /** Nothing is away. */
  public static final DemotedComponents NONE = new DemotedComponents(Map.of());

  private final Map<Component, Long> demotedSince;

  private DemotedComponents(Map<Component, Long> demotedSince) {
    this.demotedSince = demotedSince;
  }

  /** Components away from SSD. */
  public Set<Component> demoted() {
    Set<Component> demoted = EnumSet.noneOf(Component.class);
    demoted.addAll(demotedSince.keySet());
    return Collections.unmodifiableSet(demoted);
  }

  /** Whether the space monitor keeps this component away from SSD. */
  public boolean isDemoted(Component component) {
    return demotedSince.containsKey(component);
  }

  /** Since when it is away, in the clock's nanoseconds; only of a component that is. */
  long demotedSince(Component component) {
    return demotedSince.get(component);
  }

  /** The state with this component away from SSD since {@code now}, unless it is away already. */
  public DemotedComponents demote(Component component, long now) {
    if (isDemoted(component)) {
      return this;
    }
    Map<Component, Long> next = new EnumMap<>(Component.class);
    next.putAll(demotedSince);
    next.put(component, now);
    return new DemotedComponents(next);
  }

  /** The state with this component back on SSD. */
  public DemotedComponents restore(Component component) {
    Map<Component, Long> next = new EnumMap<>(Component.class);
    next.putAll(demotedSince);
    next.remove(component);
    return new DemotedComponents(next);
  }

  @Override
  public String toString() {
    return demotedSince.isEmpty() ? "all on SSD" : "away from SSD: " + demotedSince.keySet();
  }
}
