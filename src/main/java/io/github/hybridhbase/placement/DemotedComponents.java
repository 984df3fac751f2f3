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

import io.github.hybridhbase.runtime.Component;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.apache.yetus.audience.InterfaceAudience;

/** The components that the space monitor keeps off SSD, with the time of demotion. Immutable. */
@InterfaceAudience.Private
public final class DemotedComponents {
  public static final DemotedComponents NONE = new DemotedComponents(Map.of());

  private final Map<Component, Long> demotedSince;

  private DemotedComponents(Map<Component, Long> demotedSince) {
    this.demotedSince = demotedSince;
  }

  public Set<Component> demoted() {
    Set<Component> demoted = EnumSet.noneOf(Component.class);
    demoted.addAll(demotedSince.keySet());
    return Collections.unmodifiableSet(demoted);
  }

  public boolean isDemoted(Component component) {
    return demotedSince.containsKey(component);
  }

  /** In the clock's nanoseconds; the component must be demoted. */
  long demotedSince(Component component) {
    return demotedSince.get(component);
  }

  /** Adds the component with the time {@code now}, unless it is demoted already. */
  public DemotedComponents demote(Component component, long now) {
    if (isDemoted(component)) {
      return this;
    }
    Map<Component, Long> next = new EnumMap<>(Component.class);
    next.putAll(demotedSince);
    next.put(component, now);
    return new DemotedComponents(next);
  }

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
