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
import io.github.hybridhbase.config.HybridSettings;
import io.github.hybridhbase.config.WalDelegate;
import io.github.hybridhbase.hdfs.SsdSpace;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Estimates the {@link Headroom} of a DataNode from the configuration, from the number of servers
 * and from how fast SSD fills between two looks. One thread.
 */
@InterfaceAudience.Private
public final class HeadroomEstimate {
  /** {@code dfs.datanode.round-robin-volume-choosing-policy.additional-available-space}. */
  static final String SPARE =
      "dfs.datanode.round-robin-volume-choosing-policy.additional-available-space";

  private static final String VOLUME_CHOICE = "dfs.datanode.fsdataset.volume.choosing.policy";
  private static final long SPARE_DEFAULT = 1L << 30;

  /** The greatest speed seen fades by this much a look. */
  private static final double FADE = 0.9;

  private final long spare;
  private final long walBlock;
  private final int replication;
  private final int groups;
  private final long heartbeatSeconds;

  private Optional<SsdSpace> last = Optional.empty();
  private long lastNanos;
  private double bytesPerSecond;

  /**
   * Makes an estimate.
   *
   * @param walBlock block size of WAL files, in bytes
   * @param replication replicas of a WAL
   * @param multiwal whether a server writes several WALs at a time
   */
  public HeadroomEstimate(Configuration conf, long walBlock, int replication, boolean multiwal) {
    this.spare = spare(conf);
    this.walBlock = walBlock;
    this.replication = replication;
    // As BoundedGroupingStrategy does.
    this.groups = multiwal ? conf.getInt("hbase.wal.regiongrouping.numgroups", 2) : 1;
    this.heartbeatSeconds = conf.getTimeDuration("dfs.heartbeat.interval", 3, TimeUnit.SECONDS);
  }

  /**
   * The estimate of a cluster with this configuration.
   *
   * @param standardBlock block size of files for which HBase asks for none, in bytes
   */
  public static HeadroomEstimate of(
      Configuration conf, HybridSettings settings, long standardBlock) {
    long configured = conf.getLong("hbase.regionserver.hlog.blocksize", 0);
    return new HeadroomEstimate(
        conf,
        SsdProbes.blockSize(Component.WAL, configured, standardBlock),
        replication(conf),
        settings.delegate() == WalDelegate.MULTIWAL);
  }

  /** Replicas of a WAL. */
  static int replication(Configuration conf) {
    return conf.getInt("hbase.regionserver.hlog.replication", conf.getInt("dfs.replication", 3));
  }

  /** Bytes a DataNode keeps free on a volume, where this configuration is the DataNodes' too. */
  static long spare(Configuration conf) {
    // The policy that looks at the space of all volumes keeps nothing free.
    return conf.get(VOLUME_CHOICE, "").endsWith(".AvailableSpaceVolumeChoosingPolicy")
        ? 0
        : conf.getLongBytes(SPARE, SPARE_DEFAULT);
  }

  /**
   * The headroom now.
   *
   * @param servers RegionServers and masters with WALs
   * @param now the clock's nanoseconds
   */
  public Headroom next(Optional<SsdSpace> space, int servers, long now) {
    int nodes = space.map(SsdSpace::nodes).orElse(0);
    space.ifPresent(found -> measure(found, now));
    // Every server's own WALs, and one each for hbase:meta and the master store.
    int wals = Math.max(1, servers) * groups + 2;
    long heartbeat = nodes == 0 ? 0 : (long) (bytesPerSecond * heartbeatSeconds / nodes);
    return new Headroom(spare, walBlock, Headroom.walsPerNode(wals, replication, nodes), heartbeat);
  }

  /** What DataNodes, volumes or another source bring along was not written meanwhile. */
  private void measure(SsdSpace found, long now) {
    if (last.filter(before -> before == found).isPresent()) {
      return; // kept from an earlier look
    }
    boolean same =
        last.filter(
                before ->
                    before.nodes() == found.nodes()
                        && before.capacity() == found.capacity()
                        && before.comparableTo(found))
            .isPresent();
    if (same && now > lastNanos) {
      double seconds = (now - lastNanos) / (double) TimeUnit.SECONDS.toNanos(1);
      long grown = found.used() - last.get().used();
      bytesPerSecond = Math.max(bytesPerSecond * FADE, grown / seconds);
    }
    last = Optional.of(found);
    lastNanos = now;
  }
}
