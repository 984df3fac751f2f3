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

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A client's configuration by which HBase's fan-out output gives up soon on a DataNode that does
 * not answer: very soon while a block is being opened, and once it is open after twice the time
 * from which HBase itself wants a WAL rolled ({@code hbase.regionserver.wal.roll.on.sync.ms}, 10
 * s), 20 s at least. AsyncFSWAL answers that by a roll that takes along what was not acknowledged.
 *
 * <p>HBase reads one and the same key for both, {@code dfs.client.socket-timeout}, 60 s by default:
 * first to connect ({@code FanOutOneBlockAsyncDFSOutputHelper.connectToDataNodes}), then for
 * acknowledgements ({@code FanOutOneBlockAsyncDFSOutput}). Who asks tells the two apart; anybody
 * else is answered the configured value. A stream of HDFS must be: in its pipeline only the
 * timeouts of the DataNodes, which are staggered with the client's, tell which of them hangs.
 */
@InterfaceAudience.Private
final class ShortTimeoutConf extends Configuration {
  private static final String OUTPUT =
      "org.apache.hadoop.hbase.io.asyncfs.FanOutOneBlockAsyncDFSOutput";
  private static final String CONNECTS = OUTPUT + "Helper";
  private static final String SLOW_SYNC = "hbase.regionserver.wal.roll.on.sync.ms";
  private static final int SLOW_SYNC_MILLIS = 10_000;

  /** A pause of a DataNode's or of this server's own JVM must not break every WAL. */
  private static final int LEAST_WRITE_MILLIS = 20_000;

  private final int connectMillis;
  private final int writeMillis;

  /** The same settings, with at most this long for a DataNode to take part in a new block. */
  ShortTimeoutConf(Configuration conf, int connectMillis) {
    super(conf);
    this.connectMillis = connectMillis;
    long slow = conf.getInt(SLOW_SYNC, SLOW_SYNC_MILLIS);
    this.writeMillis = (int) Math.min(Integer.MAX_VALUE, Math.max(LEAST_WRITE_MILLIS, 2 * slow));
  }

  @Override
  public int getInt(String name, int defaultValue) {
    int configured = super.getInt(name, defaultValue);
    if (!name.equals(HdfsClientConfigKeys.DFS_CLIENT_SOCKET_TIMEOUT_KEY)) {
      return configured;
    }
    switch (asker()) {
      case CONNECTS:
        return Math.min(configured, connectMillis);
      case OUTPUT:
        return Math.min(configured, writeMillis);
      default:
        return configured;
    }
  }

  private static String asker() {
    return StackWalker.getInstance()
        .walk(
            frames ->
                frames
                    .map(StackWalker.StackFrame::getClassName)
                    .filter(name -> !name.equals(ShortTimeoutConf.class.getName()))
                    .findFirst())
        .orElse("");
  }
}
