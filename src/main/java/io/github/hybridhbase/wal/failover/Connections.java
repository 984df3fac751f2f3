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
package io.github.hybridhbase.wal.failover;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hbase.io.asyncfs.AsyncFSOutput;
import org.apache.hadoop.hbase.io.asyncfs.FanOutOneBlockAsyncDFSOutput;
import org.apache.hbase.thirdparty.io.netty.channel.Channel;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The netty channels of HBase's fan-out output; none for other outputs. Thread-safe. */
@InterfaceAudience.Private
public final class Connections {
  private static final Logger LOG = LoggerFactory.getLogger(Connections.class);

  private static final VarHandle CHANNELS = channels();

  private final Set<Channel> channels;

  /**
   * @param output HBase's own, see {@link WatchedOutput#unwrap}
   */
  @SuppressWarnings("unchecked")
  public Connections(AsyncFSOutput output) {
    boolean known = CHANNELS != null && output instanceof FanOutOneBlockAsyncDFSOutput;
    this.channels = known ? ((Map<Channel, ?>) CHANNELS.get(output)).keySet() : Set.of();
  }

  /**
   * HBase's output misses a channel that closed while the file was opened, and then never completes
   * a flush.
   */
  public boolean isOneClosed() {
    return !channels.stream().allMatch(Channel::isActive);
  }

  /** Runs a task whenever one closes, after HBase's own handlers. */
  void onClose(Runnable task) {
    for (Channel channel : channels) {
      channel.closeFuture().addListener(closed -> channel.eventLoop().execute(task));
    }
  }

  private static VarHandle channels() {
    Class<?> output = FanOutOneBlockAsyncDFSOutput.class;
    try {
      return MethodHandles.privateLookupIn(output, MethodHandles.lookup())
          .findVarHandle(output, "datanodeInfoMap", Map.class);
    } catch (ReflectiveOperationException | RuntimeException e) {
      LOG.debug("Connections of this HBase's output are not known", e);
      return null;
    }
  }
}
