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
import io.github.hybridhbase.hdfs.SsdSpace;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.yetus.audience.InterfaceAudience;

/** The space monitor's last look, for display. Immutable. */
@InterfaceAudience.Private
public final class SpaceLook {
  static final String FOUND =
      "It was found so: an earlier master, or a server whose writes SSD refused, demoted it.";

  /** Demoted components with time and reason. Immutable. */
  @InterfaceAudience.Private
  public static final class Demotions {
    static final Demotions NONE = new Demotions(Map.of(), Map.of());

    private final Map<Component, Long> since;
    private final Map<Component, String> why;

    private Demotions(Map<Component, Long> since, Map<Component, String> why) {
      this.since = since;
      this.why = why;
    }

    Demotions next(Set<Component> demoted, String reason, long now) {
      Map<Component, Long> nextSince = new EnumMap<>(Component.class);
      Map<Component, String> nextWhy = new EnumMap<>(Component.class);
      for (Component component : demoted) {
        nextSince.put(component, since.getOrDefault(component, now));
        nextWhy.put(component, why.getOrDefault(component, reason));
      }
      return new Demotions(nextSince, nextWhy);
    }

    public Set<Component> components() {
      return Collections.unmodifiableSet(since.keySet());
    }

    /** In milliseconds since 1970. */
    public long since(Component component) {
      return since.get(component);
    }

    public String why(Component component) {
      return why.get(component);
    }
  }

  private final long at;
  private final Optional<SsdSpace> space;
  private final String trouble;
  private final long headroom;
  private final List<String> fellBack;
  private final Demotions demotions;

  /**
   * Creates a look.
   *
   * @param at milliseconds since 1970
   * @param trouble see {@link #trouble}
   * @param headroom in bytes
   */
  SpaceLook(
      long at,
      Optional<SsdSpace> space,
      String trouble,
      long headroom,
      List<String> fellBack,
      Demotions demotions) {
    this.at = at;
    this.space = space;
    this.trouble = trouble;
    this.headroom = headroom;
    this.fellBack = fellBack;
    this.demotions = demotions;
  }

  SpaceLook with(Demotions next) {
    return new SpaceLook(at, space, trouble, headroom, fellBack, next);
  }

  /** Milliseconds since 1970. */
  public long at() {
    return at;
  }

  public Optional<SsdSpace> space() {
    return space;
  }

  /** Why the space is unreadable or uncertain, a sentence; empty if it is certain. */
  public String trouble() {
    return trouble;
  }

  /** In bytes per DataNode. */
  public long headroom() {
    return headroom;
  }

  /** WAL directories of servers that fell back to DISK, sorted. */
  public List<String> fellBack() {
    return fellBack;
  }

  public Demotions demotions() {
    return demotions;
  }
}
