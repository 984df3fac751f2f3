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
package io.github.hybridhbase.testing;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.StoragePolicySatisfierMode;
import org.apache.hadoop.hdfs.server.balancer.NameNodeConnector;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants;
import org.apache.hadoop.hdfs.server.namenode.sps.StoragePolicySatisfier;
import org.apache.hadoop.hdfs.server.sps.ExternalSPSContext;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * HDFS's storage policy satisfier in this JVM. The NameNode must have been started with {@code
 * dfs.storage.policy.satisfier.mode=external}.
 */
@InterfaceAudience.Private
public final class MoveDaemon implements AutoCloseable {
  /**
   * HDFS's key for how long a move may take. HBase's configuration must have it as well where a
   * test waits for the SSD tier to ask for a lost move again.
   */
  public static final String RETRY_KEY = "dfs.storage.policy.satisfier.self.retry.timeout.millis";

  /** Of one in a hurry, in milliseconds. */
  public static final int RETRY_MILLIS = 5_000;

  private final NameNodeConnector connector;
  private final StoragePolicySatisfier satisfier;

  /** Starts one in a hurry, for tests on fast disks; one at a time for an HDFS. */
  public MoveDaemon(Configuration conf) throws IOException {
    this(conf, hurry());
  }

  private MoveDaemon(Configuration conf, Configuration timing) throws IOException {
    Configuration own = new Configuration(conf);
    timing.forEach(entry -> own.set(entry.getKey(), entry.getValue()));
    // HBase wraps the cached client.
    own.setBoolean("fs.hdfs.impl.disable.cache", true);
    URI uri = FileSystem.getDefaultUri(own);
    connector =
        NameNodeConnector.newNameNodeConnectors(
                List.of(uri),
                MoveDaemon.class.getSimpleName(),
                HdfsServerConstants.MOVER_ID_PATH,
                own,
                1)
            .get(0);
    satisfier = new StoragePolicySatisfier(own);
    satisfier.init(
        new ExternalSPSContext(satisfier, connector) {
          @Override
          public void removeSPSHint(long inode) throws IOException {
            try {
              super.removeSPSHint(inode);
            } catch (FileNotFoundException e) {
              // Hadoop 3.4.2 asks again for ever, without a pause, for a file deleted meanwhile.
            }
          }
        });
    satisfier.start(StoragePolicySatisfierMode.EXTERNAL);
  }

  private static Configuration hurry() {
    Configuration quick = new Configuration(false);
    quick.setInt("dfs.storage.policy.satisfier.recheck.timeout.millis", 1_000);
    // One block for a DataNode in three seconds is the default.
    quick.setInt("dfs.storage.policy.satisfier.work.multiplier.per.iteration", 100);
    // A move that ends before the satisfier has noted it waits this long; 5 minutes by default.
    quick.setInt(RETRY_KEY, RETRY_MILLIS);
    quick.setInt("dfs.storage.policy.satisfier.datanode.cache.refresh.interval.ms", 1_000);
    return quick;
  }

  @Override
  public void close() {
    satisfier.stopGracefully();
    connector.close();
  }
}
