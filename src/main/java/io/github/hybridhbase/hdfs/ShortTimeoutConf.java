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
 * A client configuration with which HBase's fan-out output gives up early on an unresponsive
 * DataNode: very early while a block is opened, and later after twice {@code
 * hbase.regionserver.wal.roll.on.sync.ms} (10 s), at least 20 s. AsyncFSWAL then rolls and appends
 * unacknowledged edits again.
 *
 * <p>HBase reads {@code dfs.client.socket-timeout} (60 s) for both, so the calling class decides;
 * all others, such as HDFS streams, get the configured value: only the staggered time-outs in a
 * stream's pipeline reveal which DataNode hangs.
 */
@InterfaceAudience.Private
final class ShortTimeoutConf extends Configuration {
  private static final String OUTPUT =
      "org.apache.hadoop.hbase.io.asyncfs.FanOutOneBlockAsyncDFSOutput";
  private static final String CONNECTS = OUTPUT + "Helper";
  private static final String SLOW_SYNC = "hbase.regionserver.wal.roll.on.sync.ms";
  private static final int SLOW_SYNC_MILLIS = 10_000;

  /** A JVM pause of a DataNode or of this server must not break every WAL. */
  private static final int LEAST_WRITE_MILLIS = 20_000;

  private final int connectMillis;
  private final int writeMillis;

  /**
   * @param connectMillis limit for a DataNode to join a new block
   */
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
