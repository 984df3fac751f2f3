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
package io.github.hybridhbase.guard;

import io.github.hybridhbase.placement.Component;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.apache.yetus.audience.InterfaceAudience;

/** Which components the guard keeps away from SSD, and since when. Immutable. */
@InterfaceAudience.Private
public final class GuardState {
  /** Nothing is away. */
  public static final GuardState ALL_IN = new GuardState(Map.of());

  private final Map<Component, Long> awaySince;

  private GuardState(Map<Component, Long> awaySince) {
    this.awaySince = awaySince;
  }

  /** Components away from SSD. */
  public Set<Component> away() {
    Set<Component> away = EnumSet.noneOf(Component.class);
    away.addAll(awaySince.keySet());
    return Collections.unmodifiableSet(away);
  }

  /** Whether the guard keeps this component away from SSD. */
  public boolean isAway(Component component) {
    return awaySince.containsKey(component);
  }

  /** Since when it is away, in the clock's nanoseconds; only of a component that is. */
  long awaySince(Component component) {
    return awaySince.get(component);
  }

  /** The state with this component away from SSD since {@code now}, unless it is away already. */
  public GuardState leave(Component component, long now) {
    if (isAway(component)) {
      return this;
    }
    Map<Component, Long> next = new EnumMap<>(Component.class);
    next.putAll(awaySince);
    next.put(component, now);
    return new GuardState(next);
  }

  /** The state with this component back on SSD. */
  public GuardState comeBack(Component component) {
    Map<Component, Long> next = new EnumMap<>(Component.class);
    next.putAll(awaySince);
    next.remove(component);
    return new GuardState(next);
  }

  @Override
  public String toString() {
    return awaySince.isEmpty() ? "all on SSD" : "away from SSD: " + awaySince.keySet();
  }
}
