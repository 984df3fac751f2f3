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
package io.github.hybridhbase.hdfs;

import io.github.hybridhbase.hdfs.NameNodeWeb.BlockStats;
import io.github.hybridhbase.hdfs.NameNodeWeb.BoundedGet;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorageReport;
import org.apache.hadoop.hdfs.server.protocol.StorageReport;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A reader of an HDFS's SSD space: the sum from the active NameNode's JMX, and each DataNode's by
 * RPC, for superusers. A NameNode that is standby, in safe mode or loading its image yields
 * nothing, since DataNodes may be missing.
 *
 * <p>Three small requests per read, each at most {@value #MOST_MILLIS} ms; after that no further
 * request goes to the same address. Not thread-safe.
 */
@InterfaceAudience.Private
public final class SpaceReader implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SpaceReader.class);

  private static final int MOST_BYTES = 1 << 20;

  private static final int MOST_MILLIS = 5_000;

  // Reports of more DataNodes are kept for a minute: a thousand have some megabytes. With few SSDs
  // each one's figures matter more.
  private static final int MANY = 100;

  private static final int MANY_IN_ALL = 400;

  private static final long KEEP_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final DistributedFileSystem dfs;
  private final Configuration conf;
  private final BoundedGet web;
  private boolean mayAskDataNodes = true;
  private Optional<SsdSpace> known = Optional.empty();
  private long knownNanos;
  private int knownOf;
  private String trouble = "";

  private SpaceReader(DistributedFileSystem dfs, Configuration conf) {
    this.dfs = dfs;
    this.conf = conf;
    this.web = new BoundedGet(conf, MOST_BYTES, MOST_MILLIS);
  }

  public static Optional<SpaceReader> of(FileSystem fs, Configuration conf) {
    return FailFastClient.unwrap(fs).map(dfs -> new SpaceReader(dfs, conf));
  }

  /** One reading, after which nothing is kept. */
  public static Optional<SsdSpace> readOnce(FileSystem fs, Configuration conf) {
    Optional<SpaceReader> reader = of(fs, conf);
    if (reader.isEmpty()) {
      return Optional.empty();
    }
    try (SpaceReader once = reader.get()) {
      return once.read();
    }
  }

  @Override
  public void close() {
    web.close();
  }

  public Optional<SsdSpace> read() {
    Optional<SsdSpace> sum = jmx();
    Optional<SsdSpace> each = dataNodes(sum);
    return sum.isPresent() && each.isPresent()
        ? Optional.of(sum.get().withNodesOf(each.get()))
        : sum.or(() -> each);
  }

  public String trouble() {
    return trouble;
  }

  private Optional<SsdSpace> jmx() {
    List<String> addresses = NameNodeWeb.addresses(conf, dfs.getUri());
    String why =
        "the configuration names no web address of the NameNodes of "
            + dfs.getUri()
            + " (dfs.namenode.http-address, https-address)";
    for (String address : addresses) {
      try {
        long start = System.nanoTime();
        why = notReady(address, start);
        if (why.isEmpty()) {
          Optional<SsdSpace> space = BlockStats.parse(web.read(address + BlockStats.QUERY));
          if (space.isPresent()) {
            trouble = "";
            return space;
          }
          why = address + " has no BlockStats";
        }
      } catch (IOException | RuntimeException e) {
        LOG.debug("No space from {}", address, e);
        why = e.getMessage() == null ? e.toString() : e.getMessage();
      }
    }
    trouble = why;
    return Optional.empty();
  }

  private String notReady(String address, long start) throws IOException {
    // INVARIANT: in this order; figures read after a NameNode reports that it serves are complete.
    Optional<String> state = ask(address, "NameNodeStatus", "State");
    if (!state.equals(Optional.of("active"))) {
      return address + state.map(is -> " is " + is).orElse(" is still loading its image");
    }
    if (System.nanoTime() - start > TimeUnit.MILLISECONDS.toNanos(MOST_MILLIS)) {
      return address + " takes too long to answer";
    }
    return ask(address, "FSNamesystemState", "FSState").equals(Optional.of("Operational"))
        ? ""
        : address + " is in safe mode";
  }

  private Optional<String> ask(String address, String bean, String attribute) throws IOException {
    return BlockStats.attribute(web.read(address + BlockStats.query(bean, attribute)), attribute);
  }

  private Optional<SsdSpace> dataNodes(Optional<SsdSpace> sum) {
    if (!mayAskDataNodes) {
      return Optional.empty();
    }
    int nodes = sum.map(SsdSpace::nodes).orElse(-1);
    boolean kept =
        nodes == knownOf
            && known.filter(this::isMany).isPresent()
            && System.nanoTime() - knownNanos < KEEP_NANOS;
    knownOf = nodes;
    try {
      // Only the active NameNode answers isInSafeMode(); a standby would list its DataNodes too.
      if (sum.isEmpty() && dfs.isInSafeMode()) {
        known = Optional.empty();
      } else if (!kept) {
        known =
            Optional.of(space(dfs.getClient().getDatanodeStorageReport(DatanodeReportType.LIVE)));
        knownNanos = System.nanoTime();
      }
    } catch (IOException | RuntimeException e) {
      known = Optional.empty();
      IOException why =
          e instanceof RemoteException ? ((RemoteException) e).unwrapRemoteException() : null;
      // The denial of a user without superuser rights is permanent.
      mayAskDataNodes = !(why instanceof AccessControlException);
      LOG.debug("The NameNode did not tell its DataNodes' storage", e);
    }
    return known;
  }

  private boolean isMany(SsdSpace all) {
    return all.nodes() > MANY || all.nodes() + all.without().size() > MANY_IN_ALL;
  }

  /** Of DataNodes in service; the NameNode's sum counts what others hold as full capacity. */
  static SsdSpace space(DatanodeStorageReport[] reports) {
    List<SsdSpace.Node> nodes = new ArrayList<>();
    List<String> without = new ArrayList<>();
    long used = 0;
    long remaining = 0;
    boolean disk = false;
    for (DatanodeStorageReport report : reports) {
      if (!report.getDatanodeInfo().isInService()) {
        continue;
      }
      long capacity = 0;
      long free = 0;
      long roomiest = 0;
      for (StorageReport storage : report.getStorageReports()) {
        StorageType type = storage.getStorage().getStorageType();
        if (type == StorageType.SSD && !storage.isFailed()) {
          capacity += storage.getCapacity();
          used += storage.getDfsUsed();
          free += storage.getRemaining();
          roomiest = Math.max(roomiest, storage.getRemaining());
        }
        disk |= type == StorageType.DISK && !storage.isFailed() && storage.getCapacity() > 0;
      }
      remaining += free;
      // As servers name the DataNodes that they exclude.
      String name = report.getDatanodeInfo().getXferAddrWithHostname();
      if (capacity > 0) {
        nodes.add(new SsdSpace.Node(name, capacity, free, roomiest));
      } else {
        without.add(name);
      }
    }
    long capacity = nodes.stream().mapToLong(SsdSpace.Node::capacity).sum();
    SsdSpace space =
        new SsdSpace(capacity, used, remaining, nodes.size(), nodes).without(without).summedUp();
    return disk ? space : space.withoutDisk();
  }
}
