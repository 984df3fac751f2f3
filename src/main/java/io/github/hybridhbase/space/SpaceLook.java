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

/** What the space monitor saw and did at its last look, to be shown. Immutable. */
@InterfaceAudience.Private
public final class SpaceLook {
  /** Why a component is away that this monitor did not demote. */
  static final String FOUND =
      "It was found so: an earlier master, or a server whose writes SSD refused, demoted it.";

  /** Components away from SSD: since when, and why. Immutable. */
  @InterfaceAudience.Private
  public static final class Demotions {
    static final Demotions NONE = new Demotions(Map.of(), Map.of());

    private final Map<Component, Long> since;
    private final Map<Component, String> why;

    private Demotions(Map<Component, Long> since, Map<Component, String> why) {
      this.since = since;
      this.why = why;
    }

    /** Keeps what is said of those that stay away; those that are new are so for this reason. */
    Demotions next(Set<Component> demoted, String reason, long now) {
      Map<Component, Long> nextSince = new EnumMap<>(Component.class);
      Map<Component, String> nextWhy = new EnumMap<>(Component.class);
      for (Component component : demoted) {
        nextSince.put(component, since.getOrDefault(component, now));
        nextWhy.put(component, why.getOrDefault(component, reason));
      }
      return new Demotions(nextSince, nextWhy);
    }

    /** Components away from SSD. */
    public Set<Component> components() {
      return Collections.unmodifiableSet(since.keySet());
    }

    /** Since when, in milliseconds since 1970. */
    public long since(Component component) {
      return since.get(component);
    }

    /** Why, for people. */
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
   * Describes a look.
   *
   * @param at milliseconds since 1970
   * @param trouble why the space cannot be read or is not certain; empty where it is
   * @param headroom bytes that a DataNode must have free
   * @param fellBack directories of servers whose WALs fell back to DISK
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

  /** When it was, in milliseconds since 1970. */
  public long at() {
    return at;
  }

  /** What was read. */
  public Optional<SsdSpace> space() {
    return space;
  }

  /** Why the space cannot be read or is not certain, a sentence; empty where it is. */
  public String trouble() {
    return trouble;
  }

  /** Bytes that a DataNode must have free. */
  public long headroom() {
    return headroom;
  }

  /** Names of the directories of servers whose WALs fell back to DISK by themselves, sorted. */
  public List<String> fellBack() {
    return fellBack;
  }

  /** What is away from SSD. */
  public Demotions demotions() {
    return demotions;
  }
}
