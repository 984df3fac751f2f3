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

import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A client's configuration by which HBase's fan-out output gives up soon on a DataNode that does
 * not answer while a block is being opened, and is as patient as configured once it is open.
 *
 * <p>HBase reads one and the same key for both, {@code dfs.client.socket-timeout}, 60 s by default:
 * first to connect ({@code FanOutOneBlockAsyncDFSOutputHelper.connectToDataNodes}), then for
 * acknowledgements ({@code FanOutOneBlockAsyncDFSOutput}). Who asks tells the two apart; where
 * neither is known the configured value is answered.
 */
@InterfaceAudience.Private
final class BriefConf extends Configuration {
  private static final String CONNECTS =
      "org.apache.hadoop.hbase.io.asyncfs.FanOutOneBlockAsyncDFSOutputHelper";

  private final int millis;

  /** The same settings, with at most this long for a DataNode to take part in a new block. */
  BriefConf(Configuration conf, int millis) {
    super(conf);
    this.millis = millis;
  }

  @Override
  public int getInt(String name, int defaultValue) {
    int configured = super.getInt(name, defaultValue);
    return name.equals(HdfsClientConfigKeys.DFS_CLIENT_SOCKET_TIMEOUT_KEY) && connects()
        ? Math.min(configured, millis)
        : configured;
  }

  private static boolean connects() {
    Optional<String> caller =
        StackWalker.getInstance()
            .walk(
                frames ->
                    frames
                        .map(StackWalker.StackFrame::getClassName)
                        .filter(name -> !name.equals(BriefConf.class.getName()))
                        .findFirst());
    return caller.filter(CONNECTS::equals).isPresent();
  }
}
