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

import io.github.hybridhbase.hdfs.WebClient.Jmx;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.AccessControlException;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A reader of an HDFS's SSD space: the sum from the active NameNode's JMX and, for superusers, each
 * DataNode's by RPC. A NameNode in standby, in safe mode or starting yields nothing, since
 * DataNodes may be missing. A request takes at most {@value #MOST_MILLIS} ms. Not thread-safe.
 */
@InterfaceAudience.Private
public final class SpaceReader implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SpaceReader.class);

  private static final int MOST_BYTES = 1 << 20;

  private static final int MOST_MILLIS = 5_000;

  // Reports of more DataNodes are kept for a minute: a thousand take megabytes.
  private static final int MANY = 100;

  private static final int MANY_IN_ALL = 400;

  private static final long KEEP_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final DistributedFileSystem dfs;
  private final Configuration conf;
  private final WebClient web;
  private boolean mayAskDataNodes = true;
  private Optional<SsdSpace> known = Optional.empty();
  private long knownNanos;
  private int knownOf;
  private String trouble = "";

  private SpaceReader(DistributedFileSystem dfs, Configuration conf) {
    this.dfs = dfs;
    this.conf = conf;
    this.web = new WebClient(conf, MOST_BYTES, MOST_MILLIS);
  }

  public static Optional<SpaceReader> of(FileSystem fs, Configuration conf) {
    return FailFastClient.unwrap(fs).map(dfs -> new SpaceReader(dfs, conf));
  }

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
    try {
      long start = System.nanoTime();
      // INVARIANT: in this order; figures read after a NameNode reports that it serves are
      // complete.
      String active = NameNodeWeb.active(conf, dfs.getUri(), web);
      if (System.nanoTime() - start > TimeUnit.MILLISECONDS.toNanos(MOST_MILLIS)) {
        throw new IOException(active + " takes too long to answer");
      }
      String system = web.read(active + Jmx.nameNode("FSNamesystemState"));
      if (!Jmx.attribute(system, "FSState").equals(Optional.of("Operational"))) {
        throw new IOException(active + " is in safe mode");
      }
      Optional<SsdSpace> space = SsdSpace.of(web.read(active + Jmx.BLOCK_STATS));
      trouble = space.isPresent() ? "" : active + " has no BlockStats";
      return space.map(
          sum -> sum.inMaintenance(Jmx.number(system, "NumInMaintenanceLiveDataNodes")));
    } catch (IOException | RuntimeException e) {
      LOG.debug("No space by HTTP", e);
      trouble = e.getMessage() == null ? e.toString() : e.getMessage();
      return Optional.empty();
    }
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
      // Only the active NameNode answers isInSafeMode().
      if (sum.isEmpty() && dfs.isInSafeMode()) {
        known = Optional.empty();
      } else if (!kept) {
        known = Optional.of(SsdSpace.of(DataNodeReader.reported(dfs)));
        knownNanos = System.nanoTime();
      }
    } catch (IOException | RuntimeException e) {
      known = Optional.empty();
      // The denial is permanent.
      mayAskDataNodes = !(e instanceof AccessControlException);
      LOG.debug("The NameNode did not tell its DataNodes' storage", e);
    }
    return known;
  }

  private boolean isMany(SsdSpace all) {
    return all.nodes() > MANY || all.nodes() + all.without().size() > MANY_IN_ALL;
  }
}
