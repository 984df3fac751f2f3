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

import io.github.hybridhbase.config.HybridSettings;
import io.github.hybridhbase.config.WalDelegate;
import io.github.hybridhbase.hdfs.SsdSpace;
import io.github.hybridhbase.hdfs.WalFiles;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * An estimate of {@link Headroom} from configuration, number of servers and the rate at which SSD
 * fills. One thread.
 */
@InterfaceAudience.Private
public final class HeadroomEstimate {
  public static final String SPARE =
      "dfs.datanode.round-robin-volume-choosing-policy.additional-available-space";

  /** In bytes. */
  public static final long SPARE_DEFAULT = 1L << 30;

  private static final String VOLUME_CHOICE = "dfs.datanode.fsdataset.volume.choosing.policy";

  /** Decay of the highest rate, per look. */
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
   * Creates an estimate.
   *
   * @param walBlock in bytes
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
   * Creates an estimate.
   *
   * @param standardBlock HDFS's default block size, in bytes
   */
  public static HeadroomEstimate of(
      Configuration conf, HybridSettings settings, long standardBlock) {
    return new HeadroomEstimate(
        conf,
        WalFiles.blockSize(WalFiles.configuredBlockSize(conf), standardBlock),
        replication(conf),
        settings.delegate() == WalDelegate.MULTIWAL);
  }

  /** Replicas of a WAL. */
  public static int replication(Configuration conf) {
    return conf.getInt("hbase.regionserver.hlog.replication", conf.getInt("dfs.replication", 3));
  }

  /** A DataNode's reserve per volume in bytes, if DataNodes share this configuration. */
  static long spare(Configuration conf) {
    // AvailableSpaceVolumeChoosingPolicy reserves nothing.
    return conf.get(VOLUME_CHOICE, "").endsWith(".AvailableSpaceVolumeChoosingPolicy")
        ? 0
        : conf.getLongBytes(SPARE, SPARE_DEFAULT);
  }

  int replicas() {
    return replication;
  }

  /** Size of a WAL's block, in bytes. */
  long walBlock() {
    return walBlock;
  }

  /**
   * The current headroom.
   *
   * @param servers RegionServers and masters with WALs
   * @param now nanoseconds
   */
  public Headroom next(Optional<SsdSpace> space, int servers, long now) {
    int nodes = space.map(SsdSpace::nodes).orElse(0);
    space.ifPresent(found -> measure(found, now));
    // Each server's WALs, and one each for hbase:meta and the master store.
    int wals = Math.max(1, servers) * groups + 2;
    long heartbeat = nodes == 0 ? 0 : (long) (bytesPerSecond * heartbeatSeconds / nodes);
    return new Headroom(spare, walBlock, Headroom.walsPerNode(wals, replication, nodes), heartbeat);
  }

  /** Ignores growth if DataNodes, volumes or the source of the figures changed. */
  private void measure(SsdSpace found, long now) {
    if (last.filter(before -> before == found).isPresent()) {
      return; // the same look again
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
