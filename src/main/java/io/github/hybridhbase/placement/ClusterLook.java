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

import java.net.URI;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * What the active master, or a verb, has read beside files: space, excluded DataNodes and tier
 * grant. Immutable.
 */
@InterfaceAudience.Private
public final class ClusterLook {
  public static final ClusterLook NONE = new ClusterLook(Map.of(), Map.of(), null);

  private final Map<URI, SpaceLook> spaces;

  /** By DataNode: the servers that exclude it from their WALs, each since when. */
  public final Map<String, Map<String, String>> excluded;

  /** Null for none. */
  private final TierState grant;

  private ClusterLook(
      Map<URI, SpaceLook> spaces, Map<String, Map<String, String>> excluded, TierState grant) {
    this.spaces = Collections.unmodifiableMap(new LinkedHashMap<>(spaces));
    this.excluded = excluded;
    this.grant = grant;
  }

  public ClusterLook with(Map<URI, SpaceLook> next) {
    return new ClusterLook(next, excluded, grant);
  }

  public ClusterLook excluding(Map<String, Map<String, String>> next) {
    return new ClusterLook(spaces, next, grant);
  }

  /**
   * @param state with its age checked
   */
  public ClusterLook with(Optional<TierState> state) {
    return new ClusterLook(spaces, excluded, state.orElse(null));
  }

  public List<SpaceLook> spaces() {
    return asked().stream().filter(SpaceLook::answered).collect(Collectors.toList());
  }

  /** Of each HDFS that was asked, also in vain. */
  public List<SpaceLook> asked() {
    return List.copyOf(spaces.values());
  }

  public Optional<SpaceLook> space(URI hdfs) {
    return Optional.ofNullable(spaces.get(hdfs)).filter(SpaceLook::answered);
  }

  public Optional<TierState> grant() {
    return Optional.ofNullable(grant);
  }

  /**
   * Names of live RegionServers: HBase creates a WAL directory at a server's start ({@code
   * HRegionServer.setupWALAndReplication}) and renames it before it recovers a dead one.
   */
  public List<String> servers() {
    return spaces.values().stream()
        .flatMap(space -> space.servers().live().stream())
        .collect(Collectors.toList());
  }
}
