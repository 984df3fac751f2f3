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
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.yetus.audience.InterfaceAudience;

/** One HDFS in a {@link ClusterLook}. Immutable. */
@InterfaceAudience.Private
public final class SpaceLook {
  private final long at;
  private final Optional<SsdSpace> read;
  private final String unread;
  private final WalServers servers;
  private final int replicas;
  private final long walBlock;

  public SpaceLook(
      long at,
      Optional<SsdSpace> read,
      String unread,
      WalServers servers,
      int replicas,
      long walBlock) {
    this.at = at;
    this.read = read;
    this.unread = unread;
    this.servers = servers;
    this.replicas = replicas;
    this.walBlock = walBlock;
  }

  SpaceLook failed(String why) {
    return new SpaceLook(at, read, answered() ? unread : why, servers, replicas, walBlock);
  }

  boolean answered() {
    return at > 0;
  }

  /** Milliseconds since 1970; 0 before the first reading. */
  public long at() {
    return at;
  }

  /** Empty if unreadable. */
  public Optional<SsdSpace> read() {
    return read;
  }

  /** A sentence; empty if the space is readable. */
  public String trouble() {
    return read.isEmpty() ? "It cannot be read: " + unread : "";
  }

  /**
   * Whether HDFS has not answered for a minute beyond the periods.
   *
   * @param nowMillis since 1970
   */
  public boolean isStale(long nowMillis, long periodSeconds) {
    return answered() && nowMillis - at > TimeUnit.SECONDS.toMillis(60L + 3L * periodSeconds);
  }

  /** Bytes of a WAL block's replicas. */
  public long walBytes() {
    return replicas * walBlock;
  }

  public WalServers servers() {
    return servers;
  }

  public List<Finding> findings() {
    return read.map(ssd -> ssd.findings(TierGrant.LOW_PERCENT, replicas, walBlock))
        .orElse(List.of());
  }
}
