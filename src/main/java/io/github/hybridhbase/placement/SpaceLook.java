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
import io.github.hybridhbase.report.FindingId;
import io.github.hybridhbase.runtime.Text;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.yetus.audience.InterfaceAudience;

/** One HDFS in a {@link ClusterLook}. Immutable. */
@InterfaceAudience.Private
public final class SpaceLook {
  /** HDFS calls a DataNode stale then ({@code dfs.namenode.stale.datanode.interval}). */
  private static final long SILENT_SECONDS = 30;

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
    return read.map(ssd -> findings(ssd, ssd.without, replicas, walBlock)).orElse(List.of());
  }

  /**
   * @param without DataNodes known to lack SSD
   * @param block bytes that HDFS needs to open a WAL
   */
  public static List<Finding> findings(
      SsdSpace ssd, List<String> without, int replicas, long block) {
    if (ssd.nodes == 0) {
      return List.of(Finding.of(FindingId.NO_SSD, "DataNodes"));
    }
    List<Finding> findings = new ArrayList<>();
    if (ssd.nodes < replicas) {
      boolean named = !without.isEmpty();
      String all = named ? " of " + (ssd.nodes + without.size()) : "";
      findings.add(
          Finding.of(
                  FindingId.FEW_SSD_NODES,
                  "DataNodes",
                  ssd.nodes + all + (ssd.nodes == 1 && !named ? " DataNode" : " DataNodes"),
                  replicas,
                  named ? "; without SSD: " + Text.some(without) : "")
              .about(without));
    }
    List<String> silent =
        ssd.perNode.stream()
            .filter(node -> node.silentSeconds > SILENT_SECONDS)
            .map(node -> node.name + " (" + node.silentSeconds + " s)")
            .collect(Collectors.toList());
    if (!silent.isEmpty()) {
      findings.add(silent(silent));
    }
    int roomy = ssd.nodesWithSpace(block);
    if (roomy < Math.min(replicas, ssd.nodes) || ssd.freePercent() < TierGrant.LOW_PERCENT) {
      long others = others(ssd);
      findings.add(
          Finding.of(
              FindingId.SSD_SPACE,
              "DataNodes",
              ssd + (others == 0 ? "" : "; not HDFS's files: " + Text.bytes(others)),
              String.format(Locale.ROOT, "%.0f", ssd.freePercent()),
              TierGrant.LOW_PERCENT,
              Text.bytes(block),
              roomy));
    }
    return findings;
  }

  /**
   * @param nodes each with how long
   */
  public static Finding silent(List<String> nodes) {
    return Finding.of(FindingId.DATANODE_SILENT, "DataNodes", Text.some(nodes))
        .withWeight(nodes.size());
  }

  /** Bytes neither free nor HDFS's, if most of what is taken; otherwise 0. */
  private static long others(SsdSpace ssd) {
    long taken = ssd.capacity - Math.min(ssd.remaining, ssd.capacity);
    long others = taken - Math.min(ssd.used, taken);
    return 2 * others > taken ? others : 0;
  }
}
