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
import io.github.hybridhbase.report.FindingId;
import io.github.hybridhbase.runtime.HybridKeys.WalDelegate;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.Text;
import io.github.hybridhbase.runtime.WalFiles;
import io.github.hybridhbase.runtime.Watermarks;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The free space that a DataNode's SSD needs in order to accept every block: the DataNode's
 * reserve, two blocks per open WAL (HDFS reserves whole blocks, and a roll opens the new file
 * first), and the bytes written within a heartbeat, by which the NameNode's figures lag.
 */
@InterfaceAudience.Private
public final class Headroom {
  private static final int BLOCKS_PER_WAL = 2;
  private static final int MOST_PERCENT = 90;

  private final long spare;
  private final long walBlock;
  private final int walsPerNode;
  private final long heartbeatWrites;

  /**
   * Sizes in bytes.
   *
   * @param spare reserve per volume ({@code
   *     dfs.datanode.round-robin-volume-choosing-policy.additional-available-space}, 1 GiB)
   * @param heartbeatWrites per DataNode
   */
  public Headroom(long spare, long walBlock, int walsPerNode, long heartbeatWrites) {
    this.spare = Math.max(0, spare);
    this.walBlock = Math.max(0, walBlock);
    this.walsPerNode = Math.max(1, walsPerNode);
    this.heartbeatWrites = Math.max(0, heartbeatWrites);
  }

  public static int walsPerNode(int wals, int replication, int nodes) {
    return nodes <= 0
        ? wals
        : (int) Math.ceil((double) wals * Math.min(replication, nodes) / nodes);
  }

  /** Required free on a DataNode's SSD. */
  public long bytes() {
    return spare + walBlock * BLOCKS_PER_WAL * walsPerNode + heartbeatWrites;
  }

  /** Required free before a component is restored: one more block per WAL. */
  public long bytesToReturn() {
    return bytes() + walBlock * walsPerNode;
  }

  /** Why these SSDs are too small for any placement, with remedy; empty if they suffice. */
  public Optional<String> impossible(SsdSpace space) {
    if (space.nodes() == 0 || space.capacity() == 0) {
      return Optional.empty();
    }
    long perNode = space.capacity() / space.nodes();
    return perNode >= bytesToReturn()
        ? Optional.empty()
        : Optional.of(words("small", Text.bytes(perNode), this));
  }

  /** As {@link #impossible}, or HDFS has no DISK, or the low watermark is below the headroom. */
  public Optional<String> finding(Watermarks watermarks, SsdSpace space) {
    if (space.capacity() > 0 && !space.hasDisk()) {
      return Optional.of(words("no-disk"));
    }
    Optional<String> impossible = impossible(space);
    if (impossible.isPresent() || space.nodes() == 0 || space.capacity() == 0) {
      return impossible;
    }
    long perNode = space.capacity() / space.nodes();
    long kept = perNode / 100 * watermarks.lowPercent();
    if (watermarks.lowPercent() == 0 || kept >= bytes()) {
      return Optional.empty();
    }
    return Optional.of(
        words(
            "low",
            watermarks.lowPercent(),
            Text.bytes(kept),
            Text.bytes(perNode),
            this,
            Math.min(MOST_PERCENT, (long) Math.ceil(100.0 * bytes() / perNode))));
  }

  private static String words(String name, Object... facts) {
    return String.join(" ", FindingId.causeAndRemedy("headroom." + name, facts));
  }

  @Override
  public String toString() {
    return Text.bytes(bytes())
        + " ("
        + Text.bytes(spare)
        + " that a DataNode keeps free, "
        + BLOCKS_PER_WAL
        + " blocks of "
        + Text.bytes(walBlock)
        + " for each of "
        + walsPerNode
        + " WALs, "
        + Text.bytes(heartbeatWrites)
        + " written within a heartbeat)";
  }

  /**
   * An estimate of {@link Headroom} from configuration, number of servers and the rate at which SSD
   * fills. One thread.
   */
  public static final class Estimate {
    public static final String SPARE =
        "dfs.datanode.round-robin-volume-choosing-policy.additional-available-space";

    /** In bytes. */
    public static final long SPARE_DEFAULT = 1L << 30;

    private static final String VOLUME_CHOICE = "dfs.datanode.fsdataset.volume.choosing.policy";

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
     * @param multiwal whether a server writes several WALs at a time
     */
    public Estimate(Configuration conf, long walBlock, int replication, boolean multiwal) {
      this.spare = spare(conf);
      this.walBlock = walBlock;
      this.replication = replication;
      this.groups = groups(conf, multiwal);
      this.heartbeatSeconds = conf.getTimeDuration("dfs.heartbeat.interval", 3, TimeUnit.SECONDS);
    }

    /**
     * @param standardBlock HDFS's default block size, in bytes
     */
    public static Estimate of(Configuration conf, HybridSettings settings, long standardBlock) {
      return new Estimate(
          conf,
          WalFiles.blockSize(WalFiles.configuredBlockSize(conf), standardBlock),
          replication(conf),
          settings.delegate() == WalDelegate.MULTIWAL);
    }

    /** WALs that a server writes at a time, as BoundedGroupingStrategy counts them. */
    public static int groups(Configuration conf, boolean multiwal) {
      return multiwal ? Math.max(1, conf.getInt("hbase.wal.regiongrouping.numgroups", 2)) : 1;
    }

    public static int replication(Configuration conf) {
      return conf.getInt("hbase.regionserver.hlog.replication", conf.getInt("dfs.replication", 3));
    }

    /** A DataNode's reserve per volume in bytes, if DataNodes share this configuration. */
    public static long spare(Configuration conf) {
      // AvailableSpaceVolumeChoosingPolicy reserves nothing.
      return conf.get(VOLUME_CHOICE, "").endsWith(".AvailableSpaceVolumeChoosingPolicy")
          ? 0
          : conf.getLongBytes(SPARE, SPARE_DEFAULT);
    }

    int replicas() {
      return replication;
    }

    long walBlock() {
      return walBlock;
    }

    /**
     * @param servers RegionServers and masters with WALs
     * @param now nanoseconds
     */
    public Headroom next(Optional<SsdSpace> space, int servers, long now) {
      int nodes = space.map(SsdSpace::nodes).orElse(0);
      space.ifPresent(found -> measure(found, now));
      // Each server's WALs, and one each for hbase:meta and the master store.
      int wals = Math.max(1, servers) * groups + 2;
      long heartbeat = nodes == 0 ? 0 : (long) (bytesPerSecond * heartbeatSeconds / nodes);
      return new Headroom(
          spare, walBlock, Headroom.walsPerNode(wals, replication, nodes), heartbeat);
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
}
