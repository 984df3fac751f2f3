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

import io.github.hybridhbase.hdfs.SsdSpace;
import io.github.hybridhbase.report.Finding;
import io.github.hybridhbase.runtime.Component;
import io.github.hybridhbase.runtime.Watermarks;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * One HDFS in a {@link ClusterLook}: its SSD space, the headroom that a DataNode needs, the servers
 * with WALs, and the components that are demoted. Immutable.
 */
@InterfaceAudience.Private
public final class SpaceLook {
  static final String FOUND =
      "It was found so: an earlier master, or a server whose writes SSD refused, demoted it.";

  /** Demoted components with time and reason. Immutable. */
  @InterfaceAudience.Private
  public static final class Demotions {
    public static final Demotions NONE = new Demotions(Map.of(), Map.of());

    private final Map<Component, Long> since;
    private final Map<Component, String> why;

    private Demotions(Map<Component, Long> since, Map<Component, String> why) {
      this.since = since;
      this.why = why;
    }

    /**
     * @param now milliseconds since 1970
     */
    public Demotions next(Set<Component> demoted, String reason, long now) {
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
  private final Optional<SsdSpace> read;
  private final String unread;
  private final Settling settling;
  private final Headroom headroom;
  private final WalServers servers;
  private final int replicas;
  private final long walBlock;
  private final Demotions demotions;

  private SpaceLook(
      long at,
      Optional<SsdSpace> read,
      String unread,
      Settling settling,
      Headroom headroom,
      WalServers servers,
      int replicas,
      long walBlock,
      Demotions demotions) {
    this.at = at;
    this.read = read;
    this.unread = unread;
    this.settling = settling;
    this.headroom = headroom;
    this.servers = servers;
    this.replicas = replicas;
    this.walBlock = walBlock;
    this.demotions = demotions;
  }

  public static SpaceLook first(Settling settling) {
    return new SpaceLook(
        0,
        Optional.empty(),
        "",
        settling,
        new Headroom(0, 0, 0, 0),
        WalServers.NONE,
        0,
        0,
        Demotions.NONE);
  }

  /**
   * A single reading, taken as certain, without headroom: only the master estimates that.
   *
   * @param at milliseconds since 1970
   * @param replicas of a WAL
   * @param walBlock bytes
   */
  public static SpaceLook once(
      long at,
      Optional<SsdSpace> read,
      String unread,
      WalServers servers,
      int replicas,
      long walBlock) {
    SpaceLook none = first(Settling.within(0));
    return new SpaceLook(
        at,
        read,
        unread,
        none.settling,
        none.headroom,
        servers,
        replicas,
        walBlock,
        none.demotions);
  }

  /**
   * @param reading empty if unreadable
   * @param estimate of the headroom, which learns from each reading
   * @param walsOnSsd whether the servers' WALs need headroom
   * @param nanos the clock's
   */
  public SpaceLook next(
      Optional<SsdSpace> reading,
      String why,
      WalServers found,
      Headroom.Estimate estimate,
      boolean walsOnSsd,
      long nanos) {
    Settling next = settling.next(reading, nanos);
    Headroom need = estimate.next(next.certain(), walsOnSsd ? found.live().size() : 0, nanos);
    return new SpaceLook(
        System.currentTimeMillis(),
        reading,
        why,
        next,
        need,
        found,
        estimate.replicas(),
        estimate.walBlock(),
        demotions);
  }

  /**
   * @param why the failure; noted until the first answer
   */
  SpaceLook failed(String why, long nanos) {
    return new SpaceLook(
        at,
        read,
        answered() ? unread : why,
        settling.next(Optional.empty(), nanos),
        headroom,
        servers,
        replicas,
        walBlock,
        demotions);
  }

  public SpaceLook with(Demotions next) {
    return new SpaceLook(at, read, unread, settling, headroom, servers, replicas, walBlock, next);
  }

  boolean answered() {
    return at > 0;
  }

  /** Milliseconds since 1970; 0 before the first reading. */
  public long at() {
    return at;
  }

  /** The last reading, certain or not; empty if unreadable. */
  public Optional<SsdSpace> read() {
    return read;
  }

  /** Empty if unreadable or uncertain ({@link Settling}). */
  public Optional<SsdSpace> space() {
    return settling.certain();
  }

  public boolean settled() {
    return settling.settled();
  }

  String unread() {
    return unread;
  }

  /** Why the space is unreadable or uncertain, a sentence; empty if it is certain. */
  public String trouble() {
    if (read.isEmpty()) {
      return "It cannot be read: " + unread;
    }
    return settled() ? "" : "The free space is being confirmed, for about a minute after a start.";
  }

  /**
   * Whether HDFS has not answered again for a minute beside the periods.
   *
   * @param nowMillis since 1970
   */
  public boolean isStale(long nowMillis, long periodSeconds) {
    return answered() && nowMillis - at > TimeUnit.SECONDS.toMillis(60L + 3L * periodSeconds);
  }

  public Headroom headroom() {
    return headroom;
  }

  /** Bytes of the replicas of a WAL block. */
  public long walBytes() {
    return replicas * walBlock;
  }

  public WalServers servers() {
    return servers;
  }

  public List<Finding> findings(Watermarks watermarks) {
    return read.map(ssd -> ssd.findings(watermarks, replicas, walBlock)).orElse(List.of());
  }

  public Demotions demotions() {
    return demotions;
  }
}
